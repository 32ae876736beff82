import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { okOf, openRest, type Rest } from '../support/rest-calls.ts'
import { tempFolder } from '../support/temp-folder.ts'

const config = tempFolder('search-analyzers')
const RULES = join(config, 'rules.txt')
let rest: Rest
const ok = okOf(() => rest)
beforeAll(async () => {
  writeFileSync(RULES, 'ship, boat\n')
  writeFileSync(join(config, 'few.txt'), 'the\n')
  rest = await openRest({ 'path.conf': config })
})
afterAll(() => rest.close())

const SYNONYMS = { type: 'synonym', synonyms_path: 'rules.txt', updateable: true }
const settings = (filter: object = SYNONYMS) => ({
  number_of_shards: 2,
  analysis: {
    filter: {
      syn: filter,
      few: { type: 'stop', stopwords_path: 'few.txt' },
      both: { type: 'multiplexer', filters: ['lowercase', 'lowercase, syn'] },
    },
    analyzer: {
      plain: { tokenizer: 'whitespace', filter: ['few'] },
      search: { tokenizer: 'whitespace', filter: ['few', 'syn'] },
      several: { tokenizer: 'whitespace', filter: ['both'] },
    },
  },
})
const text = (analyzer: string, search_analyzer: string) => ({
  properties: { t: { type: 'text', analyzer, search_analyzer } },
})
const refusal = async (line: string, body?: object): Promise<string> => {
  const { status, json } = await rest.call(line, body)
  return `${status} ${json.error.type}: ${json.error.reason}`
}
const found = async (index: string, query: object): Promise<string[]> => {
  const { hits } = await ok(`POST /${index}/_search`, { query })
  return hits.hits.map((hit: { _id: string }) => hit._id).sort()
}

describe('_refresh_search_analyzers', () => {
  it('reads rules of synonyms again, for the searches of the indices that it names', async () => {
    for (const index of ['a', 'b']) {
      await ok(`PUT /${index}`, { settings: settings(), mappings: text('plain', 'search') })
      for (const t of ['ship', 'boat', 'vessel']) await ok(`PUT /${index}/_doc/${t}?refresh`, { t })
    }
    const ask = { match: { t: 'ship' } }
    const { _scroll_id } = await ok('POST /a/_search?scroll=1m&size=1', { query: ask })
    expect(await found('a', ask)).toEqual(['boat', 'ship'])
    const explained = 'GET /a/_analyze?analyzer=search&text=ship'
    expect((await ok(explained)).tokens).toHaveLength(2)
    writeFileSync(RULES, 'ship, vessel\nsea, ocean\n')
    expect(await found('a', ask)).toEqual(['boat', 'ship'])
    const answer = await ok('POST /_plugins/_refresh_search_analyzers/a')
    expect(answer._shards).toEqual({ total: 4, successful: 2, failed: 0 })
    expect(answer.successful_refresh_details).toHaveLength(1)
    const [{ index, refreshed_analyzers }] = answer.successful_refresh_details
    expect([index, refreshed_analyzers]).toEqual(['a', ['search', 'several']])
    expect(await found('a', ask)).toEqual(['ship', 'vessel'])
    expect(await found('b', ask)).toEqual(['boat', 'ship'])
    expect((await ok(explained)).tokens.map((each: { token: string }) => each.token)).toEqual([
      'ship',
      'vessel',
    ])
    const named = { text: 'sea', tokenizer: 'whitespace', filter: ['syn'] }
    expect((await ok('POST /a/_analyze', named)).tokens).toHaveLength(2)
    // A search that has begun goes on as it began.
    const { hits } = await ok('POST /_search/scroll', { scroll_id: _scroll_id })
    expect(hits.total.value).toBe(2)
    expect(hits.hits).toHaveLength(1)
    expect(['ship', 'boat']).toContain(hits.hits[0]._id)
    const other = await ok('POST /_plugins/_refresh_search_analyzers?index=b')
    expect(other.successful_refresh_details[0].index).toBe('b')
    expect(await found('b', ask)).toEqual(['ship', 'vessel'])
  })

  it('reads with them the files of the same analyzers, and none of others', async () => {
    writeFileSync(RULES, 'ship, boat\n')
    await ok('PUT /stops', { settings: settings(), mappings: text('plain', 'search') })
    await ok('PUT /stops/_doc/1?refresh', { t: 'of all' })
    expect(await found('stops', { match: { t: 'of' } })).toEqual(['1'])
    writeFileSync(join(config, 'few.txt'), 'of\n')
    await ok('POST /_plugins/_refresh_search_analyzers/stop*')
    expect(await found('stops', { match: { t: 'of' } })).toEqual([])
    expect(await found('stops', { match: { t: { query: 'of', analyzer: 'plain' } } })).toEqual([
      '1',
    ])
    writeFileSync(join(config, 'few.txt'), 'the\n')
  })

  it('leaves the analyzers of an index as they were where its files cannot be read', async () => {
    writeFileSync(RULES, 'ship, boat\n')
    await ok('PUT /whole', { settings: settings(), mappings: text('plain', 'search') })
    await ok('PUT /whole/_doc/1?refresh', { t: 'boat' })
    await ok('PUT /none', { settings: { number_of_shards: 1 } })
    rmSync(RULES)
    const answer = await ok('POST /_plugins/_refresh_search_analyzers/whole,none')
    const reason = {
      type: 'illegal_argument_exception',
      reason: 'IOException while reading [rules.txt]: no such file in path.conf',
    }
    const failed = { index: 'whole', status: 'BAD_REQUEST', reason }
    expect(answer).toEqual({
      _shards: {
        total: 6,
        successful: 1,
        failed: 2,
        failures: [
          { shard: 0, ...failed },
          { shard: 1, ...failed },
        ],
      },
      successful_refresh_details: [{ index: 'none', refreshed_analyzers: [] }],
    })
    expect(await found('whole', { match: { t: 'ship' } })).toEqual(['1'])
    writeFileSync(RULES, 'ship => => boat\n')
    const broken = await ok('POST /_plugins/_refresh_search_analyzers/whole')
    expect(broken._shards.failed).toBe(2)
    expect(await found('whole', { match: { t: 'ship' } })).toEqual(['1'])
    writeFileSync(RULES, 'ship, boat\n')
  })

  it('refuses a request without indices, and indices that are missing or closed', async () => {
    const MISSING = '400 illegal_argument_exception: Missing indices'
    expect(await refusal('POST /_plugins/_refresh_search_analyzers')).toBe(MISSING)
    expect(await refusal('POST /_plugins/_refresh_search_analyzers/,')).toBe(MISSING)
    expect(await refusal('POST /_plugins/_refresh_search_analyzers/no')).toBe(
      '404 index_not_found_exception: no such index [no]',
    )
    await ok('PUT /shut')
    await ok('POST /shut/_close')
    expect(await refusal('POST /_plugins/_refresh_search_analyzers/shut')).toBe(
      '400 index_closed_exception: closed',
    )
  })
})

describe('filters with `updateable`', () => {
  const refused = (analyzer: string, filters: string, mode = 'index time'): string =>
    `analyzer [${analyzer}] contains filters [${filters}] that are not allowed to run in ${mode} mode.`

  it('may not stand in analyzers of texts, by themselves or within others', async () => {
    const create = (analyzer: string) =>
      refusal('PUT /no', { settings: settings(), mappings: text(analyzer, 'plain') })
    expect(await create('search')).toBe(
      `400 mapper_parsing_exception: Failed to parse mapping [_doc]: ${refused('search', 'syn')}`,
    )
    expect(await create('several')).toContain(refused('several', 'both'))
    await ok('PUT /later', { settings: settings() })
    const update = { properties: { s: { type: 'search_as_you_type', analyzer: 'search' } } }
    expect(await refusal('PUT /later/_mapping', update)).toBe(
      `400 mapper_exception: ${refused('search', 'syn')}`,
    )
    const within = { properties: { k: { type: 'keyword', fields: { t: { type: 'text' } } } } }
    Object.assign(within.properties.k.fields.t, { analyzer: 'search' })
    expect(await refusal('PUT /later/_mapping', within)).toContain(refused('search', 'syn'))
    await ok('PUT /later/_mapping', text('plain', 'several'))
  })

  it('may not stand in the default analyzer, but in that of searches', async () => {
    const named = (name: string) => {
      const own = settings()
      Object.assign(own.analysis.analyzer, { [name]: own.analysis.analyzer.search })
      return { settings: own }
    }
    expect(await refusal('PUT /no', named('default'))).toBe(
      `400 mapper_exception: ${refused('default', 'syn', 'all')}`,
    )
    await ok('PUT /yes', named('default_search'))
    expect(
      await refusal('PUT /_index_template/no', {
        index_patterns: ['x*'],
        template: named('default'),
      }),
    ).toBe(
      '400 illegal_argument_exception: composable template [no] template after composition is invalid',
    )
  })

  it('stay what they are when settings of a closed index change', async () => {
    await ok('PUT /shifted', {
      settings: settings({ ...SYNONYMS, updateable: false }),
      mappings: text('search', 'plain'),
    })
    await ok('POST /shifted/_close')
    const change = { analysis: { filter: { syn: { updateable: true } } } }
    expect(await refusal('PUT /shifted/_settings', change)).toContain(refused('search', 'syn'))
  })
})

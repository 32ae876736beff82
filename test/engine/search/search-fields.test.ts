import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { EngineApi } from '../../../src/engine/api/engine-api.ts'
import { trusted } from '../../../src/task/call-context.ts'
import { encodeUtf8 } from '../../../src/util/bytes.ts'
import { parseJsonTree } from '../../../src/util/json/json-tree.ts'
import { bulk, createIndex, engineWith, search, targetOf } from '../../support/engine-calls.ts'

let engine: EngineApi

const numbers = ['long', 'integer', 'short', 'byte', 'double', 'float', 'half_float'] as const

beforeAll(async () => {
  engine = await engineWith(null)
  const properties: Record<string, unknown> = {
    text: { type: 'text' },
    bare: { type: 'text', norms: false },
    word: { type: 'keyword' },
    values: { type: 'keyword', index: false },
    terms: { type: 'keyword', doc_values: false },
    scored: { type: 'keyword', use_similarity: true },
    folded: { type: 'keyword', normalizer: 'lowercase' },
    flag: { type: 'boolean' },
    date: { type: 'date' },
    scaled: { type: 'scaled_float', scaling_factor: 100 },
    points: { type: 'long', doc_values: false },
    columns: { type: 'long', index: false },
  }
  for (const type of numbers) properties[`n_${type}`] = { type }
  await createIndex(engine, 'a', {}, { properties })
  const documents = [-3, -0.5, 0, 1, 2.5, 100].map((n, i) => {
    const word = ['b', 'a', 'é', 'Z', 'aa', '😀'][i]
    const document: Record<string, unknown> = {
      text: i === 5 ? '' : `common w${i}`,
      bare: `common w${i}`,
      word,
      values: word,
      terms: word,
      scored: i < 3 ? 'x' : 'y',
      folded: word?.toUpperCase(),
      flag: i % 2 === 0,
      date: `2020-01-0${i + 1}T12:00:00Z`,
      scaled: n,
      points: Math.trunc(n),
      columns: Math.trunc(n),
    }
    for (const type of numbers)
      document[`n_${type}`] = ['double', 'float', 'half_float'].includes(type) ? n : Math.trunc(n)
    return [{ index: { _id: `${i}` } }, document]
  })
  const outcome = await bulk(
    engine,
    'a',
    [...documents.flat(), { index: { _id: '6' } }, {}],
    'true',
  )
  for (const item of outcome.items) expect('outcome' in item).toBe(true)
})

afterAll(() => engine.close())

async function idsOf(query: unknown): Promise<string> {
  const { hits } = await search(engine, 'a', { query, sort: '_doc', _source: false })
  return hits.hits.map((hit: { _id: string }) => hit._id).join('')
}

describe('queries on each type of field', () => {
  it.each([
    ['term on a keyword', { term: { word: 'aa' } }, '4'],
    ['term on a keyword with doc values alone', { term: { values: 'aa' } }, '4'],
    ['term on a keyword that is only indexed', { term: { terms: 'aa' } }, '4'],
    ['terms on a keyword with doc values alone', { terms: { values: ['aa', 'b', 'none'] } }, '04'],
    ['range on a keyword by code points', { range: { word: { gt: 'aa' } } }, '025'],
    [
      'range on a keyword with doc values alone',
      { range: { values: { gte: 'a', lt: 'b' } } },
      '14',
    ],
    ['prefix on a keyword', { prefix: { word: 'a' } }, '14'],
    ['prefix on a keyword with doc values alone', { prefix: { values: 'a' } }, '14'],
    ['prefix on a text', { prefix: { text: 'w' } }, '01234'],
    ['a normalised keyword', { term: { folded: 'AA' } }, '4'],
    ['a normalised prefix', { prefix: { folded: 'A' } }, '14'],
    ['term on a boolean', { term: { flag: 'true' } }, '024'],
    ['range on a boolean', { range: { flag: { gt: false } } }, '024'],
    ['terms on a boolean', { terms: { flag: [true, false] } }, '012345'],
    ['term on a date: the whole day', { term: { date: '2020-01-02' } }, '1'],
    [
      'range on a date, rounded',
      { range: { date: { gt: '2020-01-02', lte: '2020-01-04' } } },
      '23',
    ],
    [
      'range on a date in another format',
      { range: { date: { gte: '04/01/2020', format: 'dd/MM/yyyy' } } },
      '345',
    ],
    [
      'range on a date in a zone',
      { range: { date: { gte: '2020-01-02T23:00', time_zone: '+12:00', lt: '2020-01-04' } } },
      '1',
    ],
    [
      'range on a date that covers every value',
      { range: { date: { gte: '2019-01-01' } } },
      '012345',
    ],
    ['range on a date outside all values', { range: { date: { lt: '2019-01-01' } } }, ''],
    [
      'no document outside all values',
      {
        bool: {
          must: { match_all: {} },
          must_not: { range: { date: { lt: '2019-01-01' } } },
        },
      },
      '0123456',
    ],
    ['range on a scaled float', { range: { scaled: { gte: -0.5, lt: 2.5 } } }, '123'],
    ['term on a scaled float', { term: { scaled: 2.5 } }, '4'],
    ['range on points alone', { range: { points: { gte: 0, lte: 2 } } }, '1234'],
    ['range on doc values alone', { range: { columns: { gte: 0, lte: 2 } } }, '1234'],
    ['terms on doc values alone', { terms: { columns: [100, -3, 7] } }, '05'],
    ['exists on a text, the empty one included', { exists: { field: 'text' } }, '012345'],
    ['exists on a text without norms', { exists: { field: 'bare' } }, '012345'],
    ['exists on a keyword without doc values', { exists: { field: 'terms' } }, '012345'],
    ['exists on points alone', { exists: { field: 'points' } }, '012345'],
    ['exists by pattern', { exists: { field: 'n_*' } }, '012345'],
    ['exists on what no document has', { exists: { field: 'absent' } }, ''],
    ['a negated exists', { bool: { must_not: { exists: { field: 'word' } } } }, '6'],
    ['ids', { ids: { values: ['6', '1', '1', 'x'] } }, '16'],
    ['term on _id', { term: { _id: '3' } }, '3'],
    ['term on _index', { bool: { filter: { term: { _index: 'a' } } } }, '0123456'],
    ['a phrase in a text without norms', { match_phrase: { bare: 'common w3' } }, '3'],
    ['match on a date', { match: { date: '2020-01-05' } }, '4'],
  ])('find the right documents: %s', async (_title, query, ids) => {
    expect(await idsOf(query)).toBe(ids)
  })

  it.each(numbers)('compare numbers of type %s', async type => {
    const field = `n_${type}`
    const isFloat = ['double', 'float', 'half_float'].includes(type)
    expect(await idsOf({ range: { [field]: { gt: -3, lt: 100 } } })).toBe('1234')
    expect(await idsOf({ range: { [field]: { gte: 0.5 } } })).toBe('345')
    expect(await idsOf({ range: { [field]: { lt: 0 } } })).toBe(isFloat ? '01' : '0')
    expect(await idsOf({ term: { [field]: isFloat ? 2.5 : 2 } })).toBe('4')
    expect(await idsOf({ terms: { [field]: [1, '100', 77] } })).toBe('35')
    const { hits } = await search(engine, 'a', { sort: [{ [field]: 'desc' }], size: 3 })
    expect(hits.hits.map((hit: { sort: unknown[] }) => hit.sort[0])).toEqual(
      isFloat ? [100, 2.5, 1] : [100, 2, 1],
    )
  })

  it('scores keywords by a constant, unless the mapping asks for similarity', async () => {
    const constant = await search(engine, 'a', { query: { term: { word: 'aa' } } })
    expect(constant.hits.max_score).toBe(1)
    const scored = await search(engine, 'a', { query: { term: { scored: 'x' } } })
    expect(scored.hits.max_score).not.toBe(1)
    expect(scored.hits.max_score).toBeGreaterThan(0)
  })

  it('scores 0 for what only filters, and for numbers that must match', async () => {
    for (const query of [
      { bool: { filter: { match: { text: 'common' } } } },
      { bool: { must_not: { term: { word: 'aa' } } } },
      { bool: { must: { range: { points: { gte: 0 } } } } },
    ]) {
      const { hits } = await search(engine, 'a', { query })
      expect(hits.max_score).toBe(0)
      expect(hits.hits.length).toBeGreaterThan(0)
    }
  })

  it('sorts by keywords, dates and scaled floats, missing ones where they are wanted', async () => {
    const sorted = async (sort: unknown): Promise<unknown[]> => {
      const { hits } = await search(engine, 'a', { sort, size: 7 })
      return hits.hits.map((hit: { _id: string; sort: unknown[] }) => [hit._id, hit.sort[0]])
    }
    expect(await sorted({ word: 'asc' })).toEqual([
      ['3', 'Z'],
      ['1', 'a'],
      ['4', 'aa'],
      ['0', 'b'],
      ['2', 'é'],
      ['5', '😀'],
      ['6', null],
    ])
    expect((await sorted({ word: { order: 'desc', missing: '_first' } }))[0]).toEqual(['6', null])
    expect((await sorted({ date: 'desc' })).slice(0, 2)).toEqual([
      ['5', Date.UTC(2020, 0, 6, 12)],
      ['4', Date.UTC(2020, 0, 5, 12)],
    ])
    expect((await sorted({ scaled: 'asc' })).slice(0, 2)).toEqual([
      ['0', -3],
      ['1', -0.5],
    ])
    expect((await sorted({ n_double: { order: 'asc', missing: 1.5 } }))[4]).toEqual(['6', 1.5])
    expect((await sorted({ n_double: 'asc' }))[6]).toEqual(['6', 'Infinity'])
    expect((await sorted({ flag: 'desc' }))[0]).toEqual(['0', 1])
  })

  it('finds fields and keeps scores when norms are turned off on the way', async () => {
    await createIndex(engine, 'norms', {}, { properties: { t: { type: 'text' } } })
    const write = (id: string, t: string | null, refresh: 'false' | 'true'): Promise<unknown> =>
      bulk(engine, 'norms', [{ index: { _id: id } }, t === null ? { n: 1 } : { t }], refresh)
    await write('a', 'one two three', 'true')
    await write('b', '', 'false')
    await write('c', 'one two two two', 'false')
    // Within one buffer: c has a norm, d has none.
    const off = { properties: { t: { type: 'text', norms: false } } }
    await engine.indices.putMapping(
      targetOf('norms'),
      parseJsonTree(encodeUtf8(JSON.stringify(off))),
      trusted('indices:admin/mapping/put'),
    )
    await write('d', 'one two two two', 'false')
    await write('e', null, 'true')
    await write('f', 'one two three', 'true')
    const look = async (): Promise<unknown[]> => {
      const exists = { query: { exists: { field: 't' } }, sort: '_doc', profile: true }
      const found = await search(engine, 'norms', exists)
      const [node] = found.profile.shards[0].searches[0].query
      const { hits } = await search(engine, 'norms', { query: { match: { t: 'two' } } })
      return [
        found.hits.hits.map((hit: { _id: string }) => hit._id).join(''),
        [node.type, node.description, node.children[0].type, node.children[0].description],
        hits.hits.map((hit: { _id: string; _score: number }) => [hit._id, hit._score]),
      ]
    }
    const [ids, profile, scores] = await look()
    expect(ids).toBe('abcdf')
    expect(profile).toEqual([
      'ConstantScoreQuery',
      'ConstantScore(_field_names:t)',
      'TermQuery',
      '_field_names:t',
    ])
    // Without a norm a document counts as one token long: d beats c, f beats a.
    expect((scores as [string, number][]).map(([id]) => id).join('')).toBe('dcfa')
    await engine.indices.forceMerge(
      {
        target: targetOf('norms'),
        maxSegmentCount: 1,
        onlyExpungeDeletes: false,
        primaryOnly: false,
        flush: true,
      },
      trusted('indices:admin/forcemerge'),
    )
    expect(await look()).toEqual([ids, profile, scores])
  })

  it('sorts across indices whose types differ, numbers as doubles', async () => {
    await createIndex(engine, 'mix-long', {}, { properties: { n: { type: 'long' } } })
    await createIndex(
      engine,
      'mix-scaled',
      {},
      {
        properties: { n: { type: 'scaled_float', scaling_factor: 10 } },
      },
    )
    await bulk(
      engine,
      'mix-long',
      [{ index: { _id: 'a' } }, { n: 3 }, { index: { _id: 'b' } }, { n: 1 }],
      'true',
    )
    await bulk(
      engine,
      'mix-scaled',
      [{ index: { _id: 'c' } }, { n: 1.5 }, { index: { _id: 'd' } }, { n: 3.5 }],
      'true',
    )
    const { hits } = await search(engine, 'mix-*', { sort: [{ n: 'desc' }] })
    expect(hits.hits.map((hit: { _id: string }) => hit._id)).toEqual(['d', 'a', 'c', 'b'])
    await createIndex(engine, 'mix-word', {}, { properties: { n: { type: 'keyword' } } })
    await bulk(engine, 'mix-word', [{ index: { _id: 'e' } }, { n: 'x' }], 'true')
    await expect(search(engine, 'mix-*', { sort: 'n' })).rejects.toMatchObject({
      record: {
        type: 'search_phase_execution_exception',
        status: 400,
        causedBy: {
          reason: expect.stringContaining(
            "Can't sort on field [n]; the field has incompatible sort types:",
          ),
        },
      },
    })
  })
})

import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { EngineApi } from '../../src/engine/api/engine-api.ts'
import { trusted } from '../../src/task/call-context.ts'
import { encodeUtf8 } from '../../src/util/bytes.ts'
import { type JsonNode, parseJsonTree } from '../../src/util/json/json-tree.ts'
import { Random } from '../../src/util/random.ts'
import { bulk, createIndex, engineWith, search, targetOf } from '../support/engine-calls.ts'
import { tempFolder } from '../support/temp-folder.ts'

const folder = tempFolder('merge-order')
const ORDERS = ['none', 'bisection', 'field:n', 'field:tag']
const MAPPINGS = {
  properties: {
    t: { type: 'text', fields: { k: { type: 'keyword' } } },
    tag: { type: 'keyword' },
    n: { type: 'long' },
  },
}
const WORDS = 'sea ship sail wind gull rope oar reef kelp tide port keel'.split(' ')
const TARGET = targetOf('i')
const FORCED = {
  target: TARGET,
  maxSegmentCount: 1,
  onlyExpungeDeletes: false,
  flush: true,
  primaryOnly: false,
}

interface Source {
  readonly t: string
  readonly tag: string
  readonly n?: number
}

function randomSource(random: Random): Source {
  // Documents of a topic take their words from three: bisection finds something to put together.
  const topic = random.below(4)
  const words = Array.from({ length: 1 + random.below(8) }, () =>
    random.below(6) === 0 ? WORDS[random.below(12)]! : WORDS[topic * 3 + random.below(3)]!,
  )
  const source = { t: words.join(' '), tag: `tag-${random.below(5)}` }
  return random.below(8) === 0 ? source : { ...source, n: random.below(50) - 25 }
}

/** The same writes and deletes to every engine, searched after each merge. */
async function fill(engine: EngineApi, seed: number): Promise<Map<string, Source>> {
  const random = new Random(seed)
  const live = new Map<string, Source>()
  for (let batch = 0; batch < 6; batch++) {
    const lines: unknown[] = []
    for (let i = 0; i < 120; i++) {
      const id = `d${random.below(600)}`
      if (random.below(6) === 0) {
        live.delete(id)
        lines.push({ delete: { _id: id } })
      } else {
        const source = randomSource(random)
        live.set(id, source)
        lines.push({ index: { _id: id } }, source)
      }
    }
    await bulk(engine, 'i', lines, 'true')
    if (batch % 3 === 2)
      await engine.indices.forceMerge(FORCED, trusted('indices:admin/forcemerge'))
  }
  await engine.indices.refresh(TARGET, trusted('indices:admin/refresh'))
  return live
}

const QUERIES = [
  { match_all: {} },
  { match: { t: 'sea' } },
  { match: { t: 'sea wind oar' } },
  { match: { t: { query: 'sail ship', operator: 'and' } } },
  { match_phrase: { t: 'sea ship' } },
  { bool: { must: [{ match: { t: 'reef' } }], filter: [{ term: { tag: 'tag-1' } }] } },
  { bool: { should: [{ match: { t: 'gull' } }], must_not: [{ match: { t: 'keel' } }] } },
  { range: { n: { gte: -5, lt: 10 } } },
  { term: { 't.k': 'sea' } },
]

interface Hit {
  readonly _id: string
  readonly _score: number
  readonly _source: Source
  readonly _version: number
  readonly _seq_no: number
}

describe('merges that order documents', () => {
  it.each([1, 2, 3])('find the same documents with the same scores, run %i', async seed => {
    const engines = await Promise.all(ORDERS.map(() => engineWith(null)))
    const found: Hit[][][] = []
    for (const [i, engine] of engines.entries()) {
      await createIndex(engine, 'i', { 'index.lamella.reorder': ORDERS[i]! }, MAPPINGS)
      const live = await fill(engine, seed)
      const lists: Hit[][] = []
      for (const query of QUERIES) {
        const { hits } = await search(engine, 'i', {
          query,
          size: 1000,
          version: true,
          seq_no_primary_term: true,
          track_total_hits: true,
        })
        const list = hits.hits as Hit[]
        expect(hits.total.value).toBe(list.length)
        // Best first; of the same score in the order of documents, which page after page keeps.
        const paged: string[] = []
        for (let from = 0; from < Math.min(list.length, 100); from += 20) {
          const page = await search(engine, 'i', { query, from, size: 20 })
          paged.push(...page.hits.hits.map(({ _id }: Hit) => _id))
        }
        expect(paged).toEqual(list.map(({ _id }) => _id).slice(0, paged.length))
        lists.push(list)
      }
      expect(new Set(lists[0]!.map(({ _id }) => _id))).toEqual(new Set(live.keys()))
      for (const { _id, _source } of lists[0]!) expect(_source).toEqual(live.get(_id))
      found.push(lists)
    }
    const byId = (a: Hit, b: Hit): number => (a._id < b._id ? -1 : 1)
    for (const lists of found.slice(1))
      for (const [q, list] of lists.entries()) {
        const plain = found[0]![q]!
        expect([...list].sort(byId)).toEqual([...plain].sort(byId))
        expect(list.map(({ _score }) => _score)).toEqual(plain.map(({ _score }) => _score))
      }
    const all = found.map(lists => lists[0]!.map(({ _id }) => _id))
    expect(all[1]).not.toEqual(all[0])
    const [, , byNumber, byTag] = found.map(lists => lists[0]!)
    expect(byNumber).toEqual(sorted(found[0]![0]!, ({ n }) => n ?? Number.POSITIVE_INFINITY))
    expect(byTag).toEqual(sorted(found[0]![0]!, ({ tag }) => Number(tag.slice(4))))
    await Promise.all(engines.map(engine => engine.close()))
  })

  it.each(ORDERS)('honour deletes and writes that come while one runs, order %s', async order => {
    const path = join(folder, order.replace(':', '-'))
    const engine = await engineWith(path)
    await createIndex(engine, 'i', { 'index.lamella.reorder': order }, MAPPINGS)
    const random = new Random(9)
    const live = await fill(engine, 4)
    for (let round = 0; round < 6; round++) {
      const merging = engine.indices.forceMerge(FORCED, trusted('indices:admin/forcemerge'))
      for (let i = 0; i < 10; i++) {
        const id = `d${random.below(600)}`
        const source = randomSource(random)
        if (random.below(2) === 0) {
          live.delete(id)
          await bulk(engine, 'i', [{ delete: { _id: id } }])
        } else {
          live.set(id, source)
          await bulk(engine, 'i', [{ index: { _id: id } }, source])
        }
      }
      await merging
      await engine.indices.refresh(TARGET, trusted('indices:admin/refresh'))
      await expectDocuments(engine, live)
    }
    await engine.close()
    const reopened = await engineWith(path)
    await expectDocuments(reopened, live)
    await reopened.close()
  })

  it('follow the setting as it is when they start', async () => {
    const engine = await engineWith(null)
    await createIndex(engine, 'i', {}, MAPPINGS)
    const write = (n: number): Promise<unknown> =>
      bulk(engine, 'i', [{ index: { _id: `${n}` } }, { n }], 'true')
    for (const n of [5, 3, 9]) await write(n)
    await engine.indices.forceMerge(FORCED, trusted('indices:admin/forcemerge'))
    expect(await ids(engine)).toEqual(['5', '3', '9'])
    await putSetting(engine, 'field:n')
    await write(4)
    expect(await ids(engine)).toEqual(['5', '3', '9', '4'])
    await engine.indices.forceMerge(FORCED, trusted('indices:admin/forcemerge'))
    expect(await ids(engine)).toEqual(['3', '4', '5', '9'])
    await engine.close()
  })
})

describe('the setting index.lamella.reorder', () => {
  it.each(['', 'field:', 'field', 'bp', 'None'])('refuses [%s]', async value => {
    const engine = await engineWith(null)
    await expect(createIndex(engine, 'i', { 'index.lamella.reorder': value })).rejects.toThrow(
      `Failed to parse value [${value}] for setting [index.lamella.reorder] must be one of [none, bisection, field:NAME]`,
    )
    await engine.close()
  })

  it('refuses a field without doc values, whichever of the two comes first', async () => {
    const reason = '[index.lamella.reorder] cannot order by [t]: it has no doc values'
    const engine = await engineWith(null)
    const byText = { 'index.lamella.reorder': 'field:t' }
    await expect(createIndex(engine, 'i', byText, MAPPINGS)).rejects.toThrow(reason)
    await createIndex(engine, 'i', {}, MAPPINGS)
    await expect(putSetting(engine, 'field:t')).rejects.toThrow(reason)
    const spans = { properties: { t: { type: 'long_range' } } }
    await expect(createIndex(engine, 'spans', byText, spans)).rejects.toThrow(
      '[index.lamella.reorder] cannot order by [t]: its doc values have no order',
    )
    await createIndex(engine, 'later', byText)
    const mapping = { properties: { t: { type: 'text' } } }
    await expect(
      engine.indices.putMapping(
        targetOf('later'),
        treeOf(mapping),
        trusted('indices:admin/mapping/put'),
      ),
    ).rejects.toThrow(reason)
    await engine.close()
  })
})

function sorted(hits: readonly Hit[], key: (source: Source) => number): Hit[] {
  // A stable sort of what stands in order of arrival.
  return [...hits].sort((a, b) => key(a._source) - key(b._source))
}

function treeOf(value: unknown): JsonNode {
  return parseJsonTree(encodeUtf8(JSON.stringify(value)))
}

function putSetting(engine: EngineApi, value: string): Promise<void> {
  const changes = new Map([['index.lamella.reorder', value]])
  return engine.indices.putSettings(
    { target: TARGET, changes, preserveExisting: false },
    trusted('indices:admin/settings/update'),
  )
}

async function ids(engine: EngineApi): Promise<string[]> {
  const { hits } = await search(engine, 'i', { query: { match_all: {} }, size: 1000 })
  return hits.hits.map(({ _id }: Hit) => _id)
}

async function expectDocuments(engine: EngineApi, live: Map<string, Source>): Promise<void> {
  const { hits } = await search(engine, 'i', { query: { match_all: {} }, size: 1000 })
  const found = new Map(hits.hits.map(({ _id, _source }: Hit) => [_id, _source]))
  expect(hits.hits.length).toBe(found.size)
  expect(found).toEqual(live)
}

import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { runBulk } from '../../src/engine/document/bulk.ts'
import { createIndex } from '../../src/engine/index/index-life.ts'
import { Node } from '../../src/engine/node/node.ts'
import type { Query } from '../../src/search/query/query.ts'
import type { SortKey } from '../../src/search/sort/sort-key.ts'
import type { Snapshot } from '../../src/segment/snapshot.ts'
import { trusted } from '../../src/task/call-context.ts'
import { compareBytes, decodeUtf8, encodeUtf8 } from '../../src/util/bytes.ts'
import { parseJsonTree } from '../../src/util/json/json-tree.ts'
import { Random } from '../../src/util/random.ts'
import { ndjson } from '../support/rest-calls.ts'
import { searchOptions, searchPlan } from '../support/search-plan.ts'

const SEED = 3600
const DOCUMENTS = 6000
const WORDS = ['oar', 'sea', 'ship', 'tide', 'whale', 'éland', '船', '🚢', ...Array(60).keys()].map(
  String,
)

const node = new Node({
  folder: null,
  settings: new Map([
    ['lamella.threads.search', '2'],
    ['lamella.threads.write', '1'],
  ]),
})
let snapshot: Snapshot
/** Live documents in order of their global doc IDs. */
const documents: { readonly doc: number; readonly words: readonly string[] }[] = []

afterAll(async () => {
  snapshot.release()
  await node.close()
})

beforeAll(async () => {
  const mapping =
    '{"properties":{"t":{"type":"text","analyzer":"whitespace","fielddata":true},"n":{"type":"long"}}}'
  await createIndex(
    node,
    {
      name: 'i',
      settings: new Map([['index.refresh_interval', '-1']]),
      mappings: parseJsonTree(encodeUtf8(mapping)),
      aliases: null,
      waitForActiveShards: 1,
    },
    trusted('indices:admin/create'),
  )
  const shard = node.index('i')!.shards[0]!
  const random = new Random(SEED)
  const words = new Map<string, readonly string[]>()
  for (let next = 0; next < DOCUMENTS; ) {
    const end = Math.min(DOCUMENTS, next + (next === 0 ? 4000 : 1 + random.below(600)))
    const lines: object[] = []
    for (; next < end; next++) {
      // Some replace earlier ones, and some have no text.
      const _id = `d${random.below(20) === 0 ? random.below(next + 1) : next}`
      const list = Array.from({ length: random.below(5) }, () => WORDS[random.below(WORDS.length)]!)
      words.set(_id, list)
      lines.push({ index: { _id } }, list.length === 0 ? { n: 1 } : { n: 1, t: list.join(' ') })
    }
    await runBulk(
      node,
      {
        body: encodeUtf8(ndjson(...lines)),
        index: 'i',
        routing: null,
        refresh: 'false',
        requireAlias: false,
        source: null,
        waitForActiveShards: 1,
        timeoutInMillis: 30_000,
      },
      trusted('indices:data/write/bulk'),
    )
    await shard.refresh()
  }
  await shard.idle()
  await shard.refresh()
  snapshot = shard.snapshot.acquire()
  const pins = node.memory.newPins()
  for (const each of snapshot.leaves) {
    const leaf = node.searcher.openLeaf(each, pins, null)
    for (let docId = 0; docId < leaf.maxDoc; docId++)
      if (leaf.liveDocs?.has(docId) !== false)
        documents.push({
          doc: docId + leaf.docBase,
          words: words.get(decodeUtf8(leaf.ids().id(docId)))!,
        })
  }
  pins.release()
  expect(snapshot.leaves.length).toBeGreaterThan(1)
  expect(snapshot.numDocs).toBe(documents.length)
  expect(snapshot.numDocs).toBeLessThan(snapshot.maxDoc)
})

interface Way {
  readonly descending: boolean
  readonly mode: 'min' | 'max'
  readonly missing: 'first' | 'last' | 'sh'
  readonly word: string | null
  readonly from: number
}

/** The value that counts of a document. */
function countedWord(words: readonly string[], mode: 'min' | 'max'): string | null {
  const sorted = [...words].sort((a, b) => compareBytes(encodeUtf8(a), encodeUtf8(b)))
  return (mode === 'min' ? sorted[0] : sorted.at(-1)) ?? null
}

/** The plain answer: matching documents in order, those that are equal by their doc IDs. */
function sorted({ descending, mode, missing, word }: Way): { doc: number; value: string | null }[] {
  const found = documents
    .filter(({ words }) => word === null || words.includes(word))
    // A word in place of a missing one is the value that hits tell.
    .map(({ doc, words }) => ({
      doc,
      value: countedWord(words, mode) ?? (missing === 'sh' ? missing : null),
    }))
  const sign = descending ? -1 : 1
  return found.sort((a, b) => {
    if (a.value === null || b.value === null) {
      if (a.value === b.value) return a.doc - b.doc
      return (a.value === null) === (missing === 'first') ? -1 : 1
    }
    const order = compareBytes(encodeUtf8(a.value), encodeUtf8(b.value))
    return order === 0 ? a.doc - b.doc : sign * order
  })
}

it('sorts by the terms of text as a plain sort does, for every cut, thread and profile', async () => {
  const way = fc.record({
    descending: fc.boolean(),
    mode: fc.constantFrom('min' as const, 'max' as const),
    missing: fc.constantFrom('first' as const, 'last' as const, 'sh' as const),
    word: fc.oneof(fc.constant(null), fc.constantFrom(...WORDS)),
    from: fc.nat(300),
    clears: fc.boolean(),
    maxSliceCount: fc.constantFrom(1, 2, 4),
    isCut: fc.boolean(),
    isProfiled: fc.boolean(),
    isHere: fc.boolean(),
    kernels: fc.boolean(),
  })
  await fc.assert(
    fc.asyncProperty(way, async way => {
      const { descending, mode, word, from } = way
      const expected = sorted(way)
      const missing = way.missing === 'sh' ? encodeUtf8('sh') : way.missing
      const fieldData = { min: 0, max: 2147483647, minSegmentSize: 0 }
      const sort: SortKey[] = [
        { kind: 'keyword', field: 't', descending, missing, mode, fieldData },
        { kind: 'doc', descending: false },
      ]
      const after = expected[from - 1]
      const searchAfter =
        after === undefined
          ? null
          : [after.value === null ? null : encodeUtf8(after.value), after.doc]
      const query: Query =
        word === null ? { kind: 'matchAll' } : { kind: 'term', field: 't', term: word }
      if (way.clears)
        for (const { segment } of snapshot.leaves) node.memory.fieldData.clear(segment, null)
      const { result } = await node.searcher.search(
        snapshot,
        searchPlan(query, { topCount: 40, sort, searchAfter }),
        searchOptions({
          concurrent: true,
          slices: {
            maxSliceCount: way.maxSliceCount,
            intraSegment: way.isCut ? 'auto' : 'none',
            intraSegmentMinDocs: 1,
          },
          profile: way.isProfiled ? { sampling: 'calibrated', perLeaf: true } : null,
          executor: way.isHere ? 'inline' : 'threads',
          kernels: way.kernels,
        }),
      )
      const start = searchAfter === null ? 0 : from
      expect(result.total).toEqual({ value: expected.length, relation: 'eq' })
      expect(
        result.hits.map(({ globalDoc: doc, sort }) => [
          doc,
          sort![0] instanceof Uint8Array ? decodeUtf8(sort![0]) : null,
        ]),
      ).toEqual(expected.slice(start, start + 40).map(({ doc, value }) => [doc, value]))
    }),
    { numRuns: 120 },
  )
}, 120_000)

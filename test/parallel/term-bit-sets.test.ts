import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { openEngine } from '../../src/engine/engine.ts'
import { Node } from '../../src/engine/node/node.ts'
import type { ShardSearchOptions } from '../../src/parallel/search-options.ts'
import type { Query } from '../../src/search/query/query.ts'
import { bulk, createIndex } from '../support/engine-calls.ts'
import { searchOptions, searchPlan } from '../support/search-plan.ts'
import { tempFolder } from '../support/temp-folder.ts'

const DOCUMENTS = 12_000
const folder = tempFolder('term-bit-sets')

let node: Node

async function open(size: string): Promise<void> {
  const settings = { 'lamella.threads.search': '2', 'indices.lamella.term_sets.size': size }
  node = new Node({ folder: folder, settings: new Map(Object.entries(settings)) })
}

/** The ten best documents with both words, and how many there are. */
async function both(options: Partial<ShardSearchOptions>): Promise<unknown> {
  const snapshot = node.index('i')!.shards[0]!.snapshot.acquire()
  const clauses = ['red', 'blue'].map(term => ({
    occur: 'must' as const,
    query: { kind: 'term', field: 'body', term } satisfies Query,
  }))
  try {
    const plan = searchPlan({ kind: 'boolean', clauses, minimumShouldMatch: 0 })
    const all = searchOptions({ kernels: true, ...options })
    const { result } = await node.searcher.search(snapshot, plan, all)
    return { total: result.total, hits: result.hits }
  } finally {
    snapshot.release()
  }
}

describe('the sets of frequent terms', () => {
  beforeAll(async () => {
    const engine = await openEngine({ folder: folder, settings: new Map() })
    await createIndex(engine, 'i', { 'index.refresh_interval': '-1' })
    const lines = Array.from({ length: DOCUMENTS }, (_, i) => [
      { index: { _id: `${i}` } },
      { body: `${i % 3 === 0 ? 'red' : 'red blue'}${' pad'.repeat(i % 7)}` },
    ])
    await bulk(engine, 'i', lines.flat(), 'true')
    await engine.close()
  })
  afterEach(() => node.close())

  it.each(['inline', 'threads', 'together'] as const)(
    'are made and used %s, and change nothing',
    async executor => {
      await open('0b')
      const expected = await both({ executor })
      expect(node.memory.termBitSets.bytes).toBe(0)
      await node.close()
      await open('1mb')
      for (let i = 0; i < 4; i++) {
        expect(await both({ executor })).toEqual(expected)
        // Two sets of 12,000 documents, from the second use on.
        if (i === 0) expect(node.memory.termBitSets.bytes).toBe(0)
        else expect(node.memory.termBitSets.bytes).toBeGreaterThan((2 * DOCUMENTS) / 8)
      }
    },
  )
})

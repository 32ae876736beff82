import fc from 'fast-check'
import { expect, it } from 'vitest'
import {
  expectedTree,
  type JoinedDocument,
  joinTrees,
  printedTree,
} from '../../support/plain-joins.ts'
import { openRest, type Rest } from '../../support/rest-calls.ts'

const SEED = 35
const PARENTS = 6

const values = {
  k: fc.constantFrom('k0', 'k1', 'k2'),
  n: fc.nat(20),
  count: fc.option(fc.integer({ min: 2, max: 4 }), { freq: 4 }),
}
const setup = fc.record({
  parents: fc.array(fc.record(values), { minLength: PARENTS, maxLength: PARENTS }),
  children: fc.array(
    fc.record({
      ...values,
      // One more than there are: some have a parent that is missing.
      parent: fc.nat(PARENTS),
      relation: fc.constantFrom('c' as const, 'c' as const, 'd' as const),
    }),
    { minLength: 4, maxLength: 30 },
  ),
  grandchildren: fc.array(fc.record({ ...values, parent: fc.nat(29) }), { maxLength: 12 }),
  deleted: fc.array(fc.nat(200), { maxLength: 6 }),
  refreshEvery: fc.integer({ min: 2, max: 20 }),
  shards: fc.constantFrom(1, 2),
  trees: fc.array(joinTrees, { minLength: 3, maxLength: 3 }),
  queried: fc.constantFrom(null, 'k0', 'k1'),
})
type Setup = typeof setup extends fc.Arbitrary<infer T> ? T : never

/** Documents with what they are routed by: the parent at the top. */
function documentsOf(of: Setup): (JoinedDocument & { readonly routing: string })[] {
  const children = of.children.map((each, i) => {
    const parent = `p${each.parent}`
    return { ...each, id: `c${i}`, parent, routing: parent }
  })
  return [
    ...of.parents.map((each, i) => {
      const id = `p${i}`
      return { ...each, id, relation: 'p' as const, parent: null, routing: id }
    }),
    ...children,
    ...of.grandchildren.flatMap((each, i) => {
      const around = children[each.parent]
      if (around?.relation !== 'c') return []
      const { id: parent, routing } = around
      return [{ ...each, id: `g${i}`, relation: 'g' as const, parent, routing }]
    }),
  ].sort((a, b) => a.n - b.n)
}

async function fill(rest: Rest, index: string, of: Setup): Promise<readonly JoinedDocument[]> {
  await rest.call(`PUT /${index}`, {
    settings: { number_of_shards: of.shards, 'index.refresh_interval': '-1' },
    mappings: {
      properties: {
        j: { type: 'join', relations: { p: ['c', 'd'], c: 'g' } },
        k: { type: 'keyword' },
        n: { type: 'long' },
      },
    },
  })
  const documents = documentsOf(of)
  for (const [i, { id, routing, relation, parent, k, n, count }] of documents.entries()) {
    const join = parent === null ? relation : { name: relation, parent }
    const source = { j: join, k, n, ...(count === null ? {} : { _doc_count: count }) }
    await rest.call(
      `PUT /${index}/_doc/${id}?routing=${routing}${i % of.refreshEvery === 0 ? '&refresh' : ''}`,
      source,
    )
  }
  const deleted = new Set(of.deleted.map(at => documents[at % documents.length]!))
  for (const { id, routing } of deleted)
    await rest.call(`DELETE /${index}/_doc/${id}?routing=${routing}`)
  await rest.call(`POST /${index}/_refresh`)
  return documents.filter(document => !deleted.has(document))
}

it(`counts what joins tie as the documents say, however slices are cut (seed ${SEED})`, async () => {
  const rest = await openRest()
  let run = 0
  try {
    await fc.assert(
      fc.asyncProperty(setup, async of => {
        const index = `i${run++}`
        const live = await fill(rest, index, of)
        const query = of.queried === null ? { match_all: {} } : { term: { k: of.queried } }
        const rows = live.filter(({ k }) => of.queried === null || k === of.queried)
        for (const slices of [1, 2, 4]) {
          await rest.call(`PUT /${index}/_settings`, {
            'index.search.concurrent_segment_search.mode': slices === 1 ? 'none' : 'all',
            'index.search.concurrent.max_slice_count': Math.max(2, slices),
            'index.search.concurrent.intra_segment_min_docs': 2,
          })
          for (const profile of [false, true])
            for (const tree of of.trees) {
              const aggs = printedTree(tree)
              const body = { size: 0, query, aggs, profile }
              const { json, text } = await rest.call(`POST /${index}/_search`, body)
              const title = JSON.stringify(aggs)
              expect(json.aggregations, `${title} ${text}`).toBeDefined()
              expect(json.aggregations, title).toEqual(expectedTree(tree, rows, live))
            }
        }
        await rest.call(`DELETE /${index}`)
      }),
      { seed: SEED, numRuns: Number(process.env['LAMELLA_JOIN_RUNS'] ?? 40) },
    )
  } finally {
    await rest.close()
  }
})

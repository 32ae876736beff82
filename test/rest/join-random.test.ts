import fc from 'fast-check'
import { expect, it } from 'vitest'
import { ndjson, openRest, type Rest } from '../support/rest-calls.ts'

/** A child: its parent, its relation and its words. */
interface Child {
  readonly parent: number
  readonly relation: 'c' | 'd'
  readonly text: string
}

const PARENTS = 8
const text = fc
  .array(fc.constantFrom('sea', 'ship', 'sail'), { maxLength: 5 })
  .map(w => w.join(' '))
const child: fc.Arbitrary<Child> = fc.record({
  parent: fc.integer({ min: 0, max: PARENTS }),
  relation: fc.constantFrom('c' as const, 'd' as const),
  text,
})
const setup = fc.record({
  children: fc.array(child, { minLength: 5, maxLength: 60 }),
  parents: fc.array(text, { minLength: PARENTS, maxLength: PARENTS }),
  deleted: fc.array(fc.nat(59), { maxLength: 8 }),
  deletedParent: fc.integer({ min: 0, max: PARENTS }),
  refreshEvery: fc.integer({ min: 3, max: 30 }),
  shards: fc.constantFrom(1, 2),
})

type Setup = typeof setup extends fc.Arbitrary<infer T> ? T : never

const MAPPINGS = {
  properties: { j: { type: 'join', relations: { p: ['c', 'd'] } }, t: { type: 'text' } },
}

interface Hit {
  readonly _id: string
  readonly _score: number
  readonly _source: { readonly j: { readonly parent: string } }
}

async function fill(rest: Rest, index: string, of: Setup): Promise<void> {
  await rest.call(`PUT /${index}`, {
    settings: { number_of_shards: of.shards, 'index.refresh_interval': '-1' },
    mappings: MAPPINGS,
  })
  const put = (id: string, routing: string, source: object): Promise<unknown> =>
    rest.call(`POST /${index}/_bulk`, ndjson({ index: { _id: id, routing } }, source))
  const { children, parents } = of
  for (let i = 0; i < Math.max(children.length, PARENTS); i++) {
    if (i < PARENTS) await put(`p${i}`, `p${i}`, { j: 'p', t: parents[i] })
    const each = children[i]
    if (each !== undefined) {
      const parent = `p${each.parent}`
      await put(`c${i}`, parent, { j: { name: each.relation, parent }, t: each.text })
    }
    if (i % of.refreshEvery === 0) await rest.call(`POST /${index}/_refresh`)
  }
  for (const i of of.deleted)
    if (children[i] !== undefined)
      await rest.call(`DELETE /${index}/_doc/c${i}?routing=p${children[i].parent}`)
  await rest.call(`DELETE /${index}/_doc/p${of.deletedParent}`)
  await rest.call(`POST /${index}/_refresh`)
}

const COMBINED: { readonly [mode: string]: (scores: readonly number[]) => number } = {
  none: () => 1,
  min: scores => Math.min(...scores),
  max: scores => Math.max(...scores),
  sum: scores => scores.reduce((sum, score) => Math.fround(sum + score), 0),
  avg: scores => Math.fround(scores.reduce((sum, s) => Math.fround(sum + s), 0) / scores.length),
}

it('finds parents and children as a plain reading of two searches, for any slices', async () => {
  const rest = await openRest()
  let run = 0
  try {
    await fc.assert(
      fc.asyncProperty(setup, async of => {
        const index = `i${run++}`
        await fill(rest, index, of)
        // One snapshot for all: a merge in between would change statistics.
        const point = await rest.call(`POST /${index}/_search/point_in_time?keep_alive=5m`)
        const pit = { id: point.json.pit_id }
        const search = async (query: object, more: object = {}): Promise<readonly Hit[]> => {
          const body = { query, size: 200, pit, ...more }
          const { json, text: answer } = await rest.call('POST /_search', body)
          expect(json.hits, answer).toBeDefined()
          // As the bits that they are.
          return json.hits.hits.map((hit: Hit) => ({ ...hit, _score: Math.fround(hit._score) }))
        }
        const words = { match: { t: 'sea sail' } }
        const inOrder = { sort: ['_doc'], track_scores: true }
        const ofRelation = (name: string): object => ({
          bool: { must: words, filter: { term: { j: name } } },
        })
        const children = await search(ofRelation('c'), inOrder)
        const parents = await search(ofRelation('p'), inOrder)
        const living = new Set((await search({ term: { j: 'p' } })).map(({ _id }) => _id))
        const scoresOf = new Map<string, number[]>()
        for (const { _source, _score } of children) {
          const { parent } = _source.j
          if (living.has(parent)) scoresOf.set(parent, [...(scoresOf.get(parent) ?? []), _score])
        }
        const all = await search({ terms: { j: ['c', 'd'] } })
        for (const slices of [1, 2, 4]) {
          await rest.call(`PUT /${index}/_settings`, {
            'index.search.concurrent_segment_search.mode': slices === 1 ? 'none' : 'all',
            'index.search.concurrent.max_slice_count': Math.max(2, slices),
            'index.search.concurrent.intra_segment_min_docs': 2,
          })
          for (const profile of [false, true]) {
            for (const [mode, combine] of Object.entries(COMBINED))
              for (const [min, max] of [
                [1, 100],
                [2, 3],
              ] as const) {
                const bounds = { min_children: min, max_children: max }
                const query = {
                  has_child: { type: 'c', query: words, score_mode: mode, ...bounds },
                }
                const found = await search(query, { profile })
                const expected = [...scoresOf]
                  .filter(([, scores]) => scores.length >= min && scores.length <= max)
                  .map(([id, scores]) => [id, combine(scores)])
                expect(new Map(found.map(hit => [hit._id, hit._score]))).toEqual(
                  new Map(expected as [string, number][]),
                )
                const order = found.map(({ _score }) => _score)
                expect(order).toEqual([...order].sort((a, b) => b - a))
              }
            const up = { has_parent: { parent_type: 'p', query: words, score: true } }
            const scores = new Map(parents.map(hit => [hit._id, hit._score]))
            const expected = all
              .filter(({ _source }) => scores.has(_source.j.parent))
              .map(({ _id, _source }) => [_id, scores.get(_source.j.parent)!] as const)
            expect(new Map((await search(up, { profile })).map(h => [h._id, h._score]))).toEqual(
              new Map(expected),
            )
          }
        }
        await rest.call(`DELETE /${index}`)
      }),
      { numRuns: 15 },
    )
  } finally {
    await rest.close()
  }
})

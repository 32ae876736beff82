import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ndjson, openRest, type Rest } from '../support/rest-calls.ts'

/** An object of level `a`, with its objects of level `a.b`. */
interface Outer {
  readonly k: readonly string[]
  readonly n: number
  readonly b: readonly { readonly k: readonly string[] }[]
}
interface Source {
  readonly k: readonly string[]
  readonly a: readonly Outer[]
}

/** A condition on one level: its keyword has a value. */
interface Has {
  readonly kind: 'has'
  readonly value: string
}
type Condition =
  | Has
  | { readonly kind: 'any' }
  | { readonly kind: 'not'; readonly of: Condition }
  | { readonly kind: 'and' | 'or'; readonly of: readonly Condition[] }
  | { readonly kind: 'nested'; readonly path: 'a' | 'a.b'; readonly of: Condition }

const value = fc.constantFrom('x', 'y', 'z')
const values = fc.uniqueArray(value, { maxLength: 2 })
const outer: fc.Arbitrary<Outer> = fc.record({
  k: values,
  n: fc.integer({ min: 1, max: 9 }),
  b: fc.array(fc.record({ k: values }), { maxLength: 3 }),
})
const source: fc.Arbitrary<Source> = fc.record({ k: values, a: fc.array(outer, { maxLength: 4 }) })

/** What a query of the level sees; `''` is the whole document. */
type Level = '' | 'a' | 'a.b'
const BELOW: { readonly [L in Level]: readonly ('a' | 'a.b')[] } = {
  '': ['a', 'a.b'],
  a: ['a.b'],
  'a.b': [],
}

function condition(level: Level, depth: number): fc.Arbitrary<Condition> {
  const leaf = fc.oneof(
    { weight: 4, arbitrary: value.map((text): Condition => ({ kind: 'has', value: text })) },
    { weight: 1, arbitrary: fc.constant<Condition>({ kind: 'any' }) },
  )
  if (depth === 0) return leaf
  const inner = condition(level, depth - 1)
  const list = fc.array(inner, { minLength: 1, maxLength: 3 })
  const nested = BELOW[level].map(path =>
    condition(path, depth - 1).map((of): Condition => ({ kind: 'nested', path, of })),
  )
  return fc.oneof(
    leaf,
    inner.map((of): Condition => ({ kind: 'not', of })),
    list.map((of): Condition => ({ kind: 'and', of })),
    list.map((of): Condition => ({ kind: 'or', of })),
    ...nested.map(arbitrary => ({ weight: 3, arbitrary })),
  )
}

function queryOf(of: Condition, level: Level): object {
  switch (of.kind) {
    case 'has':
      return { term: { [level === '' ? 'k' : `${level}.k`]: of.value } }
    case 'any':
      return { match_all: {} }
    case 'not':
      return { bool: { must_not: queryOf(of.of, level) } }
    case 'and':
      return { bool: { must: of.of.map(each => queryOf(each, level)) } }
    case 'or':
      return { bool: { should: of.of.map(each => queryOf(each, level)) } }
    case 'nested':
      return { nested: { path: of.path, query: queryOf(of.of, of.path) } }
  }
}

/** Whether an object of the level meets a condition, the plain way. */
function meets(of: Condition, level: Level, object: Source | Outer | Outer['b'][number]): boolean {
  switch (of.kind) {
    case 'has':
      return object.k.includes(of.value)
    case 'any':
      return true
    case 'not':
      return !meets(of.of, level, object)
    case 'and':
      return of.of.every(each => meets(each, level, object))
    case 'or':
      return of.of.some(each => meets(each, level, object))
    case 'nested': {
      const outers = level === '' ? (object as Source).a : [object as Outer]
      const inside = of.path === 'a' ? outers : outers.flatMap(each => each.b)
      return inside.some(each => meets(of.of, of.path, each))
    }
  }
}

/** One step in an index's life. */
type Step =
  | { readonly kind: 'put'; readonly id: string; readonly source: Source }
  | { readonly kind: 'delete'; readonly id: string }
  | { readonly kind: 'refresh' }
  | { readonly kind: 'merge' }

const id = fc.integer({ min: 0, max: 9 }).map(String)
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 8, arbitrary: fc.record({ kind: fc.constant('put' as const), id, source }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('delete' as const), id }) },
  { weight: 2, arbitrary: fc.constant<Step>({ kind: 'refresh' }) },
  { weight: 1, arbitrary: fc.constant<Step>({ kind: 'merge' }) },
)

const keyword = { k: { type: 'keyword' } }
const MAPPINGS = {
  properties: {
    ...keyword,
    a: {
      type: 'nested',
      properties: {
        ...keyword,
        n: { type: 'integer' },
        b: { type: 'nested', properties: keyword },
      },
    },
  },
}

/** Lives through the steps; returns what is left. */
async function live(
  rest: Rest,
  name: string,
  steps: readonly Step[],
): Promise<Map<string, Source>> {
  const documents = new Map<string, Source>()
  for (const each of steps) {
    if (each.kind === 'put') {
      documents.set(each.id, each.source)
      await rest.call(`POST /${name}/_bulk`, ndjson({ index: { _id: each.id } }, each.source))
    } else if (each.kind === 'delete') {
      documents.delete(each.id)
      await rest.call(`DELETE /${name}/_doc/${each.id}`)
    } else if (each.kind === 'refresh') await rest.call(`POST /${name}/_refresh`)
    else await rest.call(`POST /${name}/_forcemerge?max_num_segments=1`)
  }
  await rest.call(`POST /${name}/_refresh`)
  return documents
}

/** Sorts by values of nested objects are those of a plain reading, for any number of slices. */
async function checkSorts(
  rest: Rest,
  name: string,
  documents: ReadonlyMap<string, Source>,
): Promise<void> {
  const chosen = { min: Math.min, max: Math.max, sum: sumOf } as const
  for (const slices of [1, 2, 4]) {
    await rest.call(`PUT /${name}/_settings`, {
      'index.search.concurrent_segment_search.mode': slices === 1 ? 'none' : 'all',
      'index.search.concurrent.max_slice_count': Math.max(2, slices),
    })
    for (const [mode, choose] of Object.entries(chosen))
      for (const filter of [null, 'x', 'z']) {
        const values = new Map<string, number>()
        for (const [key, { a }] of documents) {
          const met = a.filter(({ k }) => filter === null || k.includes(filter))
          values.set(key, met.length === 0 ? 0 : choose(...met.map(({ n }) => n)))
        }
        const nested = {
          path: 'a',
          ...(filter === null ? {} : { filter: { term: { 'a.k': filter } } }),
        }
        const sort = [{ 'a.n': { mode, order: 'desc', missing: 0, nested } }]
        for (const profile of [false, true]) {
          const { json } = await rest.call(`POST /${name}/_search?size=100`, { sort, profile })
          const hits: { _id: string; sort: number[] }[] = json.hits.hits
          expect(hits.length).toBe(documents.size)
          for (const hit of hits) expect(hit.sort).toEqual([values.get(hit._id)])
          const order = hits.map(hit => hit.sort[0]!)
          expect(order).toEqual([...order].sort((a, b) => b - a))
        }
      }
  }
}

function sumOf(...values: number[]): number {
  return values.reduce((sum, each) => sum + each, 0)
}

describe('nested documents through the life of an index', () => {
  it.each(['none', 'field:k', 'bisection'])(
    'match as a plain reading says, merged in the order [%s]',
    async order => {
      const rest = await openRest()
      let run = 0
      try {
        await fc.assert(
          fc.asyncProperty(
            fc.array(step, { minLength: 5, maxLength: 40 }),
            fc.array(condition('', 3), { minLength: 8, maxLength: 8 }),
            async (steps, conditions) => {
              const name = `i${run++}`
              await rest.call(`PUT /${name}`, {
                settings: {
                  'index.refresh_interval': '-1',
                  ...(order === 'none' ? {} : { 'index.lamella.reorder': order }),
                },
                mappings: MAPPINGS,
              })
              const documents = await live(rest, name, steps)
              for (const each of conditions) {
                const query = queryOf(each, '')
                const found = await rest.call(`POST /${name}/_search?size=100`, { query })
                const ids = found.json.hits.hits.map((hit: { _id: string }) => hit._id).sort()
                const expected = [...documents]
                  .filter(([, document]) => meets(each, '', document))
                  .map(([key]) => key)
                expect(ids, JSON.stringify(query)).toEqual(expected.sort())
                expect(found.json.hits.total.value).toBe(expected.length)
              }
              // The sum of `n` over all objects, as a score.
              const sums = await rest.call(`POST /${name}/_search?size=100`, {
                query: {
                  nested: {
                    path: 'a',
                    score_mode: 'sum',
                    query: {
                      bool: {
                        should: Array.from({ length: 9 }, (_, i) => ({
                          constant_score: { filter: { term: { 'a.n': i + 1 } }, boost: i + 1 },
                        })),
                      },
                    },
                  },
                },
              })
              for (const hit of sums.json.hits.hits)
                expect(hit._score).toBe(documents.get(hit._id)!.a.reduce((all, a) => all + a.n, 0))
              await checkSorts(rest, name, documents)
              const kept = [...documents.values()].reduce(
                (count, { a }) =>
                  count + 1 + a.length + a.reduce((all, { b }) => all + b.length, 0),
                0,
              )
              const stats = await rest.call(`GET /${name}/_stats/docs`)
              expect(stats.json._all.primaries.docs.count).toBe(kept)
              await rest.call(`DELETE /${name}`)
            },
          ),
          { seed: 11, numRuns: 25 },
        )
      } finally {
        await rest.close()
      }
    },
  )
})

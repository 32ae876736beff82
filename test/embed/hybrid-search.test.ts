import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Database, type HybridScoring, type Index, open, t } from '../../src/index.ts'

const mapping = t.index({ title: t.text(), tag: t.keyword(), v: t.vector(2) })
let db: Database
let books: Index<(typeof mapping)['document']>

beforeAll(async () => {
  db = await open()
  books = await db.index('books', mapping)
  const at = (x: number, y: number): Float32Array => Float32Array.of(x, y)
  await books.bulk(
    [
      { id: 'a', source: { title: 'whale', tag: 'x', v: at(0, 3) } },
      { id: 'b', source: { title: 'whale ship ship', tag: 'y', v: at(0, 1) } },
      { id: 'c', source: { title: 'ship', tag: 'x', v: at(0, 0) } },
    ],
    { refresh: true },
  )
})
afterAll(() => db.close())

const whale = { match: { title: 'whale' } }
const near = { knn: { v: { vector: Float32Array.of(0, 0), k: 3 } } }

/** Ids and scores of a hybrid search of the two queries. */
async function scored(scoring?: HybridScoring): Promise<[string, number][]> {
  const hybrid = scoring === undefined ? [whale, near] : { queries: [whale, near], scoring }
  const { hits } = await books.search({ hybrid })
  return hits.map(({ id, score }) => [id, score!])
}

describe('a hybrid search', () => {
  it('scales each list from its least to its greatest and averages them', async () => {
    // Words: a 1, b the least. Vectors: 1 / (1 + d²) = 0.1, 0.5, 1.
    const a = Math.fround(Math.fround(1 + Math.fround(0.001)) / 2)
    const found = await scored()
    expect(found.map(([id]) => id)).toEqual(['a', 'c', 'b'])
    expect(Math.fround(found[0]![1])).toBe(a)
    expect(found[1]).toEqual(['c', 0.5])
    expect(found[2]![1]).toBeCloseTo((0.001 + 0.4 / 0.9) / 2, 6)
  })

  it('takes weights, combinations and bounds', async () => {
    const weights = [0, 1]
    const min = await scored({ technique: 'min_max', weights })
    expect(min.map(([id]) => id)).toEqual(['c', 'b', 'a'])
    expect(min[0]![1]).toBe(1)
    const geometric = await scored({
      technique: 'min_max',
      combination: 'geometric_mean',
      lowerBounds: [{ mode: 'ignore' }, { mode: 'apply', minScore: 0 }],
      upperBounds: [{}, { mode: 'clip', maxScore: 0.5 }],
      weights: [0.5, 0.5],
    })
    expect(geometric.find(([id]) => id === 'c')![1]).toBe(1)
    const l2 = await scored({ technique: 'l2', combination: 'harmonic_mean' })
    const norm = Math.sqrt(0.1 ** 2 + 0.5 ** 2 + 1)
    expect(l2.find(([id]) => id === 'c')![1]).toBeCloseTo(1 / norm, 6)
    expect(await scored({ technique: 'z_score', weights: [0.4, 0.6] })).toHaveLength(3)
  })

  it('goes by ranks', async () => {
    const found = await scored({ technique: 'rrf', rankConstant: 1 })
    expect(found.map(([id]) => id)).toEqual(['a', 'b', 'c'])
    expect(found[0]![1]).toBeCloseTo(1 / 2 + 1 / 4, 6)
    expect(found[1]![1]).toBeCloseTo(1 / 3 + 1 / 3, 6)
    expect(found[2]![1]).toBeCloseTo(1 / 2, 6)
    const weighted = await scored({ technique: 'rrf', weights: [0, 1] })
    expect(weighted[0]).toEqual(['c', 0.016393442])
  })

  it('takes a filter and a depth', async () => {
    const hybrid = { queries: [whale, near], filter: { term: { tag: 'x' } }, paginationDepth: 10 }
    const { hits, total } = await books.search({ hybrid, from: 1 })
    expect(hits.map(({ id }) => id)).toEqual(['c'])
    expect(total).toEqual({ value: 2, relation: 'eq' })
    await expect(
      books.search({ hybrid: { queries: [whale], paginationDepth: 0 } }),
    ).rejects.toThrow('pagination_depth should be greater than 0')
  })

  it('is refused beside what it stands for, and with options that are none', async () => {
    const refused = async (request: object): Promise<string> => {
      const error: unknown = await books.search(request).catch((each: unknown) => each)
      expect(error).toMatchObject({ type: expect.any(String), status: 400 })
      return (error as Error).message
    }
    const scoring = { technique: 'l2' }
    expect(await refused({ query: whale, hybrid: [whale] })).toContain(
      '[query] and [hybrid] cannot both be given',
    )
    const both = { searchPipeline: '_none', hybrid: { queries: [whale], scoring } }
    expect(await refused(both)).toContain('[searchPipeline] and [scoring] of [hybrid] cannot both')
    expect(await refused({ hybrid: { query: whale } })).toContain(
      'unknown option of hybrid [query]',
    )
    expect(await refused({ hybrid: 'x' })).toContain('[hybrid] must be an object')
    expect(await refused({ hybrid: [] })).toContain("requires 'queries' field")
    const technique = { queries: [whale], scoring: { technique: 'max' } }
    expect(await refused({ hybrid: technique })).toContain(
      '[technique] must be one of [min_max, l2, z_score, rrf], found [max]',
    )
    const option = { queries: [whale], scoring: { technique: 'z_score', combination: 'x' } }
    expect(await refused({ hybrid: option })).toContain('unknown option of z_score [combination]')
    const bound = { technique: 'min_max', lowerBounds: [{ maxScore: 1 }] }
    expect(await refused({ hybrid: { queries: [whale], scoring: bound } })).toContain(
      'unknown option of a lower bound [maxScore]',
    )
    const weights = { technique: 'rrf', weights: [1, 1] }
    expect(await refused({ hybrid: { queries: [whale], scoring: weights } })).toContain(
      'sum of weights for combination must be equal to 1.0',
    )
  })

  it('may stand beside a pipeline where it asks for no scoring', async () => {
    const searchPipeline = { response_processors: [{ truncate_hits: { target_size: 1 } }] }
    const { hits } = await books.search({ hybrid: [whale, near], searchPipeline })
    expect(hits).toHaveLength(1)
  })
})

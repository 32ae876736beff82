import type { PlainSource } from '../collection.ts'
import { oneOf, type PlainKind } from '../kind.ts'

interface Body {
  readonly from: number
  readonly size: number
  readonly sort: readonly [
    { readonly w: { readonly order: 'asc' | 'desc'; readonly missing: 2 } },
    object,
  ]
  readonly _source: readonly ['id']
}

/** `top_hits` of documents, in an order without ties. */
export const topHits: PlainKind<Body> = {
  buckets: 'none',
  fits: ({ path }) => path === '',
  draw: ({ random }) => ({
    from: random.below(2),
    size: 1 + random.below(4),
    sort: [{ w: { order: oneOf(random, ['asc', 'desc']), missing: 2 } }, { id: 'desc' }],
    _source: ['id'],
  }),
  answer({ from, size, sort: [first] }, rows) {
    const sign = first.w.order === 'asc' ? 1 : -1
    const rank = ({ w = 2 }: PlainSource): number => sign * w
    const sorted = rows
      .map(({ document }) => document.source)
      .sort((a, b) => rank(a) - rank(b) || (a.id < b.id ? 1 : -1))
    return {
      hits: {
        total: { value: sorted.length, relation: 'eq' },
        max_score: null,
        hits: sorted.slice(from, from + size).map(({ id, w = 2 }) => ({
          _index: 'i',
          _id: id,
          _score: null,
          _source: { id },
          sort: [w, id],
        })),
      },
    }
  },
}

/** Aggregations over joined documents computed from the documents themselves: the oracle of random trees. */
import fc from 'fast-check'

/** A document of the relations p → c, d and c → g. */
export interface JoinedDocument {
  readonly id: string
  readonly relation: 'p' | 'c' | 'd' | 'g'
  /** Null: it has none. */
  readonly parent: string | null
  readonly k: string
  readonly n: number
  /** `_doc_count`; null: none is given. */
  readonly count: number | null
}

/** A request's aggregations. */
export interface JoinTree {
  readonly [name: string]: JoinAgg
}

/** One of them; terms may be ordered by a join below them. */
export interface JoinAgg {
  readonly kind: 'children' | 'parent' | 'terms' | 'filter' | 'sum'
  readonly type: 'c' | 'd' | 'g'
  readonly order: 'count' | 'join' | 'sum'
  readonly size: number
  readonly below: JoinTree
}

/** Random trees. */
export const joinTrees: fc.Arbitrary<JoinTree> = fc.letrec<{ tree: JoinTree; agg: JoinAgg }>(
  tie => ({
    tree: fc.dictionary(fc.constantFrom('a', 'b'), tie('agg'), {
      minKeys: 1,
      maxKeys: 2,
      noNullPrototype: true,
    }),
    agg: fc.record({
      kind: fc.constantFrom('children', 'parent', 'terms', 'filter', 'sum', 'children', 'parent'),
      type: fc.constantFrom('c' as const, 'c' as const, 'd' as const, 'g' as const),
      order: fc.constantFrom('count' as const, 'join' as const, 'sum' as const),
      size: fc.constantFrom(1, 2, 100),
      below: fc.option(tie('tree'), { depthSize: 'small', maxDepth: 3, nil: {} }),
    }) as fc.Arbitrary<JoinAgg>,
  }),
).tree

/** The name of a join directly below, by which terms may be sorted. */
function joinBelow({ below }: JoinAgg): string | null {
  const found = Object.entries(below).find(
    ([, { kind }]) => kind === 'children' || kind === 'parent',
  )
  return found?.[0] ?? null
}

/** The path of a sum below that join. */
function sumBelow(agg: JoinAgg): string | null {
  const name = joinBelow(agg)
  if (name === null) return null
  const found = Object.entries(agg.below[name]!.below).find(([, { kind }]) => kind === 'sum')
  return found === undefined ? null : `${name}>${found[0]}`
}

/** A tree as a request writes it. */
export function printedTree(tree: JoinTree): object {
  return Object.fromEntries(Object.entries(tree).map(([name, agg]) => [name, printedAgg(agg)]))
}

function printedAgg(agg: JoinAgg): object {
  const { kind, type, below, size } = agg
  const aggs = Object.keys(below).length === 0 ? {} : { aggs: printedTree(below) }
  switch (kind) {
    case 'children':
    case 'parent':
      return { [kind]: { type }, ...aggs }
    case 'filter':
      return { filter: { term: { k: 'k1' } }, ...aggs }
    case 'sum':
      return { sum: { field: 'n' } }
    case 'terms': {
      const path = pathOf(agg)
      const order = path === null ? {} : { order: { [path]: 'desc' } }
      return { terms: { field: 'k', size, shard_size: 100, ...order }, ...aggs }
    }
  }
}

function pathOf(agg: JoinAgg): string | null {
  if (agg.order === 'count') return null
  return agg.order === 'join' ? joinBelow(agg) : sumBelow(agg)
}

type Printed = Record<string, unknown>

const weight = ({ count }: JoinedDocument): number => count ?? 1
const countOf = (rows: readonly JoinedDocument[]): number =>
  rows.reduce((sum, row) => sum + weight(row), 0)

const PARENT_OF = { c: 'p', d: 'p', g: 'c' } as const

/** The documents of the other side of a join, each once. */
function tied(
  kind: 'children' | 'parent',
  type: 'c' | 'd' | 'g',
  rows: readonly JoinedDocument[],
  live: readonly JoinedDocument[],
): readonly JoinedDocument[] {
  if (kind === 'children') {
    const ids = new Set(rows.filter(row => row.relation === PARENT_OF[type]).map(({ id }) => id))
    return live.filter(row => row.relation === type && ids.has(row.parent!))
  }
  const ids = new Set(rows.filter(row => row.relation === type).map(row => row.parent))
  return live.filter(row => row.relation === PARENT_OF[type] && ids.has(row.id))
}

/** The expected answer of a tree. @param live all documents */
export function expectedTree(
  tree: JoinTree,
  rows: readonly JoinedDocument[],
  live: readonly JoinedDocument[],
): Printed {
  return Object.fromEntries(
    Object.entries(tree).map(([name, agg]) => [name, expectedAgg(agg, rows, live)]),
  )
}

function expectedAgg(
  agg: JoinAgg,
  rows: readonly JoinedDocument[],
  live: readonly JoinedDocument[],
): Printed {
  const { kind, type, below } = agg
  const bucket = (inner: readonly JoinedDocument[]): Printed => ({
    doc_count: countOf(inner),
    ...expectedTree(below, inner, live),
  })
  switch (kind) {
    case 'children':
    case 'parent':
      return bucket(tied(kind, type, rows, live))
    case 'filter':
      return bucket(rows.filter(({ k }) => k === 'k1'))
    case 'sum':
      return { value: rows.reduce((sum, { n }) => sum + n, 0) }
    case 'terms':
      return expectedTerms(agg, rows, bucket)
  }
}

function expectedTerms(
  agg: JoinAgg,
  rows: readonly JoinedDocument[],
  bucket: (rows: readonly JoinedDocument[]) => Printed,
): Printed {
  const path = pathOf(agg)?.split('>') ?? null
  const sortedBy = (printed: Printed): number => {
    if (path === null) return printed['doc_count'] as number
    let at = printed
    for (const name of path) at = at[name] as Printed
    return (at['value'] ?? at['doc_count']) as number
  }
  const keys = [...new Set(rows.map(({ k }) => k))].sort()
  const buckets = keys
    .map(key => ({ key, ...bucket(rows.filter(({ k }) => k === key)) }) as Printed)
    .sort((a, b) => sortedBy(b) - sortedBy(a))
  const count = (list: readonly Printed[]): number =>
    list.reduce((sum, each) => sum + (each['doc_count'] as number), 0)
  return {
    doc_count_error_upper_bound: 0,
    sum_other_doc_count: count(buckets.slice(agg.size)),
    buckets: buckets.slice(0, agg.size),
  }
}

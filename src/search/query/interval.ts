import type { IntervalQuery } from './query.ts'
import type { QueryType } from './query-type.ts'

/**
 * Documents that have an interval which lies so to a given one. An interval is a point of the plane,
 * its ends the coordinates, so that each relation is a box.
 */
export const intervalQuery: QueryType<IntervalQuery> = {
  className: ({ docValues }) => (docValues ? 'IndexOrDocValuesQuery' : 'RangeFieldQuery'),
  text({ field, lowerText, upperText, docValues }) {
    const points = `${field}:<[${lowerText} : ${upperText}]>`
    if (!docValues) return points
    const values = `BinaryDocValuesRangeQuery(fieldName=${field},from=${lowerText},to=${upperText})`
    return `IndexOrDocValuesQuery(indexQuery=${points}, dvQuery=${values})`
  },
  clauseCount: () => 1,
  mapInner: null,
  createWeight(query, builder, id, boost) {
    const { leaves, terms } = builder
    const { field, docValues } = query
    terms.use(field, 'boxes')
    if (docValues) terms.use(field, 'bytes')
    for (const leaf of leaves) builder.cost += leaf.fieldInfo(field) === null ? 0 : leaf.maxDoc
    const column = docValues ? 'bytes' : null
    return { kind: 'box', id, field, score: boost, ...cornersOf(query), column }
  },
}

/** The box of the points (from, to) whose interval has the relation. */
function cornersOf({ relation, lower, upper, endWords }: IntervalQuery): {
  lower: Uint32Array
  upper: Uint32Array
} {
  const max = 2n ** BigInt(32 * endWords) - 1n
  const corner = (from: bigint, to: bigint): Uint32Array =>
    Uint32Array.from([...wordsOf(from, endWords), ...wordsOf(to, endWords)])
  switch (relation) {
    case 'intersects':
      return { lower: corner(0n, lower), upper: corner(upper, max) }
    case 'within':
      return { lower: corner(lower, 0n), upper: corner(max, upper) }
    case 'contains':
      return { lower: corner(0n, upper), upper: corner(lower, max) }
  }
}

/** A number's words, most significant first. */
function wordsOf(value: bigint, count: number): number[] {
  return Array.from({ length: count }, (_, i) =>
    Number(BigInt.asUintN(32, value >> BigInt(32 * (count - 1 - i)))),
  )
}

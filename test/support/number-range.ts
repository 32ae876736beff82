import type { Query } from '../../src/search/query/query.ts'

/** A closed range of the long field `num`, which has points and a column. */
export function numberRange(from: number, to: number): Query {
  return {
    kind: 'pointRange',
    field: 'num',
    lower: BigInt(from),
    upper: BigInt(to),
    lowerText: `${from}`,
    upperText: `${to}`,
    indexed: true,
    docValues: true,
  }
}

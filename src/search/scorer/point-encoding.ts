import {
  sortableToDouble,
  sortableToFloat,
  sortableToHalfFloat,
} from '../../codec/doc-values/sortable.ts'

/** How a field's numbers are encoded as integers. */
export type PointEncoding = 'long' | 'unsignedLong' | 'double' | 'float' | 'halfFloat'

/** The number of a sortable integer given in halves; longs past 2⁵³ are rounded. */
export function decodePoint(hi: number, lo: number, encoding: PointEncoding): number {
  switch (encoding) {
    case 'long':
      return hi * 4294967296 + lo
    case 'unsignedLong':
      return (hi + 2147483648) * 4294967296 + lo
    case 'double':
      return sortableToDouble(hi, lo)
    case 'float':
      return sortableToFloat(lo | 0)
    case 'halfFloat':
      return sortableToHalfFloat(lo | 0)
  }
}

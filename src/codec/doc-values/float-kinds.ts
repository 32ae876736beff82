import type { FloatKind } from '../../schema/field-storage.ts'
import {
  doubleToSortable,
  floatToSortable,
  halfFloatToSortable,
  sortable,
  sortableToDouble,
  sortableToFloat,
  sortableToHalfFloat,
} from './sortable.ts'
import type { ValueKind } from './value-kind.ts'

/** Encoding of numbers of one precision as sortable 64-bit integers. */
interface FloatCode {
  /** Writes the integer to `sortable`. */
  readonly encode: (value: number) => void
  /** Decodes an integer given in halves. */
  readonly decode: (hi: number, lo: number) => number
}

/** The encodings by precision. */
export const FLOAT_KINDS: { readonly [K in FloatKind]: FloatCode } = {
  double: { encode: doubleToSortable, decode: sortableToDouble },
  float: {
    encode: value => widen(floatToSortable(value)),
    decode: (_hi, lo) => sortableToFloat(lo | 0),
  },
  half_float: {
    encode: value => widen(halfFloatToSortable(value)),
    decode: (_hi, lo) => sortableToHalfFloat(lo | 0),
  },
}

/** Whether values of the kind encode floating-point numbers. */
export function isFloatKind(kind: ValueKind): kind is FloatKind {
  return Object.hasOwn(FLOAT_KINDS, kind)
}

/** Writes a signed 32-bit integer to `sortable`. */
function widen(int: number): void {
  sortable.hi = int < 0 ? -1 : 0
  sortable.lo = int >>> 0
}

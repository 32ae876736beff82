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

/** How numbers of one precision become sortable integers of 64 bits, and numbers again. */
interface FloatCode {
  /** Puts the integer into `sortable`. */
  readonly encode: (value: number) => void
  /** The number of an integer given in halves. */
  readonly decode: (hi: number, lo: number) => number
}

/** Every precision. */
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

/** Whether values of the kind stand for floating-point numbers. */
export function isFloatKind(kind: ValueKind): kind is FloatKind {
  return Object.hasOwn(FLOAT_KINDS, kind)
}

/** Puts a signed integer of 32 bits into `sortable`. */
function widen(int: number): void {
  sortable.hi = int < 0 ? -1 : 0
  sortable.lo = int >>> 0
}

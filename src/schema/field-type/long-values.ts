/** Values that are kept as the integers that they are: whole numbers, dates, scaled numbers. */
import type { LongStorage } from '../field-storage.ts'
import { OPERATIONS, type ParsedDocument } from '../parsed-document.ts'
import type { NumericField } from './numeric-field.ts'
import type { ParsedNumber } from './parsed-number.ts'

/** Integers of 64 bits: points where they are indexed, a column where there are doc values. */
export function longStorage(field: NumericField): LongStorage {
  return {
    kind: 'longs',
    indexOptions: 'none',
    hasNorms: false,
    docValues: field.docValues ? 'numeric' : 'none',
    hasPoints: field.indexed,
  }
}

/** Adds the integer of 64 bits that was read to the document. */
export function pushLong(document: ParsedDocument, ordinal: number, number: ParsedNumber): void {
  document.push(OPERATIONS.long, ordinal, number.hi, number.lo)
}

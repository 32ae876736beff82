/** Printers of columns by the ways in which segments keep values. */
import type { MappedField } from '../../../schema/field-type/mapped-field.ts'
import { joinHalves } from '../../../search/query/point-value.ts'
import type { Leaf } from '../../../segment/leaf.ts'
import type { JsonValue } from '../../../util/json/json-value.ts'
import type { ColumnPrinter } from './field-value.ts'

type NumericColumn = NonNullable<ReturnType<Leaf['numericValues']>>

const NONE: readonly JsonValue[] = []

/** Numbers of 64 bits, each read where the column stands at it. */
export function numbersOf(
  { name }: Pick<MappedField, 'name'>,
  print: (values: NumericColumn) => JsonValue,
): ColumnPrinter {
  return (leaf, docId) => {
    const values = leaf.numericValues(name)
    if (values?.advanceExact(docId) !== true) return NONE
    return Array.from({ length: values.valueCount() }, (_, i) => {
      values.select(i)
      return print(values)
    })
  }
}

/** Whole numbers of 64 bits. */
export function longsOf(
  field: Pick<MappedField, 'name'>,
  print: (value: bigint) => JsonValue,
): ColumnPrinter {
  return numbersOf(field, values => print(joinHalves(values.hi(), values.lo())))
}

/** Terms by their ordinals. */
export function termsOf(
  { name }: Pick<MappedField, 'name'>,
  print: (term: Uint8Array) => JsonValue,
): ColumnPrinter {
  return (leaf, docId) => termsAt(leaf.ordinals(name), leaf.terms(name), docId, print)
}

/** The terms of one document, ascending; none where the leaf has neither of the two. */
export function termsAt(
  ordinals: ReturnType<Leaf['ordinals']>,
  terms: ReturnType<Leaf['terms']>,
  docId: number,
  print: (term: Uint8Array) => JsonValue,
): readonly JsonValue[] {
  if (terms === null || ordinals?.advanceExact(docId) !== true) return NONE
  return Array.from({ length: ordinals.valueCount() }, (_, i) =>
    print(terms.termOfOrd(ordinals.ord(i))),
  )
}

/** Byte strings. */
export function bytesOf(
  { name }: Pick<MappedField, 'name'>,
  print: (value: Uint8Array) => JsonValue,
): ColumnPrinter {
  return (leaf, docId) => {
    const values = leaf.bytes(name)
    if (values?.advanceExact(docId) !== true) return NONE
    return Array.from({ length: values.valueCount() }, (_, i) => print(values.value(i)))
  }
}

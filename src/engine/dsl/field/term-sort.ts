/** Levels of a sort by fields whose values are texts, most of them as ordinals of terms. */
import type { MappedField } from '../../../schema/field-type/mapped-field.ts'
import type { SortKey } from '../../../search/sort/sort-key.ts'
import type { TermFrequencyFilter } from '../../../segment/uninvert.ts'
import { assert } from '../../../util/assert.ts'
import { decodeUtf8, encodeUtf8 } from '../../../util/bytes.ts'
import { shardError } from '../query-context.ts'
import { checkDocValues } from './number-sort.ts'
import type { ParsedSort, ResolvedSort } from './sort-level.ts'

/** How the terms of a type stand in requests and answers. */
export interface TermForm {
  /** @throws {EngineError} the text stands for no term of the type */
  readonly read: (text: string) => Uint8Array
  readonly print: (term: Uint8Array) => string
}

/** Terms that are their text in UTF-8. */
export const TEXT_TERMS: TermForm = { read: encodeUtf8, print: decodeUtf8 }

/**
 * A level by the order of a field's terms.
 * @throws {EngineError} the field has no doc values, or the level asks for numbers
 */
export function termSort(
  field: MappedField & { readonly docValues: boolean },
  level: ParsedSort,
  form: TermForm,
): ResolvedSort {
  checkDocValues(field)
  return byColumn(field, level, form)
}

/**
 * A level by the terms of analysed text, uninverted in memory.
 * @param fieldData the terms that count
 * @throws {EngineError} the level asks for numbers
 */
export function uninvertedSort(
  field: MappedField,
  level: ParsedSort,
  fieldData: TermFrequencyFilter,
): ResolvedSort {
  return byColumn(field, level, TEXT_TERMS, fieldData)
}

function byColumn(
  field: MappedField,
  level: ParsedSort,
  form: TermForm,
  fieldData?: TermFrequencyFilter,
): ResolvedSort {
  const mode = textMode(field, level)
  const { missing } = level
  const descending = level.order === 'desc'
  return byTerms(form, {
    kind: 'keyword',
    field: field.name,
    descending,
    missing: missing === '_first' ? 'first' : missing === '_last' ? 'last' : form.read(missing),
    mode: mode ?? (descending ? 'max' : 'min'),
    ...(fieldData === undefined ? {} : { fieldData }),
  })
}

/**
 * A level by those terms of a field that begin alike.
 * @param prefix left out of the values that print, and put before those that are given
 * @throws {EngineError} the level asks for numbers
 */
export function prefixedSort(field: MappedField, level: ParsedSort, prefix: string): ResolvedSort {
  const form: TermForm = {
    read: text => encodeUtf8(prefix + text),
    print: term => decodeUtf8(term).slice(prefix.length),
  }
  const { key, ...resolved } = byColumn(field, level, form)
  assert(key.kind === 'keyword', 'a level by a column has keywords')
  return { ...resolved, key: { ...key, prefix: encodeUtf8(prefix) } }
}

/** A level by a field whose value is the same in all documents of the index. */
export function constantSort(
  field: MappedField & { readonly value: string },
  level: ParsedSort,
): ResolvedSort {
  textMode(field, level)
  const value = encodeUtf8(field.value)
  const descending = level.order === 'desc'
  return byTerms(TEXT_TERMS, { kind: 'constant', field: field.name, value, descending })
}

/** A level by `_id`. */
export function idSort(field: MappedField, level: ParsedSort): ResolvedSort {
  textMode(field, level)
  return byTerms(TEXT_TERMS, { kind: 'id', descending: level.order === 'desc' })
}

/** A level by a field that the index lacks. */
export function unmappedTermSort(level: ParsedSort, form: TermForm): ResolvedSort {
  return byTerms(form, {
    kind: 'keyword',
    field: level.field,
    descending: level.order === 'desc',
    missing: level.missing === '_first' ? 'first' : 'last',
    mode: 'min',
  })
}

/**
 * The value that counts of several; null leaves it to the order.
 * @throws {EngineError} the level asks for numbers
 */
function textMode({ type }: MappedField, { numericType, mode }: ParsedSort): 'min' | 'max' | null {
  if (numericType !== null)
    throw shardError(`[numeric_type] option cannot be set on a non-numeric field, got ${type}`)
  if (mode !== null && mode !== 'min' && mode !== 'max')
    throw shardError('we only support AVG, MEDIAN and SUM on number based fields')
  return mode
}

function byTerms(form: TermForm, key: SortKey): ResolvedSort {
  return {
    key,
    read: form.read,
    print(value) {
      assert(value instanceof Uint8Array, 'a level by terms has terms')
      return form.print(value)
    },
  }
}

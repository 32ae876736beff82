/** Record, storage, values and checks that the types of whole values share. */
import { JSON_TOKENS, type JsonToken } from '../../util/json/json-reader.ts'
import type { JsonValue } from '../../util/json/json-value.ts'
import type { IndexOptions, TermStorage } from '../field-storage.ts'
import type { LeafValues } from '../leaf-values.ts'
import { mapperParsingError } from '../mapping-errors.ts'
import { OPERATIONS } from '../parsed-document.ts'
import type { AnalysisNames } from './field-kind.ts'
import { isKept, type MappedField } from './mapped-field.ts'

/** The names of the types of whole values. */
export type KeywordTypeName = 'keyword' | 'wildcard'

/** A field of whole values. */
export interface KeywordField<T extends KeywordTypeName = KeywordTypeName> extends MappedField {
  readonly type: T
  readonly docValues: boolean
  /** `none` where it is not indexed. */
  readonly indexOptions: IndexOptions
  readonly norms: boolean
  /** Null keeps values as they are. */
  readonly normalizer: string | null
  /** Longest value in UTF-16 units that is indexed. */
  readonly ignoreAbove: number
  /** Whether each match of `term` scores 1, whatever the similarity. */
  readonly scoresConstant: boolean
  /** The name of its similarity; null: the index's default. */
  readonly similarity: string | null
  /** Factor of the scores of whole terms. */
  readonly boost: number
  /** The same where the terms are looked up in the index. */
  readonly termBoost: number
  /** Whether the words of a `match` are values of their own. */
  readonly splitsQueries: boolean
  /** Stands for an explicit null; null: nothing does. */
  readonly nullValue: string | null
}

/** Storage of the field in a segment: a term for each value. */
export function keywordStorage(field: KeywordField): TermStorage {
  return {
    kind: 'terms',
    indexOptions: field.indexOptions,
    hasNorms: field.norms,
    docValues: field.docValues ? 'ordinals' : 'none',
    normalizer: field.normalizer,
  }
}

/** Adds one scalar as a value, unless it is longer than the field takes. */
export function addKeyword(
  field: KeywordField,
  ordinal: number,
  token: JsonToken,
  values: LeafValues,
): void {
  if (!isKept(field)) return
  const { nullValue, ignoreAbove } = field
  if (token === JSON_TOKENS.null) {
    if (nullValue !== null && nullValue.length <= ignoreAbove) values.addKeyword(ordinal, nullValue)
    return
  }
  values.addBytes(ordinal, token, OPERATIONS.keyword, OPERATIONS.scratchKeyword)
  const { document } = values
  const last = document.count - 1
  const from = document.a[last]!
  const to = document.b[last]!
  // A byte is never less than a UTF-16 unit, so most values need no count.
  if (to - from > ignoreAbove) {
    const isSource = document.kinds[last] === OPERATIONS.keyword
    const bytes = isSource ? document.source : document.scratch
    if (utf16Length(bytes, from, to) > ignoreAbove) document.count = last
  }
}

/**
 * Checks that the normalizer that a field names is there.
 * @throws {EngineError} `mapper_parsing_exception`
 */
export function checkNormalizer(
  name: string,
  given: ReadonlyMap<string, JsonValue>,
  names: AnalysisNames,
): void {
  const normalizer = given.get('normalizer')
  if (typeof normalizer === 'string' && !names.hasNormalizer(normalizer))
    throw mapperParsingError(`normalizer [${normalizer}] not found for field [${name}]`)
}

/** UTF-16 units of valid UTF-8: one for each sequence, two for one of four bytes. */
function utf16Length(bytes: Uint8Array, start: number, end: number): number {
  let length = 0
  for (let i = start; i < end; i++) {
    const byte = bytes[i]!
    if ((byte & 0xc0) !== 0x80) length += byte >= 0xf0 ? 2 : 1
  }
  return length
}

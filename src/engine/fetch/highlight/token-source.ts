import type { TextField } from '../../../schema/field-type/text-field.ts'
import type { FieldType } from '../../../schema/field-type.ts'
import type { Mapping } from '../../../schema/mapping.ts'
import {
  type DocumentVector,
  documentVector,
  vectorParts,
} from '../../../segment/document-vector.ts'
import { compareByteRanges, compareBytes, decodeUtf8, encodeUtf8 } from '../../../util/bytes.ts'
import type { Turn } from '../../../util/turns.ts'
import type { FetchedDocument, Reading } from '../fetch-part.ts'
import { type FieldAnalyzer, isText, tokensOf } from './field-tokens.ts'
import type { FoundTerms, Occurrence } from './found-terms.ts'
import type { Sought } from './sought.ts'

/**
 * The tokens of a document's values whose terms are looked for.
 * @param limit tokens that start behind it are left out, by offset within their value; those of vectors
 *   are all there
 */
export type TokenSource = (
  document: FetchedDocument,
  values: readonly string[],
  limit: number,
  turn: Turn,
) => Reading<FoundTerms>

/**
 * Where the tokens of a field come from: vectors where the document's segment keeps them, else its values
 * are analysed again.
 */
export function tokenSource(
  field: FieldType,
  by: FieldAnalyzer | null,
  sought: Sought,
  mapping: Mapping,
): TokenSource {
  if (!isText(field) || !keepsOffsets(field, mapping))
    return (_document, values, limit, turn) => tokensOf(values, by, sought, limit, turn)
  const wanted = [...sought.terms].map(encodeUtf8).sort(compareBytes)
  return function* ({ leaf, docId }, values, limit, turn) {
    const parts = vectorParts(leaf, field.name)
    // Segments from before there were vectors have none.
    if (parts === null || !parts.positions || !parts.offsets)
      return yield* tokensOf(values, by, sought, limit, turn)
    const vector = documentVector(leaf, field.name, docId)!
    return sought.likes.length === 0
      ? tokensOfTerms(vector, wanted)
      : tokensOfVector(vector, sought.has)
  }
}

/** Whether vectors have offsets that fit the values of sources: these are kept whole. */
function keepsOffsets({ vectors }: TextField, mapping: Mapping): boolean {
  return vectors?.offsets === true && vectors.positions && (mapping.options.source ?? null) === null
}

/** @param wanted terms, ascending by bytes */
function tokensOfTerms(vector: DocumentVector, wanted: readonly Uint8Array[]): FoundTerms {
  const found = new Map<string, readonly Occurrence[]>()
  let at = 0
  while (at < wanted.length && vector.nextTerm()) {
    let order = -1
    for (; at < wanted.length; at++) {
      const term = wanted[at]!
      order = compareByteRanges(term, 0, term.length, vector.term, 0, vector.termLength)
      if (order >= 0) break
    }
    if (order === 0 && at < wanted.length) found.set(decodeUtf8(wanted[at]!), tokensOfTerm(vector))
  }
  return found
}

function tokensOfVector(vector: DocumentVector, has: (term: string) => boolean): FoundTerms {
  const found = new Map<string, readonly Occurrence[]>()
  while (vector.nextTerm()) {
    const term = decodeUtf8(vector.term.subarray(0, vector.termLength))
    if (has(term)) found.set(term, tokensOfTerm(vector))
  }
  return found
}

function tokensOfTerm(vector: DocumentVector): readonly Occurrence[] {
  const tokens: Occurrence[] = []
  while (vector.nextToken()) {
    const { position, start, end } = vector
    tokens.push({ position, start, end })
  }
  return tokens
}

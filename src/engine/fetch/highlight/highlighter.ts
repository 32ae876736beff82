import type { FieldType } from '../../../schema/field-type.ts'
import type { Turn } from '../../../util/turns.ts'
import type { HighlightedField } from '../../dsl/search-body/highlight.ts'
import type { FetchedDocument, Reading } from '../fetch-part.ts'
import type { FieldAnalyzer } from './field-tokens.ts'
import type { Markup } from './marked-text.ts'
import type { ReadPositions, Sought } from './sought.ts'
import type { TokenSource } from './token-source.ts'

/** A field whose matches count. */
export interface MatchedField {
  readonly sought: Sought
  /** How the field's values are analysed; null: each is a token. */
  readonly by: FieldAnalyzer | null
  readonly tokens: TokenSource
}

/** A field that is highlighted, with all that does not depend on the document. */
export interface FieldToHighlight {
  /** As the hit names it: an alias keeps its name. */
  readonly name: string
  readonly field: FieldType
  readonly options: HighlightedField
  /** Min one; the field itself is the last, where it counts. */
  readonly matched: readonly MatchedField[]
  /** Whether the mapping has the index keep the offsets of tokens. */
  readonly hasOffsets: boolean
  readonly markup: Markup
  readonly index: string
  /** `index.highlight.max_analyzed_offset`. */
  readonly maxAnalyzedOffset: number
}

/**
 * Makes the fragments of a document's values; null where it has none. It yields between two steps, each
 * of which goes through all of the values, where a turn is over.
 */
export type HighlightValues = (
  document: FetchedDocument,
  values: readonly string[],
  turn: Turn,
) => Reading<readonly string[] | null>

/** A kind of highlighter. */
export interface Highlighter {
  /**
   * The effect of `matched_fields`: none; they count in place of the field, each with its own clauses; or
   * beside it, each with those of all.
   */
  readonly matchedFields: 'ignored' | 'instead' | 'beside'
  readonly positions: ReadPositions
  /** Whether a pattern of fields means such a one. */
  fits(field: FieldType): boolean
  /**
   * Prepares a field. Both this and what it makes throw an `EngineError` where field, options and
   * values do not fit.
   */
  make(field: FieldToHighlight): HighlightValues
}

/** Units of text that a step goes through in about a microsecond, and such a step's share of a turn. */
const TEXT_PER_UNIT = 64
const UNITS_PER_TURN = 2000

/**
 * Whether it is time to yield before a step that goes through a text: a long one is a turn of its own.
 * @param length of the text
 */
export function isTurnOver(turn: Turn, length: number): boolean {
  const units = length / TEXT_PER_UNIT
  return turn.isOver(units) || units > UNITS_PER_TURN
}

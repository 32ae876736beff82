import type { FieldType } from '../../../schema/field-type.ts'
import type { HighlightedField } from '../../dsl/search-body/highlight.ts'
import type { FetchedDocument } from '../fetch-part.ts'
import type { FieldAnalyzer } from './field-tokens.ts'
import type { Markup } from './marked-text.ts'
import type { Sought } from './sought.ts'

/** A field that is highlighted, with all that does not depend on the document. */
export interface FieldToHighlight {
  /** As the hit names it: an alias keeps its name. */
  readonly name: string
  readonly field: FieldType
  readonly options: HighlightedField
  readonly sought: Sought
  readonly by: FieldAnalyzer | null
  /** Whether the mapping has the index keep the offsets of tokens. */
  readonly hasOffsets: boolean
  readonly markup: Markup
  readonly index: string
  /** `index.highlight.max_analyzed_offset`. */
  readonly maxAnalyzedOffset: number
}

/** Makes the fragments of a document's values; null where it has none. */
export type HighlightValues = (
  document: FetchedDocument,
  values: readonly string[],
) => readonly string[] | null

/**
 * A kind of highlighter.
 * @throws {EngineError} of both calls: the field or its options do not fit it
 */
export interface Highlighter {
  make(field: FieldToHighlight): HighlightValues
}

import type { MappedField } from '../../../schema/field-type/mapped-field.ts'
import type { Query } from '../../../search/query/query.ts'
import type { FieldMatch } from '../match-options.ts'
import type { QueryContext } from '../query-context.ts'
import type { FieldPattern, FuzzyTerm, TermOptions } from './many-terms.ts'
import type { RangeEnd, RangeOptions } from './range-end.ts'
import type { ParsedSort, ResolvedSort } from './sort-level.ts'

/**
 * The queries and sorts of one field type. Every query throws an `EngineError` where the field is
 * kept in no way that it could be searched by, and for a text that is no value of the type.
 */
export interface FieldSearch<F extends MappedField> {
  /** Whether its values are numbers: a required clause on one gives no score that would tell hits apart. */
  readonly isNumber: boolean
  /** Whether `match` takes a text apart by itself; absent: it has one whole value, an analyzer that is named several. */
  analysesTexts?(field: F): boolean
  /** Whether `term` refuses every value; absent: it does not. Patterns of names pass over such fields. */
  readonly refusesTerms?: true
  /** Documents whose field has exactly this value, by the rules of `term`. */
  term(field: F, text: string, context: QueryContext): Query
  /** Documents whose field has one of these values; `texts` is not empty. */
  terms(field: F, texts: readonly string[], context: QueryContext): Query
  /** Documents whose field has a value between two ends, not both of them null, which is open. */
  range(
    field: F,
    lower: RangeEnd | null,
    upper: RangeEnd | null,
    options: RangeOptions,
    context: QueryContext,
  ): Query
  /** Documents that have the field. */
  exists(field: F): Query
  /**
   * Documents with a term that starts so.
   * @throws {EngineError} the type has no such terms, or the cluster forbids the query
   */
  prefix(field: F, prefix: string, options: TermOptions, context: QueryContext): Query
  /**
   * Documents with a term that a pattern matches.
   * @throws {EngineError} the type has no such terms, the cluster forbids the query, or the pattern
   * is not well formed or too complex
   */
  pattern(field: F, pattern: FieldPattern, options: TermOptions, context: QueryContext): Query
  /**
   * Documents with a term that differs by a few edits.
   * @throws {EngineError} the type has no such terms, or the cluster forbids the query
   */
  fuzzy(field: F, fuzzy: FuzzyTerm, context: QueryContext): Query
  /** The query of `match` and its kin. */
  match(field: F, match: FieldMatch, context: QueryContext): Query
  /**
   * A level of a sort by the field.
   * @throws {EngineError} it cannot be sorted by, or not so
   */
  sort(field: F, level: ParsedSort): ResolvedSort
  /** A level by a field that the index lacks, whose `unmapped_type` is the type. */
  unmappedSort(level: ParsedSort): ResolvedSort
}

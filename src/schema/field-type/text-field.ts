/** Record, storage, values and checks that the types of analysed text share. */
import { JSON_TOKENS, type JsonToken } from '../../util/json/json-reader.ts'
import type { JsonValue } from '../../util/json/json-value.ts'
import type { IndexOptions, TokenStorage, TokenTail, VectorParts } from '../field-storage.ts'
import type { LeafValues } from '../leaf-values.ts'
import { mapperParsingError } from '../mapping-errors.ts'
import { OPERATIONS } from '../parsed-document.ts'
import type { AnalysisNames } from './field-kind.ts'
import type { MappedField } from './mapped-field.ts'
import type { ParameterValues } from './parameter-values.ts'

/** The names of the types of analysed text. */
export type TextTypeName = 'text' | 'match_only_text' | 'search_as_you_type'

/** A derived field that holds the beginnings of a field's words, so that prefixes are terms. */
export interface PrefixField {
  readonly name: string
  /** Shortest and longest beginning, in code points. */
  readonly min: number
  readonly max: number
}

/** A derived field that holds as many words in a row as one term, so that phrases are shorter. */
export interface ShingleField {
  readonly name: string
  readonly size: number
}

/** A field of analysed text. */
export interface TextField<T extends TextTypeName = TextTypeName> extends MappedField {
  readonly type: T
  /** `none` where it is not indexed. */
  readonly indexOptions: IndexOptions
  readonly norms: boolean
  /** Name of the index analyzer, null for the index default. */
  readonly analyzer: string | null
  /** Those of searches, null for the one above. */
  readonly searchAnalyzer: string | null
  readonly searchQuoteAnalyzer: string | null
  /** Positions between two values of one document. */
  readonly positionIncrementGap: number
  /** How a derived field changes the analyzer's tokens; null: they are its terms. */
  readonly tail: TokenTail | null
  /** Tokens by document, with vectors of terms or offsets; null: none are kept. */
  readonly vectors: VectorParts | null
  /** Whether each word that matches scores 1, whatever its frequency. */
  readonly scoresConstant: boolean
  /** The name of its similarity; null: the index's default. */
  readonly similarity: string | null
  /** Factor of the scores of words that are looked up as they are. */
  readonly boost: number
  /** Null without one. */
  readonly prefixes: PrefixField | null
  /** By ascending size. */
  readonly shingles: readonly ShingleField[]
}

/** A field of analysed text from the parameters that its types share, without derived fields. */
export function textField<T extends TextTypeName>(
  type: T,
  name: string,
  values: ParameterValues,
): TextField<T> {
  const indexed = values.flag('index')
  const indexOptions = values.text('index_options')
  return {
    name,
    type,
    indexed,
    parameters: values.given,
    // Offsets are kept by document.
    indexOptions: !indexed
      ? 'none'
      : indexOptions === 'offsets'
        ? 'positions'
        : (indexOptions as IndexOptions),
    norms: indexed && values.flag('norms'),
    analyzer: values.text('analyzer'),
    searchAnalyzer: values.text('search_analyzer'),
    searchQuoteAnalyzer: values.text('search_quote_analyzer'),
    positionIncrementGap: values.number('position_increment_gap', 100),
    tail: null,
    vectors: indexed ? vectorParts(values.text('term_vector'), indexOptions) : null,
    scoresConstant: false,
    similarity: values.text('similarity'),
    boost: 1,
    prefixes: null,
    shingles: [],
  }
}

function vectorParts(termVector: string | null, indexOptions: string | null): VectorParts | null {
  const vectors = termVector ?? 'no'
  if (vectors === 'no')
    return indexOptions === 'offsets' ? { positions: true, offsets: true, payloads: false } : null
  return {
    positions: vectors.includes('positions'),
    offsets: vectors.includes('offsets'),
    payloads: vectors.includes('payloads'),
  }
}

/** A field derived from another one: under a name of its own, with what the tail makes of its tokens. */
export function derivedText<T extends TextTypeName>(
  field: TextField<T>,
  name: string,
  tail: TokenTail,
): TextField<T> {
  return { ...field, name, tail, vectors: null, parameters: new Map(), shingles: [], boost: 1 }
}

/** Storage of the field in a segment: terms of an analyzer. */
export function tokenStorage(field: TextField): TokenStorage {
  return {
    kind: 'tokens',
    indexOptions: field.indexOptions,
    hasNorms: field.norms,
    docValues: 'none',
    analyzer: field.analyzer,
    positionIncrementGap: field.positionIncrementGap,
    isGapGiven: field.parameters.has('position_increment_gap'),
    tail: field.tail,
    vectors: field.vectors,
  }
}

/** Adds one scalar as text to be analysed; null is none. */
export function addText(
  field: TextField,
  ordinal: number,
  token: JsonToken,
  values: LeafValues,
): void {
  if (token !== JSON_TOKENS.null && field.indexed)
    values.addBytes(ordinal, token, OPERATIONS.text, OPERATIONS.scratchText)
}

/**
 * Checks the analyzers that a field names.
 * @throws {EngineError} `mapper_parsing_exception`: there is none of that name, or one lacks another
 */
export function checkAnalyzers(
  name: string,
  given: ReadonlyMap<string, JsonValue>,
  names: AnalysisNames,
): void {
  const analyzer = given.get('analyzer') ?? null
  const searchAnalyzer = given.get('search_analyzer') ?? null
  const quoteAnalyzer = given.get('search_quote_analyzer') ?? null
  if (quoteAnalyzer !== null && (searchAnalyzer === null || analyzer === null))
    throw mapperParsingError(
      `analyzer and search_analyzer on field [${name}] must be set when ` +
        'search_quote_analyzer is set',
    )
  if (searchAnalyzer !== null && analyzer === null)
    throw mapperParsingError(`analyzer on field [${name}] must be set when search_analyzer is set`)
  for (const used of [analyzer, searchAnalyzer, quoteAnalyzer]) {
    if (typeof used === 'string' && !names.hasAnalyzer(used))
      throw mapperParsingError(`analyzer [${used}] has not been configured in mappings`)
  }
}

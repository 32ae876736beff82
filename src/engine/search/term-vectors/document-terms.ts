/** Terms of a document's fields, made again of its values as the index made them. */
import type { Analyzer } from '../../../analysis/analyzer/analyzer.ts'
import { normalizeText } from '../../../analysis/normalizer.ts'
import type { AnalysisRegistry } from '../../../analysis/registry.ts'
import type { TokenTail } from '../../../schema/field-storage.ts'
import type { KeywordField } from '../../../schema/field-type/keyword-field.ts'
import type { TextField } from '../../../schema/field-type/text-field.ts'
import type { DocumentVector } from '../../../segment/document-vector.ts'
import { compareBytes, decodeUtf8, encodeUtf8 } from '../../../util/bytes.ts'
import { tailTokens } from '../../dsl/tail-tokens.ts'

/** A field whose values have terms by an analyzer or a normalizer. */
export type VectorField = TextField | KeywordField

/** Where a term stands. */
export interface TermToken {
  readonly position: number
  readonly startOffset: number
  readonly endOffset: number
  readonly payload: Uint8Array | null
}

/** A term of a document's field. */
export interface DocumentTerm {
  readonly term: string
  readonly freq: number
  readonly tokens: readonly TermToken[]
}

/** Positions between two values where neither mapping nor analyzer tells. */
const DEFAULT_GAP = 100

/**
 * The terms of a field's values, in the order of their bytes.
 * @param override name of an analyzer in place of the field's own; one that there is not stands for
 *   the default; null: the field's own
 */
export function documentTerms(
  field: VectorField,
  values: readonly string[],
  analysis: AnalysisRegistry,
  override: string | null,
): readonly DocumentTerm[] {
  const terms = new TermCollector()
  if (override !== null) {
    const analyzer = analysis.analyzer(override) ?? analysis.defaultAnalyzer
    const gap = analyzer.isCustom ? analyzer.positionIncrementGap : DEFAULT_GAP
    for (const value of values) terms.addText(analyzer, gap, value, null)
  } else if ('normalizer' in field) {
    const normalizer = field.normalizer === null ? null : analysis.normalizer(field.normalizer)
    for (const value of values)
      terms.addWhole(normalizer === null ? value : normalizeText(normalizer, value), value.length)
  } else {
    const analyzer = analysis.analyzer(field.analyzer ?? '') ?? analysis.defaultAnalyzer
    const isOwnGap = analyzer.isCustom && !field.parameters.has('position_increment_gap')
    const gap = isOwnGap ? analyzer.positionIncrementGap : field.positionIncrementGap
    for (const value of values) terms.addText(analyzer, gap, value, field.tail)
  }
  return terms.sorted()
}

/** The terms of a document's field as its segment keeps them. */
export function storedTerms(vector: DocumentVector): readonly DocumentTerm[] {
  const terms: DocumentTerm[] = []
  while (vector.nextTerm()) {
    const term = decodeUtf8(vector.term.subarray(0, vector.termLength))
    const { freq } = vector
    const tokens: TermToken[] = []
    while (vector.nextToken()) {
      const { position, start: startOffset, end: endOffset, payload } = vector
      tokens.push({ position, startOffset, endOffset, payload: payload?.slice() ?? null })
    }
    terms.push({ term, freq, tokens })
  }
  return terms
}

/** Collects the tokens of a field by term; positions and offsets run on from value to value. */
class TermCollector {
  readonly #terms = new Map<string, { freq: number; tokens: TermToken[] }>()
  #position = -1
  #offset = 0

  /** @param tail how a derived field makes its terms of the tokens; null: they are the terms */
  addText(analyzer: Analyzer, gap: number, text: string, tail: TokenTail | null): void {
    const { tokens, trailingIncrement, endOffset } = analyzer.tokens(text)
    const before = this.#position
    for (const {
      term,
      positionIncrement,
      startOffset,
      endOffset,
      payload,
      termFrequency,
    } of tail === null ? tokens : tailTokens(tokens, tail)) {
      this.#position += positionIncrement
      this.#add(term, termFrequency, startOffset, endOffset, payload)
    }
    // Rows of words start before the last word.
    this.#position = tokens.reduce((sum, each) => sum + each.positionIncrement, before)
    this.#position += trailingIncrement + gap
    this.#offset += endOffset + 1
  }

  /** A value that is one term. */
  addWhole(term: string, length: number): void {
    this.#position++
    this.#add(term, 1, 0, length, null)
    this.#offset += length + 1
  }

  /** Offsets are those within the value. */
  #add(
    term: string,
    freq: number,
    startOffset: number,
    endOffset: number,
    payload: Uint8Array | null,
  ): void {
    let entry = this.#terms.get(term)
    if (entry === undefined) this.#terms.set(term, (entry = { freq: 0, tokens: [] }))
    entry.freq += freq
    entry.tokens.push({
      position: this.#position,
      startOffset: this.#offset + startOffset,
      endOffset: this.#offset + endOffset,
      payload,
    })
  }

  sorted(): readonly DocumentTerm[] {
    return [...this.#terms]
      .map(([term, entry]) => ({ term, bytes: encodeUtf8(term), ...entry }))
      .sort((a, b) => compareBytes(a.bytes, b.bytes))
  }
}

import type { Analyzer } from '../../../analysis/analyzer/analyzer.ts'
import type { AnalysisRegistry } from '../../../analysis/registry.ts'
import type { TokenTail } from '../../../schema/field-storage.ts'
import type { MappedField } from '../../../schema/field-type/mapped-field.ts'
import type { TextField } from '../../../schema/field-type/text-field.ts'
import type { Turn } from '../../../util/turns.ts'
import type { Reading } from '../fetch-part.ts'
import type { FoundTerms, Occurrence } from './found-terms.ts'
import { RunFilter, type VisitToken, visitPlainWords } from './plain-words.ts'
import type { Sought } from './sought.ts'
import { TailStream, type ValueStream } from './tail-stream.ts'
import { canSearch, searchWords } from './word-search.ts'

/** Units of text that are gone through between two looks at the clock. */
const STRETCH = 65_536
/** Units of text that are gone through in about a microsecond. */
const TEXT_PER_UNIT = 64
/** Tokens of a stream between two looks at the clock; one takes about a microsecond. */
export const TOKENS_PER_LOOK = 256

/** How the values of a field become tokens; null: each is one. */
export interface FieldAnalyzer {
  readonly analyzer: Analyzer
  /** Positions between two values. */
  readonly gap: number
  /** Filter of a derived field over the analyzer's tokens; null: the tokens are its terms. */
  readonly tail: TokenTail | null
}

/** The analyzer of a field's values; null: each of them is a token. */
export function fieldAnalyzer(
  field: MappedField,
  analysis: AnalysisRegistry,
): FieldAnalyzer | null {
  if (!isText(field)) return null
  const analyzer = analysis.analyzer(field.analyzer ?? '') ?? analysis.defaultAnalyzer
  const isOwnGap = analyzer.isCustom && !field.parameters.has('position_increment_gap')
  const gap = isOwnGap ? analyzer.positionIncrementGap : field.positionIncrementGap
  return { analyzer, gap, tail: field.tail }
}

/** The tokens of one value: read them before asking for those of the next. */
export function valueStream({ analyzer, tail }: FieldAnalyzer, text: string): ValueStream {
  return tail === null ? analyzer.stream(text) : new TailStream(analyzer, text, tail)
}

/** Whether a field's values are analysed text. */
export function isText(field: MappedField): field is TextField {
  return 'positionIncrementGap' in field
}

/**
 * The tokens of values whose terms are looked for. Offsets run on from value to value, with one unit
 * between two; positions tell distances alone where no more is read.
 * @param limit tokens that start behind it are left out, by offset within their value
 */
export function* tokensOf(
  values: readonly string[],
  by: FieldAnalyzer | null,
  sought: Pick<Sought, 'has' | 'terms' | 'likes' | 'reach'>,
  limit: number,
  turn: Turn,
): Reading<FoundTerms> {
  const { has, terms, likes, reach } = sought
  const found = new Map<string, Occurrence[]>()
  let offset = 0
  const add = (term: string, position: number, start: number, end: number): void => {
    if (!has(term)) return
    const occurrence = { position, start: offset + start, end: offset + end }
    const known = found.get(term)
    if (known === undefined) found.set(term, [occurrence])
    else known.push(occurrence)
  }
  const isPlain = by?.tail === null && by.analyzer.takesPlainWords
  let filter: RunFilter | null = null
  const isSearched =
    isPlain &&
    reach < Number.POSITIVE_INFINITY &&
    limit === Number.POSITIVE_INFINITY &&
    likes.length === 0 &&
    canSearch(terms)
  let position = -1
  for (const value of values) {
    const words = isSearched ? searchWords(by!.analyzer, value, terms, reach) : null
    if (words !== null) {
      for (const word of words.found)
        add(word.term, position + 1 + word.position, word.start, word.end)
      position += by!.gap + words.count
    } else if (by === null) add(value, ++position, 0, value.length)
    else if (isPlain) {
      filter ??= new RunFilter(likes.length === 0 ? terms : null)
      const cursor = { at: 0, position }
      while (cursor.at < value.length) {
        visitPlainWords(by.analyzer, value, cursor, cursor.at + STRETCH, limit, filter, add)
        if (value.length > STRETCH && turn.isOver(STRETCH / TEXT_PER_UNIT)) yield
      }
      position = by.gap + cursor.position
    } else position = by.gap + (yield* visitStream(by, value, position, limit, add, turn))
    offset += value.length + 1
  }
  return found
}

/** The same by the stream of any analyzer; returns the position of the last token, and what follows it. */
function* visitStream(
  by: FieldAnalyzer,
  text: string,
  before: number,
  limit: number,
  visit: VisitToken,
  turn: Turn,
): Reading<number> {
  const stream = valueStream(by, text)
  const { token } = stream
  let position = before
  for (let count = 1; stream.next(); count++) {
    if (count % TOKENS_PER_LOOK === 0 && turn.isOver(TOKENS_PER_LOOK)) yield
    if (token.startOffset > limit) return position
    position = Math.max(0, position + token.positionIncrement)
    visit(token.term, position, token.startOffset, Math.min(token.endOffset, text.length))
  }
  stream.end()
  return position + token.positionIncrement
}

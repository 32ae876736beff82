/**
 * `plain`: each value is analysed anew and cut into fragments of about a size; the best are those
 * with the most different terms. As Lucene's first highlighter.
 */
import { IllegalArgumentError } from '../../../util/errors.ts'
import type { Turn } from '../../../util/turns.ts'
import type { Reading } from '../fetch-part.ts'
import { type FieldAnalyzer, TOKENS_PER_LOOK, tokensOf, valueStream } from './field-tokens.ts'
import {
  type FieldToHighlight,
  type Highlighter,
  isTurnOver,
  type MatchedField,
} from './highlighter.ts'
import { checkLength } from './length-limit.ts'
import type { Markup } from './marked-text.ts'
import { type MakeCutter, SizeCutter, SpanCutter } from './plain-cutters.ts'
import { type Fragment, FragmentWriter } from './plain-fragments.ts'
import { weightedTerms } from './weighted-terms.ts'

/** See the file's header. */
export const plainHighlighter: Highlighter = {
  matchedFields: 'ignored',
  positions: 'asked',
  fits: () => true,
  make(field) {
    const { options, matched } = field
    const own = matched.at(-1)!
    const { numberOfFragments, maxAnalyzerOffset } = options
    const fragmenter = fragmenterOf(field)
    return function* (document, given, turn) {
      if (given.length === 0) return null
      const fragments: Fragment[] = []
      for (const value of given) {
        checkLength(field, value.length, document)
        const text = maxAnalyzerOffset === null ? value : value.slice(0, maxAnalyzerOffset)
        const best = yield* bestFragments(
          text,
          own,
          field.markup,
          fragmenter,
          Math.max(1, numberOfFragments),
          turn,
        )
        for (const fragment of best) if (fragment.score > 0) fragments.push(fragment)
      }
      if (options.isByScore) fragments.sort((a, b) => Math.round(b.score - a.score))
      const isAll = numberOfFragments === 0 && given.length > 1
      const shown = isAll ? fragments : fragments.slice(0, Math.max(1, numberOfFragments))
      if (shown.length > 0) return shown.map(({ text }) => text)
      const end = noMatchEnd(given[0]!, options.noMatchSize, own.by)
      return end > 0 ? [given[0]!.slice(0, end)] : null
    }
  },
}

/** @throws {IllegalArgumentError} no such fragmenter */
function fragmenterOf({ name, options }: FieldToHighlight): MakeCutter {
  const { fragmenter, fragmentSize: size, numberOfFragments } = options
  if (numberOfFragments === 0) return () => ({ isNewFragment: () => false })
  if (fragmenter === 'simple') return () => new SizeCutter(size)
  if (fragmenter === null || fragmenter === 'span')
    return (text, terms) => new SpanCutter(size, text.length, terms)
  throw new IllegalArgumentError(
    `unknown fragmenter option [${fragmenter}] for the field [${name}]`,
  )
}

/** The best fragments of a value, from the best down. */
function* bestFragments(
  text: string,
  { sought, by }: MatchedField,
  markup: Markup,
  fragmenter: MakeCutter,
  count: number,
  turn: Turn,
): Reading<readonly Fragment[]> {
  const length = text.length
  if (isTurnOver(turn, length)) yield
  const found = yield* tokensOf([text], by, sought, Number.POSITIVE_INFINITY, turn)
  if (isTurnOver(turn, length)) yield
  const terms = weightedTerms(sought, found)
  if (terms.size === 0) return []
  if (isTurnOver(turn, length)) yield
  const writer = new FragmentWriter(text, markup, fragmenter(text, terms), terms)
  if (by === null) writer.token(text, 1, 0, text.length)
  else {
    const stream = valueStream(by, text)
    const { token } = stream
    for (let count = 1; stream.next(); count++) {
      writer.token(token.term, token.positionIncrement, token.startOffset, token.endOffset)
      if (count % TOKENS_PER_LOOK === 0 && turn.isOver(TOKENS_PER_LOOK)) yield
    }
  }
  const fragments = writer.finish()
  return [...fragments].sort((a, b) => b.score - a.score || a.ord - b.ord).slice(0, count)
}

/** Where the beginning of a text ends that is shown without a match: behind a token; −1: nowhere. */
function noMatchEnd(text: string, size: number, by: FieldAnalyzer | null): number {
  if (size <= 0) return -1
  if (by === null) return text.length <= size ? text.length : -1
  const stream = valueStream(by, text)
  let end = -1
  while (stream.next()) {
    const { endOffset } = stream.token
    if (endOffset >= size) return endOffset === size ? size : end
    end = endOffset
  }
  return end
}

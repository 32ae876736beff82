import { passageBreaks, wholeValues, wordBreaks } from './break/passage-breaks.ts'
import { isText } from './field-tokens.ts'
import { type FieldToHighlight, type Highlighter, isTurnOver } from './highlighter.ts'
import { checkLength } from './length-limit.ts'
import { markedText, trimmed } from './marked-text.ts'
import { byPlace, type Mark, marksOf } from './marks.ts'
import { bestPassages, lengthOf } from './passages.ts'

/** Stands between two values of a field. */
const SEPARATOR = '\0'

/**
 * `unified`: passages of whole sentences, the best by BM25 as if each was a document. As Lucene's
 * highlighter of that name without `WEIGHT_MATCHES`: each term has tags of its own.
 */
export const unifiedHighlighter: Highlighter = {
  matchedFields: 'beside',
  positions: 'distances',
  fits: () => true,
  make(field) {
    const { options, matched } = field
    const isSought = matched.some(({ sought }) => sought.clauses.length > 0)
    const isWhole = options.numberOfFragments === 0 || !isText(field.field)
    const breaks = isWhole ? wholeValues : passageBreaks(options)
    const count = options.numberOfFragments === 0 ? 0x7fffffff : options.numberOfFragments
    const limit = options.maxAnalyzerOffset ?? Number.POSITIVE_INFINITY
    return function* (document, values, turn) {
      if (!isSought && options.noMatchSize <= 0) return null
      if (values.length === 0) return null
      if (!field.hasOffsets || options.maxAnalyzerOffset !== null)
        checkLength(field, lengthOf(values), document)
      const length = lengthOf(values)
      const lists: (readonly Mark[])[] = []
      for (const { sought, tokens } of matched) {
        if (isTurnOver(turn, length)) yield
        const found = yield* tokens(document, values, limit, turn)
        if (isTurnOver(turn, length)) yield
        lists.push(marksOf(sought, found))
        if (isTurnOver(turn, length)) yield
      }
      const marks = lists.length === 1 ? lists[0]! : lists.flat().sort(byPlace)
      const passages = yield* bestPassages(values, marks, breaks, count, turn)
      if (isTurnOver(turn, length)) yield
      const text = values.join(SEPARATOR)
      if (passages.length === 0) return noMatch(field, values, text)
      const shown = passages.flatMap(({ start, end, marks: own, score }) => {
        const fragment = trimmed(markedText(text, start, end, own, field.markup))
        return fragment === '' ? [] : [{ fragment, score }]
      })
      if (shown.length === 0) return null
      if (options.isByScore) shown.sort((a, b) => b.score - a.score)
      return shown.map(({ fragment }) => fragment)
    }
  },
}

/** The beginning of the first value that is not empty, up to the end of a word. */
function noMatch(
  { options, markup }: FieldToHighlight,
  values: readonly string[],
  text: string,
): readonly string[] | null {
  const { noMatchSize, boundaryLocale } = options
  if (noMatchSize <= 0) return null
  const first = values.findIndex(value => value !== '')
  if (first < 0) return null
  const start = first
  let end = start + values[first]!.length
  if (start + noMatchSize < end) {
    const next = wordBreaks(text, boundaryLocale).following(start + noMatchSize)
    end = next < 0 ? text.length : next
  }
  const fragment = trimmed(markedText(text, start, end, [], markup))
  return fragment === '' ? null : [fragment]
}

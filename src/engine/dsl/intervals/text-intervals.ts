/** The intervals of an analysed text. */
import { TokenGraph } from '../../../analysis/token-graph.ts'
import type { IntervalSource } from '../../../search/query/query.ts'
import type { QueryText, QueryToken } from '../query-context.ts'
import { type IntervalCombiner, type IntervalMode, NO_INTERVALS } from './combine.ts'

/**
 * The intervals of a text's words: words that were taken out lengthen the next one, words at one
 * position stand for one another, and a graph has its paths as alternatives.
 * @param maxPaths of one part of a graph
 */
export function textIntervals(
  { tokens, mayBeGraph }: QueryText,
  maxGaps: number,
  mode: IntervalMode,
  combine: IntervalCombiner,
  maxPaths: number,
): IntervalSource {
  if (tokens.length === 0) return NO_INTERVALS
  if (mayBeGraph && tokens.some(token => token.positionLength > 1)) {
    const graph = new TokenGraph(tokens)
    const segments = graph.segments()
    if (segments.length > 0) {
      const sources = segments.map(segment => {
        if (!segment.hasSidePath)
          return lengthened(combine.any(segment.tokens.map(termOf)), segment.gap)
        const paths = graph.paths(segment, maxPaths).map(path => {
          const words = path.tokens.map((token, i) =>
            lengthened(termOf(token), i === 0 ? 0 : (path.gaps[i] ?? 0)),
          )
          return combine.all(words, 0, 'ordered')
        })
        return lengthened(combine.any(paths), segment.gap)
      })
      return combine.all(sources, maxGaps, mode)
    }
  }
  const sources: IntervalSource[] = []
  let words: IntervalSource[] = []
  let gap = 0
  const close = (): void => {
    if (words.length > 0) sources.push(lengthened(combine.any(words), gap))
  }
  tokens.forEach((token, i) => {
    if (i === 0 || token.positionIncrement > 0) {
      close()
      words = []
      gap = token.positionIncrement - 1
    }
    words.push(termOf(token))
  })
  close()
  return combine.all(sources, maxGaps, mode)
}

function termOf({ term }: QueryToken): IntervalSource {
  return { kind: 'term', term }
}

function lengthened(source: IntervalSource, gap: number): IntervalSource {
  return gap > 0 ? { kind: 'extend', source, before: gap, after: 0 } : source
}

import { describe, expect, it } from 'vitest'
import { TokenGraph } from '../../src/analysis/token-graph.ts'
import { Random } from '../../src/util/random.ts'

interface Token {
  readonly term: string
  readonly positionIncrement: number
  readonly positionLength: number
}

const token = (term: string, positionIncrement = 1, positionLength = 1): Token => ({
  term,
  positionIncrement,
  positionLength,
})

/** `a[gap]` for each token of each way. */
function ways(
  graph: TokenGraph<Token>,
  segment: Parameters<TokenGraph<Token>['paths']>[0],
): string[] {
  return graph
    .paths(segment, 1000)
    .map(({ tokens, gaps }) =>
      tokens.map((each, i) => each.term + (gaps[i] ? `[${gaps[i]}]` : '')).join(' '),
    )
}

describe('TokenGraph', () => {
  it('parts a line at every token', () => {
    const graph = new TokenGraph([token('a'), token('b')])
    expect(graph.segments().map(each => each.tokens.map(t => t.term))).toEqual([['a'], ['b']])
    expect(graph.segments().map(each => each.hasSidePath)).toEqual([false, false])
  })

  it('finds side paths and what all ways pass', () => {
    const tokens = [token('x'), token('new'), token('ny', 0, 2), token('york'), token('y')]
    const graph = new TokenGraph(tokens)
    const segments = graph.segments()
    expect(segments.map(each => each.hasSidePath)).toEqual([false, true, false])
    expect(ways(graph, segments[1]!)).toEqual(['new york', 'ny'])
    expect(ways(graph, null)).toEqual(['x new york y', 'x ny y'])
  })

  it('stacked tokens of one length are no side path', () => {
    const graph = new TokenGraph([token('a'), token('b', 0)])
    const [segment] = graph.segments()
    expect(segment?.hasSidePath).toBe(false)
    expect(segment?.tokens.map(t => t.term)).toEqual(['a', 'b'])
  })

  it('keeps holes with the token behind them', () => {
    const graph = new TokenGraph([token('x'), token('new', 3), token('ny', 0, 2), token('york')])
    const [, segment] = graph.segments()
    expect(segment).toMatchObject({ gap: 2, hasSidePath: true })
    expect(ways(graph, segment!)).toEqual(['new[2] york', 'ny[2]'])
  })

  it('passes over tokens that lead nowhere', () => {
    const graph = new TokenGraph([token('a'), token('b'), token('c', 0, 2), token('d', 2)])
    expect(ways(graph, null)).toEqual(['a b d[1]'])
  })

  it('ends with one way more than are wanted', () => {
    const tokens = Array.from({ length: 40 }, (_, i) => token(`t${i}`, i % 2 === 0 ? 1 : 0))
    expect(new TokenGraph(tokens).paths(null, 100)).toHaveLength(101)
  })

  it('the ways of the segments, one behind the other, are all ways', () => {
    const random = new Random(7)
    for (let round = 0; round < 500; round++) {
      const tokens = Array.from({ length: 1 + random.below(8) }, (_, i) =>
        token(`t${i}`, i === 0 ? 1 : random.below(3), 1 + random.below(3)),
      )
      const graph = new TokenGraph(tokens)
      const all = ways(graph, null)
      const joined = graph
        .segments()
        .map(segment => ways(graph, segment))
        .reduce((before, next) => before.flatMap(a => next.map(b => `${a} ${b}`.trim())), [''])
      // Where no way leads to the end there is nothing between.
      expect(joined).toEqual(all.length === 0 ? [''] : all)
    }
  })
})

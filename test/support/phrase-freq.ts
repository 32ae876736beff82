/**
 * How often a phrase occurs in a list of tokens, by walking the tokens: exact phrases by trying
 * every start, sloppy ones by Lucene's walk, since its results are defined by that walk alone.
 */
import type { PhraseQuery } from '../../src/search/query/query.ts'

/** @param tokens by position; an empty string is a position without a token */
export function phraseFreq(query: PhraseQuery, tokens: readonly string[]): number {
  const { terms, positions, slop } = query
  if (slop > 0) return sloppyFreq(terms, positions, slop, tokens)
  let count = 0
  const first = positions[0] ?? 0
  for (let start = 0; start < tokens.length; start++)
    if (terms.every((term, i) => tokens[start + (positions[i] ?? 0) - first] === term)) count++
  return count
}

/** A term's places, less its place in the phrase; the first is the current one. */
interface Walker {
  readonly term: string
  readonly offset: number
  readonly places: number[]
}

function sloppyFreq(
  terms: readonly string[],
  positions: readonly number[],
  slop: number,
  tokens: readonly string[],
): number {
  const walkers: Walker[] = terms.map((term, i) => {
    const offset = positions[i] ?? 0
    const places = tokens.flatMap((token, position) => (token === term ? [position - offset] : []))
    return { term, offset, places }
  })
  if (walkers.some(walker => walker.places.length === 0)) return 0
  // Repeats start on successive places.
  const seen = new Map<string, number>()
  for (const walker of [...walkers].sort((a, b) => a.offset - b.offset)) {
    const repeats = seen.get(walker.term) ?? 0
    walker.places.splice(0, repeats)
    seen.set(walker.term, repeats + 1)
    if (walker.places.length === 0) return 0
  }
  const at = (walker: Walker): number => walker.places[0] ?? Number.POSITIVE_INFINITY
  let end = Math.max(...walkers.map(at))
  const inOrder = (): Walker[] =>
    [...walkers].sort(
      (a, b) => at(a) - at(b) || a.offset - b.offset || walkers.indexOf(a) - walkers.indexOf(b),
    )
  /** Moves on; false when there is no further place. */
  const move = (walker: Walker): boolean => {
    if (walker.places.length < 2) return false
    walker.places.shift()
    end = Math.max(end, at(walker))
    return true
  }
  const separate = (moved: Walker): boolean => {
    for (let walker = moved; ; ) {
      const other = walkers.find(
        each =>
          each !== walker &&
          each.term === walker.term &&
          at(each) + each.offset === at(walker) + walker.offset,
      )
      if (other === undefined) return true
      const isLower =
        at(walker) < at(other) || (at(walker) === at(other) && walker.offset < other.offset)
      if (!isLower) walker = other
      if (!move(walker)) return false
    }
  }
  let freq = 0
  for (;;) {
    let [lowest, second] = inOrder() as [Walker, Walker]
    let limit = at(second)
    let width = end - at(lowest)
    let goesOn = false
    while (move(lowest) && separate(lowest)) {
      if (at(lowest) <= limit) {
        width = Math.min(width, end - at(lowest))
        continue
      }
      if (width <= slop) {
        goesOn = true
        break
      }
      ;[lowest, second] = inOrder() as [Walker, Walker]
      limit = at(second)
      width = end - at(lowest)
    }
    if (width <= slop) freq = Math.fround(freq + Math.fround(1 / (1 + width)))
    if (!goesOn) return freq
  }
}

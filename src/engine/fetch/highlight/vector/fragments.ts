/** Fragments around the matches of a text. */
import { IllegalArgumentError } from '../../../../util/errors.ts'
import { endOf, type PhraseMatch, type Stretch, startOf } from './phrase-matches.ts'

/** A part of a text, with matches in it. */
export interface VectorFragment {
  readonly start: number
  readonly end: number
  readonly matches: readonly PhraseMatch[]
  /** Sum of the matches' weights, float32. */
  readonly weight: number
}

/** Units ahead of the first match where the request does not say. */
const DEFAULT_MARGIN = 6

/** Min size of a fragment in margins. */
const MARGINS = 3

/** One fragment with all matches. */
export function wholeText(matches: readonly PhraseMatch[]): readonly VectorFragment[] {
  if (matches.length === 0) return []
  return [fragment(0, 0x7fffffff, matches)]
}

/**
 * Fragments of a size, each with its matches in the middle.
 * @param offset units ahead of the first match while matches are gathered; −1: as usual
 * @throws {IllegalArgumentError} the size is too small for the offset
 */
export function fragmentsOf(
  matches: readonly PhraseMatch[],
  size: number,
  offset: number,
): readonly VectorFragment[] {
  const margin = offset === -1 ? DEFAULT_MARGIN : offset
  checkSize(size, margin)
  const fragments: VectorFragment[] = []
  let free = 0
  for (let at = 0; at < matches.length; ) {
    const first = matches[at++]!
    const start = startOf(first)
    if (start < free) continue
    let end = endOf(first)
    const limit = Math.max(end, Math.max(start - margin, free) + size)
    const own: PhraseMatch[] = []
    if (fits(first, end - start, size)) own.push(first)
    for (; at < matches.length && endOf(matches[at]!) <= limit; at++) {
      end = endOf(matches[at]!)
      if (fits(matches[at]!, end - start, size)) own.push(matches[at]!)
    }
    if (own.length === 0) continue
    const length = end - start
    const from = Math.max(free, start - Math.max(0, Math.trunc((size - length) / 2)))
    free = from + Math.max(length, size)
    fragments.push(fragment(from, free, own))
  }
  return fragments
}

/** @throws {IllegalArgumentError} */
function checkSize(size: number, margin: number): void {
  if (margin < 0)
    throw new IllegalArgumentError(`margin(${margin}) is too small. It must be 0 or higher.`)
  const min = Math.max(1, margin * MARGINS)
  if (size < min)
    throw new IllegalArgumentError(
      `fragCharSize(${size}) is too small. It must be ${min} or higher.`,
    )
}

/** A match of several stretches has to fit into a fragment. */
function fits({ stretches }: PhraseMatch, length: number, size: number): boolean {
  return stretches.length <= 1 || length <= size
}

function fragment(start: number, end: number, matches: readonly PhraseMatch[]): VectorFragment {
  const weight = matches.reduce((sum, each) => Math.fround(sum + each.weight), 0)
  return { start, end, matches, weight }
}

/**
 * Cuts fragments at the ends of values.
 * @param values of which the text consists, one unit apart
 */
export function withinValues(
  fragments: readonly VectorFragment[],
  values: readonly string[],
): readonly VectorFragment[] {
  const cut: VectorFragment[] = []
  // Fragments ascend: values that end ahead of one are ahead of all that follow.
  let first = 0
  let offset = 0
  for (const each of fragments) {
    while (first < values.length && offset + values[first]!.length + 1 <= each.start) {
      offset += values[first]!.length + 1
      first++
    }
    cut.push(...cutAtValues(each, values, first, offset))
  }
  return cut.sort((a, b) => a.start - b.start)
}

/** @param first value that it may lie in, which begins at `offset` */
function cutAtValues(
  whole: VectorFragment,
  values: readonly string[],
  first: number,
  offset: number,
): readonly VectorFragment[] {
  const { start, end, matches } = whole
  const cut: VectorFragment[] = []
  let valueEnd = offset
  for (let i = first; i < values.length && valueEnd < end; i++) {
    const { length } = values[i]!
    const valueStart = valueEnd
    valueEnd += length + 1
    if (length === 0) continue
    if (start >= valueStart && end <= valueEnd) return [...cut, whole]
    if (matches.length === 0) return cut
    if (start >= valueEnd || startOf(matches[0]!) >= valueEnd) continue
    const own = matches.flatMap(({ stretches, weight, ord }) => {
      const inside = stretchesIn(stretches, valueStart, valueEnd - 1)
      return inside.length === 0 ? [] : [{ stretches: inside, weight, ord }]
    })
    if (own.length === 0) continue
    const from = start > valueStart && start < valueEnd ? start : valueStart
    const to = end > valueStart && end < valueEnd ? end : valueEnd
    cut.push(fragment(from, to - 1, own))
  }
  return cut
}

function stretchesIn(stretches: readonly Stretch[], start: number, end: number): Stretch[] {
  return stretches
    .filter(each => each.start < end && each.end > start)
    .map(each => ({ start: Math.max(each.start, start), end: Math.min(each.end, end) }))
}

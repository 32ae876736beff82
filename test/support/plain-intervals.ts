/** Minimal intervals of a text by their definition: all intervals, then those that contain no other. */
import type { IntervalSource } from '../../src/search/query/query.ts'

interface Interval {
  readonly start: number
  readonly end: number
}

/** The minimal intervals of a text, by start. */
export function plainIntervals(
  source: IntervalSource,
  tokens: readonly string[],
): readonly Interval[] {
  const of = (inner: IntervalSource): readonly Interval[] => plainIntervals(inner, tokens)
  switch (source.kind) {
    case 'none':
      return []
    case 'term':
      return tokens.flatMap((token, at) => (token === source.term ? [{ start: at, end: at }] : []))
    case 'or':
      // One source alone is that source; beside others that find nothing it is one of alternatives.
      return source.sources.length === 1
        ? of(source.sources[0]!)
        : minimal(source.sources.flatMap(of))
    case 'block':
      return minimal(
        chains(source.sources.map(of), (before, next) => next.start === before.end + 1),
      )
    case 'ordered':
      return minimal(chains(source.sources.map(of), (before, next) => next.start > before.end))
    case 'unordered':
      return minimal(covers(source.sources.map(of)))
    case 'extend':
      return of(source.source).map(({ start, end }) => ({
        start: Math.max(0, start - source.before),
        end: end + source.after,
      }))
    case 'related': {
      const others = of(source.other)
      const isIn = (inner: Interval, outer: Interval): boolean =>
        inner.start >= outer.start && inner.end <= outer.end
      const meets = (a: Interval, b: Interval): boolean => a.start <= b.end && b.start <= a.end
      const holds = {
        containing: (own: Interval) => others.some(other => isIn(other, own)),
        containedBy: (own: Interval) => others.some(other => isIn(own, other)),
        overlapping: (own: Interval) => others.some(other => meets(own, other)),
        notContaining: (own: Interval) => !others.some(other => isIn(other, own)),
        notContainedBy: (own: Interval) => !others.some(other => isIn(own, other)),
        notOverlapping: (own: Interval) => !others.some(other => meets(own, other)),
      }[source.relation]
      return of(source.source).filter(holds)
    }
    case 'maxGaps': {
      const { source: inner, gaps } = source
      if (!('sources' in inner) || inner.sources.some(({ kind }) => kind !== 'term'))
        throw new Error('the oracle knows the gaps between words alone')
      const words = inner.sources.length
      return of(inner).filter(({ start, end }) => end - start + 1 - words <= gaps)
    }
    case 'multi':
    case 'beside':
    case 'script':
    case 'fixed':
      throw new Error('the oracle has none of these')
  }
}

/** The least width of an interval. */
export function leastWidth(source: IntervalSource): number {
  switch (source.kind) {
    case 'or':
      return Math.min(...source.sources.map(leastWidth))
    case 'block':
    case 'ordered':
    case 'unordered':
      return source.sources.reduce((sum, each) => sum + leastWidth(each), 0)
    case 'extend':
      return leastWidth(source.source) + source.before + source.after
    case 'related':
    case 'maxGaps':
      return leastWidth(source.source)
    default:
      return 1
  }
}

function minimal(all: readonly Interval[]): Interval[] {
  const distinct = [...new Map(all.map(each => [`${each.start} ${each.end}`, each])).values()]
  return distinct
    .filter(
      each =>
        !distinct.some(
          other => other !== each && other.start >= each.start && other.end <= each.end,
        ),
    )
    .sort((a, b) => a.start - b.start)
}

function chains(
  lists: readonly (readonly Interval[])[],
  follows: (before: Interval, next: Interval) => boolean,
): Interval[] {
  let ends = (lists[0] ?? []).map(each => ({ start: each.start, last: each }))
  for (const list of lists.slice(1))
    ends = ends.flatMap(({ start, last }) =>
      list.filter(next => follows(last, next)).map(next => ({ start, last: next })),
    )
  return ends.map(({ start, last }) => ({ start, end: last.end }))
}

function covers(lists: readonly (readonly Interval[])[]): Interval[] {
  let all: readonly Interval[] = lists[0] ?? []
  for (const list of lists.slice(1))
    all = minimal(
      all.flatMap(own =>
        list.map(other => ({
          start: Math.min(own.start, other.start),
          end: Math.max(own.end, other.end),
        })),
      ),
    )
  return [...all]
}

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
      return ordered(source.sources.map(of))
    case 'repeated':
      return of(source.source).flatMap(({ start }, i, all) => {
        const last = all[i + source.count - 1]
        return last === undefined ? [] : [{ start, end: last.end }]
      })
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
        // The first that does not lie behind another in both ends lies wholly behind.
        notContaining: (own: Interval) => {
          const next = others.find(other => other.start >= own.start || other.end >= own.end)
          return next === undefined || next.start > own.end
        },
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
    case 'repeated':
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

/**
 * Parts behind one another, as Lucene looks for them: an interval is made shorter by moving its first
 * part on, and for the next one all other parts move on first.
 */
function ordered(lists: readonly (readonly Interval[])[]): Interval[] {
  const NONE = { start: Infinity, end: Infinity }
  const at = lists.map(() => -1)
  const part = (i: number): Interval =>
    at[i]! < 0 ? { start: -1, end: -1 } : (lists[i]![at[i]!] ?? NONE)
  const found: Interval[] = []
  at[0] = 0
  for (;;) {
    const next = nextOrdered()
    if (next === null) return found
    found.push(next)
  }

  function nextOrdered(): Interval | null {
    let best: Interval | null = null
    let bound = Infinity
    for (;;) {
      for (let i = 1; ; i++) {
        if (part(i - 1).end >= bound) return best
        if (i === lists.length || (best !== null && part(i).start > part(i - 1).end)) break
        do {
          if (part(i).end >= bound) return best
          at[i]!++
          if (part(i) === NONE) return best
        } while (part(i).start <= part(i - 1).end)
      }
      const last = part(lists.length - 1)
      best = { start: part(0).start, end: last.end }
      bound = last.start
      at[0]!++
      if (part(0) === NONE) return best
    }
  }
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

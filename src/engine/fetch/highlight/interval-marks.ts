/** Intervals of a query in one text. */
import { MAX_CALLING_THREAD_MILLIS, newDocumentRun } from '../../../script/script-run.ts'
import type { IntervalSource } from '../../../search/query/query.ts'
import { AnyIntervals } from '../../../search/scorer/interval/any-intervals.ts'
import { BlockIntervals } from '../../../search/scorer/interval/block-intervals.ts'
import { FilteredIntervals } from '../../../search/scorer/interval/filtered-intervals.ts'
import { type Intervals, NO_MORE_INTERVALS } from '../../../search/scorer/interval/intervals.ts'
import { MovedIntervals } from '../../../search/scorer/interval/moved-intervals.ts'
import { NarrowIntervals } from '../../../search/scorer/interval/narrow-intervals.ts'
import { OrderedIntervals } from '../../../search/scorer/interval/ordered-intervals.ts'
import { RelatedIntervals } from '../../../search/scorer/interval/related-intervals.ts'
import { RepeatedIntervals } from '../../../search/scorer/interval/repeated-intervals.ts'
import { TermIntervals } from '../../../search/scorer/interval/term-intervals.ts'
import { UnorderedIntervals } from '../../../search/scorer/interval/unordered-intervals.ts'
import { scriptEngine } from '../../../search/script/script-engine.ts'
import { type FoundTerms, OccurrencePostings } from './found-terms.ts'
import { type SpanVisitor, termsOf } from './span-marks.ts'

const LAST_POSITION = NO_MORE_INTERVALS - 1

/**
 * Visits the intervals of a text, and each token once. The tokens of one are those of its source's terms within it: the
 * terms that it is compared with do not count.
 */
export function visitIntervals(
  source: IntervalSource,
  found: FoundTerms,
  visitor: SpanVisitor,
): void {
  const intervals = openIntervals(source, found)
  if (intervals === null || !intervals.open(0)) return
  const terms = [...new Set(ownTerms(source, found))]
  const nexts = terms.map(() => 0)
  while (intervals.next() !== NO_MORE_INTERVALS) {
    const { start, end } = intervals
    visitor.span(start, end + 1)
    // Starts and ends ascend: a token ahead of one interval is ahead of all that follow.
    for (const [i, term] of terms.entries()) {
      const occurrences = found.get(term)!
      let next = nexts[i]!
      while (next < occurrences.length && occurrences[next]!.position < start) next++
      while (next < occurrences.length && occurrences[next]!.position <= end)
        visitor.token(term, occurrences[next++]!)
      nexts[i] = next
    }
  }
}

/** The intervals of a text, not opened yet; null: there are none. */
function openIntervals(source: IntervalSource, found: FoundTerms): Intervals | null {
  const open = (inner: IntervalSource): Intervals | null => openIntervals(inner, found)
  switch (source.kind) {
    case 'none':
      return null
    case 'term':
      return termIntervals(source.term, found)
    case 'multi':
      return anyOf(termsOf(source.query, found).map(term => termIntervals(term, found)))
    case 'or':
      return anyOf(source.sources.map(open))
    case 'block':
    case 'ordered':
    case 'unordered': {
      const all = source.sources.flatMap(each => open(each) ?? [])
      if (all.length < source.sources.length) return null
      if (all.length === 1) return all[0]!
      if (source.kind === 'block') return new BlockIntervals(all)
      return source.kind === 'ordered' ? new OrderedIntervals(all) : new UnorderedIntervals(all)
    }
    case 'repeated': {
      const inner = open(source.source)
      return inner === null ? null : new RepeatedIntervals(inner, source.count)
    }
    case 'maxGaps': {
      const inner = open(source.source)
      return inner === null ? null : new NarrowIntervals(inner, source.gaps)
    }
    case 'extend': {
      const inner = open(source.source)
      const { before, after } = source
      if (inner === null) return null
      return new MovedIntervals(inner, (start, end) => [
        Math.max(0, start - before),
        Math.min(LAST_POSITION, end + after),
      ])
    }
    case 'beside': {
      const inner = open(source.source)
      if (inner === null) return null
      return new MovedIntervals(
        inner,
        source.side === 'before'
          ? start => [Math.max(0, start - 1), Math.max(0, start - 1)]
          : (_start, end) => [end + 1, end + 1],
      )
    }
    case 'related': {
      const inner = open(source.source)
      const other = open(source.other)
      if (inner !== null && other !== null)
        return new RelatedIntervals(inner, other, source.relation)
      return source.relation.startsWith('not') ? inner : null
    }
    case 'script': {
      const inner = open(source.source)
      const run = newDocumentRun(MAX_CALLING_THREAD_MILLIS)
      return inner === null
        ? null
        : new FilteredIntervals(inner, scriptEngine().intervalFilter(source.script, run))
    }
    case 'fixed':
      return open(source.source)
  }
}

function anyOf(all: readonly (Intervals | null)[]): Intervals | null {
  const intervals = all.flatMap(each => each ?? [])
  return intervals.length < 2 ? (intervals[0] ?? null) : new AnyIntervals(intervals)
}

function termIntervals(term: string, found: FoundTerms): Intervals | null {
  const occurrences = found.get(term)
  return occurrences === undefined
    ? null
    : new TermIntervals(new OccurrencePostings(term, occurrences))
}

/** The terms of a text whose tokens a source's intervals consist of. */
export function ownTerms(source: IntervalSource, found: FoundTerms): readonly string[] {
  switch (source.kind) {
    case 'none':
      return []
    case 'term':
      return found.has(source.term) ? [source.term] : []
    case 'multi':
      return termsOf(source.query, found)
    case 'or':
    case 'block':
    case 'ordered':
    case 'unordered':
      return source.sources.flatMap(each => ownTerms(each, found))
    case 'repeated':
    case 'maxGaps':
    case 'extend':
    case 'beside':
    case 'related':
    case 'script':
    case 'fixed':
      return ownTerms(source.source, found)
  }
}

/**
 * Spans in one document, found as Lucene does: a near span is extended from its first part, each
 * next part advanced just far enough, so that of alternatives with the same start only the first is
 * tried behind another span.
 */
import type { PositionPostings } from './freq-postings.ts'
import { SpanQueue } from './span-queue.ts'

/** Start of an exhausted span. */
export const NO_MORE_POSITIONS = 2147483647

/** Spans of one document, by start, then end. */
export interface Spans {
  /** −1 before the first, `NO_MORE_POSITIONS` behind the last. */
  readonly start: number
  readonly end: number
  /** Positions between its parts; 0 for a span of one part. */
  readonly width: number
  /** Opens a document; false when it has no span, as far as postings alone tell. */
  open(docId: number): boolean
  /** Moves to the next span and returns its start. */
  next(): number
  /** Tells the terms that the current span is made of, those of both sides of a containment too. */
  collect(visit: (term: TermSpans) => void): void
}

/** The part of a term's postings that its spans read. */
export type SpanPostings = Pick<PositionPostings, 'docId' | 'advance' | 'freq' | 'nextPosition'>

/** A term's positions. */
export class TermSpans implements Spans {
  readonly #postings: SpanPostings
  start = -1
  end = -1
  readonly width = 0
  #left = 0

  constructor(postings: SpanPostings) {
    this.#postings = postings
  }

  open(docId: number): boolean {
    const postings = this.#postings
    this.start = -1
    this.end = -1
    // Terms that no condition on the document asks for are moved here.
    if (postings.docId() < docId) postings.advance(docId)
    this.#left = postings.docId() === docId ? postings.freq() : 0
    return this.#left > 0
  }

  next(): number {
    if (this.#left === 0) {
      this.end = NO_MORE_POSITIONS
      return (this.start = NO_MORE_POSITIONS)
    }
    this.#left--
    this.start = this.#postings.nextPosition()
    this.end = this.start + 1
    return this.start
  }

  collect(visit: (term: TermSpans) => void): void {
    visit(this)
  }
}

/** The union of several spans. */
export class OrSpans implements Spans {
  readonly #all: readonly Spans[]
  #open: Spans[] = []
  #isStarted = false
  start = -1
  end = -1
  width = 0

  constructor(all: readonly Spans[]) {
    this.#all = all
  }

  open(docId: number): boolean {
    this.start = -1
    this.end = -1
    this.#isStarted = false
    this.#open = this.#all.filter(spans => spans.open(docId))
    return this.#open.length > 0
  }

  next(): number {
    const open = this.#open
    if (this.#isStarted) first(open)?.next()
    else for (const spans of open) spans.next()
    this.#isStarted = true
    const lowest = first(open)
    this.start = lowest?.start ?? NO_MORE_POSITIONS
    this.end = lowest?.end ?? NO_MORE_POSITIONS
    this.width = lowest?.width ?? 0
    return this.start
  }

  collect(visit: (term: TermSpans) => void): void {
    first(this.#open)?.collect(visit)
  }
}

function first(spans: readonly Spans[]): Spans | null {
  let best: Spans | null = null
  for (const each of spans)
    if (
      best === null ||
      each.start < best.start ||
      (each.start === best.start && each.end < best.end)
    )
      best = each
  return best
}

/** A gap of any positions: it starts wherever it is moved to. */
export class GapSpans implements Spans {
  start = -1
  end = -1
  readonly width: number

  constructor(width: number) {
    this.width = width
  }

  open(): boolean {
    this.start = -1
    this.end = -1
    return true
  }

  next(): number {
    return this.start
  }

  putAt(position: number): void {
    this.start = position
    this.end = position + this.width
  }

  collect(): void {}
}

/** Spans each after the previous one, with so many positions between them at most. */
export class NearSpans implements Spans {
  readonly #all: readonly Spans[]
  readonly #slop: number
  #isExhausted = false
  start = -1
  end = -1
  width = 0

  /** @param all min two; the first is not a gap */
  constructor(all: readonly Spans[], slop: number) {
    this.#all = all
    this.#slop = slop
  }

  open(docId: number): boolean {
    this.start = -1
    this.end = -1
    this.#isExhausted = false
    let isThere = true
    for (const spans of this.#all) if (!spans.open(docId)) isThere = false
    return isThere
  }

  next(): number {
    const lead = this.#all[0]!
    while (!this.#isExhausted && lead.next() !== NO_MORE_POSITIONS)
      if (this.#stretches()) {
        this.end = this.#all[this.#all.length - 1]!.end
        return (this.start = lead.start)
      }
    this.end = NO_MORE_POSITIONS
    return (this.start = NO_MORE_POSITIONS)
  }

  #stretches(): boolean {
    const all = this.#all
    let width = 0
    let end = all[0]!.end
    for (let i = 1; i < all.length; i++) {
      const spans = all[i]!
      if (spans instanceof GapSpans) spans.putAt(end)
      else while (spans.start < end) spans.next()
      if (spans.start === NO_MORE_POSITIONS) {
        this.#isExhausted = true
        return false
      }
      width += spans.start - end
      end = spans.end
    }
    this.width = width
    return width <= this.#slop
  }

  collect(visit: (term: TermSpans) => void): void {
    for (const spans of this.#all) spans.collect(visit)
  }
}

/** Spans in any order, with so many positions not covered by them at most. */
export class UnorderedSpans implements Spans {
  readonly #all: readonly Spans[]
  readonly #queue: SpanQueue<Spans>
  readonly #slop: number
  #isStarted = false
  #isExhausted = false
  start = -1
  end = -1

  /** @param all min two, none of them a gap */
  constructor(all: readonly Spans[], slop: number) {
    this.#all = all
    this.#queue = new SpanQueue(all)
    this.#slop = slop
  }

  get width(): number {
    return this.end - this.start
  }

  open(docId: number): boolean {
    this.start = -1
    this.end = -1
    this.#isStarted = false
    this.#isExhausted = false
    let isThere = true
    for (const spans of this.#all) if (!spans.open(docId)) isThere = false
    return isThere
  }

  next(): number {
    while (!this.#isExhausted && this.#move()) if (this.#isClose()) return this.start
    this.#isExhausted = true
    this.end = NO_MORE_POSITIONS
    return (this.start = NO_MORE_POSITIONS)
  }

  /** Moves all to their first, then the first of them; false when one runs out. */
  #move(): boolean {
    const queue = this.#queue
    if (this.#isStarted) {
      const isThere = queue.top().next() !== NO_MORE_POSITIONS
      queue.updateTop()
      return isThere
    }
    this.#isStarted = true
    queue.clear()
    for (const spans of this.#all) {
      if (spans.next() === NO_MORE_POSITIONS) return false
      queue.add(spans)
    }
    return true
  }

  #isClose(): boolean {
    let covered = 0
    for (const spans of this.#all) {
      covered += spans.end - spans.start
      if (spans.end > this.end) this.end = spans.end
    }
    this.start = this.#queue.top().start
    return this.end - this.start - covered <= this.#slop
  }

  collect(visit: (term: TermSpans) => void): void {
    for (const spans of this.#all) spans.collect(visit)
  }
}

/** Spans that end at or before a position. */
export class FirstSpans implements Spans {
  readonly #spans: Spans
  readonly #limit: number
  start = -1
  end = -1

  constructor(spans: Spans, limit: number) {
    this.#spans = spans
    this.#limit = limit
  }

  get width(): number {
    return this.#spans.width
  }

  open(docId: number): boolean {
    this.start = -1
    this.end = -1
    return this.#spans.open(docId)
  }

  next(): number {
    const spans = this.#spans
    if (this.start === NO_MORE_POSITIONS) return this.start
    while (spans.next() < this.#limit)
      if (spans.end <= this.#limit) {
        this.end = spans.end
        return (this.start = spans.start)
      }
    this.end = NO_MORE_POSITIONS
    return (this.start = NO_MORE_POSITIONS)
  }

  collect(visit: (term: TermSpans) => void): void {
    this.#spans.collect(visit)
  }
}

/** Spans with no other one within so many positions before and behind them. */
export class NotSpans implements Spans {
  readonly #include: Spans
  readonly #exclude: Spans
  readonly #pre: number
  readonly #post: number
  #excludes = false

  constructor(include: Spans, exclude: Spans, pre: number, post: number) {
    this.#include = include
    this.#exclude = exclude
    this.#pre = pre
    this.#post = post
  }

  get start(): number {
    return this.#include.start
  }

  get end(): number {
    return this.#include.end
  }

  get width(): number {
    return this.#include.width
  }

  open(docId: number): boolean {
    this.#excludes = this.#exclude.open(docId)
    return this.#include.open(docId)
  }

  next(): number {
    const include = this.#include
    while (include.next() !== NO_MORE_POSITIONS) if (this.#isFree()) break
    return include.start
  }

  #isFree(): boolean {
    if (!this.#excludes) return true
    const include = this.#include
    const exclude = this.#exclude
    while (exclude.start === -1 || exclude.end <= include.start - this.#pre)
      if (exclude.next() === NO_MORE_POSITIONS) {
        this.#excludes = false
        return true
      }
    return exclude.start - this.#post >= include.end
  }

  collect(visit: (term: TermSpans) => void): void {
    this.#include.collect(visit)
  }
}

/** Big spans and little ones, of which those of one kind count that the other kind has a part in. */
abstract class NestedSpans implements Spans {
  protected readonly big: Spans
  protected readonly little: Spans
  start = -1
  end = -1

  constructor(big: Spans, little: Spans) {
    this.big = big
    this.little = little
  }

  abstract readonly width: number

  open(docId: number): boolean {
    this.start = -1
    this.end = -1
    const isThere = this.little.open(docId)
    return this.big.open(docId) && isThere
  }

  abstract next(): number

  /** Moves to a span of one of the two. */
  protected moveTo({ start, end }: Spans): number {
    this.end = end
    return (this.start = start)
  }

  /** Moves behind the last one. */
  protected finish(): number {
    this.end = NO_MORE_POSITIONS
    return (this.start = NO_MORE_POSITIONS)
  }

  collect(visit: (term: TermSpans) => void): void {
    this.big.collect(visit)
    this.little.collect(visit)
  }
}

/** The big spans that contain a little one. */
export class ContainingSpans extends NestedSpans {
  override get width(): number {
    return this.big.width
  }

  override next(): number {
    const { big, little } = this
    while (little.start !== NO_MORE_POSITIONS && big.next() !== NO_MORE_POSITIONS) {
      while (little.start < big.start) little.next()
      if (little.start !== NO_MORE_POSITIONS && big.end >= little.end) return this.moveTo(big)
    }
    return this.finish()
  }
}

/** The little spans within a big one. */
export class WithinSpans extends NestedSpans {
  override get width(): number {
    return this.little.width
  }

  override next(): number {
    const { big, little } = this
    while (big.start !== NO_MORE_POSITIONS && little.next() !== NO_MORE_POSITIONS) {
      while (big.end < little.end) big.next()
      if (big.start !== NO_MORE_POSITIONS && big.start <= little.start) return this.moveTo(little)
    }
    return this.finish()
  }
}

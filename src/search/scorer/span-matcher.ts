/**
 * Spans in one document, found as Lucene does: a near span is extended from its first part, each
 * next part advanced just far enough, so that of alternatives with the same start only the first is
 * tried behind another span.
 */
import type { PositionPostings } from './freq-postings.ts'
import type { PhraseMatcher } from './phrase-scorer.ts'

/** Start of an exhausted span. */
const NO_MORE_POSITIONS = 2147483647

/** Spans of one document, by start, then end. */
export interface Spans {
  /** −1 before the first, `NO_MORE_POSITIONS` behind the last. */
  readonly start: number
  readonly end: number
  /** Opens a document; false when it has no span, as far as postings alone tell. */
  open(docId: number): boolean
  /** Moves to the next span and returns its start. */
  next(): number
}

/** A term's positions. */
export class TermSpans implements Spans {
  readonly #postings: PositionPostings
  start = -1
  end = -1
  #left = 0

  constructor(postings: PositionPostings) {
    this.#postings = postings
  }

  open(docId: number): boolean {
    this.start = -1
    this.end = -1
    this.#left = this.#postings.docId() === docId ? this.#postings.freq() : 0
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
}

/** The union of several spans. */
export class OrSpans implements Spans {
  readonly #all: readonly Spans[]
  #open: Spans[] = []
  #isStarted = false
  start = -1
  end = -1

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
    return this.start
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
  readonly #width: number
  start = -1
  end = -1

  constructor(width: number) {
    this.#width = width
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
    this.end = position + this.#width
  }
}

/** Spans each directly after the previous one. */
export class NearSpans implements Spans {
  readonly #all: readonly Spans[]
  #isExhausted = false
  start = -1
  end = -1

  /** @param all min two; the first is not a gap */
  constructor(all: readonly Spans[]) {
    this.#all = all
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
    return width === 0
  }
}

/** Counts the spans of a document. */
export class SpanMatcher implements PhraseMatcher {
  readonly #root: Spans
  readonly #postings: readonly PositionPostings[]
  readonly #docId: () => number

  /**
   * @param postings of all terms of the spans; those not positioned on the document do not occur in
   *                 it
   */
  constructor(root: Spans, postings: readonly PositionPostings[], docId: () => number) {
    this.#root = root
    this.#postings = postings
    this.#docId = docId
  }

  frequency(): number {
    const root = this.#root
    if (!root.open(this.#docId())) return 0
    let count = 0
    while (root.next() !== NO_MORE_POSITIONS) count++
    return count
  }

  maxFrequency(): number {
    const doc = this.#docId()
    let sum = 0
    for (const postings of this.#postings) if (postings.docId() === doc) sum += postings.freq()
    return sum
  }
}

import type { Turn } from '../../../util/turns.ts'
import type { Reading } from '../fetch-part.ts'
import type { PassageBreaks, ValuePassages } from './break/passage-breaks.ts'
import type { Mark } from './marks.ts'
import { passageScore } from './passage-score.ts'

/** A part of a text, with its marks. */
export interface Passage {
  readonly start: number
  readonly end: number
  readonly marks: readonly Mark[]
  /** Float32. */
  readonly score: number
}

/** Passages between two looks at the clock, and what they cost in units of a turn. */
const PASSAGES_PER_LOOK = 64
const UNITS = 64

/**
 * The best passages of a text, in its order.
 * @param values of which the text consists, one unit apart
 * @param marks  of the text, in its order
 * @param count  max number of passages; of those with one score, later ones are kept
 */
export function* bestPassages(
  values: readonly string[],
  marks: readonly Mark[],
  breaks: PassageBreaks,
  count: number,
  turn: Turn,
): Reading<readonly Passage[]> {
  const length = lengthOf(values)
  const cutter = new TextCutter(values, breaks)
  const found: Passage[] = []
  let own: Mark[] = []
  const close = (): void => {
    if (own.length === 0) return
    const { start, end } = cutter
    found.push({ start, end, marks: own, score: passageScore(own, start, end, length) })
    own = []
  }
  for (const mark of marks) {
    if (mark.start < length && mark.end > length) continue
    if (own.length === 0 || mark.start >= cutter.end) {
      close()
      if (mark.start >= length) break
      if (found.length % PASSAGES_PER_LOOK === PASSAGES_PER_LOOK - 1 && turn.isOver(UNITS)) yield
      cutter.moveTo(mark.start)
    }
    own.push(mark)
  }
  close()
  if (found.length <= count) return found
  const ranked = [...found].sort((a, b) => b.score - a.score || b.start - a.start)
  return ranked.slice(0, count).sort((a, b) => a.start - b.start)
}

/** The length of values, one unit apart. */
export function lengthOf(values: readonly string[]): number {
  return values.reduce((sum, { length }) => sum + length + 1, -1)
}

/** Passages of a text, none of which goes beyond a value. */
class TextCutter {
  readonly #values: readonly string[]
  readonly #breaks: PassageBreaks
  #value = 0
  /** Where the value begins. */
  #valueStart = 0
  #passages: ValuePassages | null = null
  start = 0
  end = 0

  constructor(values: readonly string[], breaks: PassageBreaks) {
    this.#values = values
    this.#breaks = breaks
  }

  /** @param at offset in the text, ascending from call to call */
  moveTo(at: number): void {
    const values = this.#values
    while (this.#value + 1 < values.length && at > this.#valueStart + values[this.#value]!.length) {
      this.#valueStart += values[this.#value]!.length + 1
      this.#value++
      this.#passages = null
    }
    this.#passages ??= this.#breaks(values[this.#value]!)
    this.#passages.moveTo(at - this.#valueStart)
    this.start = this.#valueStart + this.#passages.start
    this.end = this.#valueStart + Math.max(this.#passages.end, this.#passages.start)
  }
}

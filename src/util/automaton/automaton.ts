/**
 * Deterministic automata over code points, built lazily from regular expressions: a state is the
 * remaining expression of each rule (its derivative), and is computed when a text first reaches it.
 */
import { IllegalArgumentError } from '../errors.ts'
import type { Expression, Expressions } from './expression.ts'
import { requiredText } from './required-text.ts'

/** The dead state: no rule matches from it. */
export const DEAD = 0
/** The start state. */
export const START = 1

/** Max states kept; beyond, all but the start are computed again. */
const MAX_STATES = 20_000

/** Max cost of computing all states, in parts of expressions. */
const MAX_WORK = 3_000_000

/** A complete automaton of one rule as columns, which a kernel walks dictionaries with. */
export interface AutomatonTable {
  readonly kind: 'table'
  /** Next state by state and class. */
  readonly moves: Int32Array
  /** First code point of each class, ascending. */
  readonly classStarts: Int32Array
  /** Classes of the first 128 code points. */
  readonly asciiClasses: Uint16Array
  /** By state: bit 0 where it accepts, bit 1 where it accepts every continuation as well. */
  readonly ends: Uint8Array
  /** A text that every accepted text holds; empty: none is known. */
  readonly required: string
}

/** An automaton for a list of rules. */
export class Automaton {
  readonly #expressions: Expressions
  readonly #rules: readonly Expression[]
  /** First code point of each class; no rule distinguishes two code points of a class. */
  readonly #classStarts: Int32Array
  readonly #asciiClasses: Uint16Array
  #states: (readonly Expression[])[] = []
  #ids = new Map<string, number>()
  /** Next state by state and class; −1: not computed yet. */
  #moves: Int32Array<ArrayBuffer> = new Int32Array(0)
  /** Bit set of accepting rules by state. */
  #accepts: Int32Array<ArrayBuffer> = new Int32Array(0)

  /** @param rules max 31 */
  constructor(expressions: Expressions, rules: readonly Expression[]) {
    this.#expressions = expressions
    this.#rules = rules
    this.#classStarts = classStartsOf(rules)
    this.#asciiClasses = Uint16Array.from({ length: 128 }, (_, point) => this.#search(point))
    this.#forget()
  }

  /** The state after `state` and a code point. */
  step(state: number, point: number): number {
    const group = point < 128 ? this.#asciiClasses[point]! : this.#search(point)
    const next = this.#moves[state * this.#classStarts.length + group]!
    return next >= 0 ? next : this.#work(state, group)
  }

  /** Rules that accept in a state: bit i for rule i. */
  accepts(state: number): number {
    return this.#accepts[state]!
  }

  /**
   * The first code point at or above `from` that does not lead to the dead state; −1 when there is
   * none. Exact behind `complete`, which finds the states without a possible match.
   */
  nextPoint(state: number, from: number): number {
    const starts = this.#classStarts
    for (let group = this.#search(from); group < starts.length; group++) {
      const point = Math.max(from, starts[group]!)
      if (this.step(state, point) !== DEAD) return point
    }
    return -1
  }

  /** Whether every continuation is accepted, so that nothing more need be read. */
  isTotal(state: number): boolean {
    if (this.#accepts[state] === 0) return false
    for (const start of this.#classStarts) if (this.step(state, start) !== state) return false
    return true
  }

  /**
   * Computes every state, and turns those without a possible match into the dead state.
   * @throws {IllegalArgumentError} there are more than `maxStates`, or they cost too much
   */
  complete(maxStates: number): void {
    const classes = this.#classStarts.length
    const budget = this.#expressions.cost + MAX_WORK
    for (let state = START; state < this.#states.length; state++)
      for (let group = 0; group < classes; group++) {
        this.#work(state, group)
        if (this.#states.length > maxStates || this.#expressions.cost > budget)
          throw new IllegalArgumentError(
            `Determinizing automaton would require more than ${maxStates} effort.`,
          )
      }
    const count = this.#states.length
    const isLive = Uint8Array.from({ length: count }, (_, s) => (this.#accepts[s] !== 0 ? 1 : 0))
    for (let isChanging = true; isChanging; ) {
      isChanging = false
      for (let state = count - 1; state > DEAD; state--) {
        if (isLive[state] === 1) continue
        const row = this.#moves.subarray(state * classes, (state + 1) * classes)
        if (!row.some(next => isLive[next] === 1)) continue
        isLive[state] = 1
        isChanging = true
      }
    }
    for (let i = 0; i < count * classes; i++)
      if (isLive[this.#moves[i]!] === 0) this.#moves[i] = DEAD
  }

  /** Every state as columns, behind `complete`. */
  table(): AutomatonTable {
    const count = this.#states.length
    const ends = Uint8Array.from({ length: count }, (_, state) =>
      this.#accepts[state] === 0 ? 0 : this.isTotal(state) ? 3 : 1,
    )
    return {
      kind: 'table',
      moves: this.#moves.subarray(0, count * this.#classStarts.length),
      classStarts: this.#classStarts,
      asciiClasses: this.#asciiClasses,
      ends,
      required: this.#rules.length === 1 ? requiredText(this.#rules[0]!) : '',
    }
  }

  #search(point: number): number {
    const starts = this.#classStarts
    let low = 0
    let high = starts.length - 1
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if (starts[middle]! <= point) low = middle
      else high = middle - 1
    }
    return low
  }

  #work(state: number, group: number): number {
    const at = state * this.#classStarts.length + group
    const known = this.#moves[at]!
    if (known >= 0) return known
    const point = this.#classStarts[group]!
    const rest = this.#states[state]!.map(rule => this.#expressions.derivative(rule, point))
    const next = this.#idOf(rest)
    this.#moves[at] = next
    return next
  }

  #idOf(rules: readonly Expression[]): number {
    if (rules.every(rule => rule === this.#expressions.never)) return DEAD
    return this.#ids.get(keyOf(rules)) ?? this.#added(rules)
  }

  #added(rules: readonly Expression[]): number {
    const id = this.#states.length
    const classes = this.#classStarts.length
    if ((id + 1) * classes > this.#moves.length) {
      const moves = new Int32Array(2 * (id + 8) * classes).fill(-1)
      moves.set(this.#moves)
      this.#moves = moves
      const accepts = new Int32Array(2 * (id + 8))
      accepts.set(this.#accepts)
      this.#accepts = accepts
    }
    this.#states.push(rules)
    this.#ids.set(keyOf(rules), id)
    for (const [i, rule] of rules.entries()) if (rule.isNullable) this.#accepts[id]! |= 1 << i
    return id
  }

  /** Call between two texts: bounds the memory that hostile texts can fill with states. */
  trim(): void {
    if (this.#states.length > MAX_STATES) this.#forget()
  }

  #forget(): void {
    this.#states = [[]]
    this.#ids = new Map()
    this.#moves = new Int32Array(0)
    this.#accepts = new Int32Array(0)
    // The dead state: no rules.
    this.#moves = new Int32Array(8 * this.#classStarts.length).fill(-1)
    this.#moves.fill(DEAD, 0, this.#classStarts.length)
    this.#accepts = new Int32Array(8)
    // Rules that match no text have a start too, from which all leads to the dead state.
    this.#added(this.#rules)
  }
}

function keyOf(rules: readonly Expression[]): string {
  return rules.map(rule => rule.id).join()
}

/** Boundaries of the rules' sets: code points between two of these are equivalent. */
function classStartsOf(rules: readonly Expression[]): Int32Array {
  const starts = new Set([0])
  const seen = new Set<Expression>()
  const queue = [...rules]
  for (let each = queue.pop(); each !== undefined; each = queue.pop()) {
    if (seen.has(each)) continue
    seen.add(each)
    switch (each.kind) {
      case 'set':
        for (let i = 0; i < each.ranges.length; i += 2) {
          starts.add(each.ranges[i]!)
          if (each.ranges[i + 1]! < 0x10ffff) starts.add(each.ranges[i + 1]! + 1)
        }
        break
      case 'sequence':
        queue.push(each.first, each.rest)
        break
      case 'either':
      case 'both':
        queue.push(...each.parts)
        break
      case 'not':
      case 'repeat':
        queue.push(each.part)
        break
      case 'never':
      case 'empty':
        break
    }
  }
  return Int32Array.from(starts).sort()
}

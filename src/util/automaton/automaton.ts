/**
 * Deterministic automata over code points, made of regular expressions as they are walked: a state
 * is what is left to match of each rule, and is worked out when a text first leads there.
 */
import { IllegalArgumentError } from '../errors.ts'
import type { Expression, Expressions } from './expression.ts'

/** The state that leads nowhere. */
export const DEAD = 0
/** The state before the first code point. */
export const START = 1

/** States that are kept; past that all but the start are worked out anew. */
const MOST_STATES = 20_000

/** What working out all states may cost, in parts of expressions. */
const MOST_WORK = 5_000_000

/** An automaton for a list of rules. */
export class Automaton {
  readonly #expressions: Expressions
  readonly #rules: readonly Expression[]
  /** First code point of each class; the rules tell no two code points of a class apart. */
  readonly #classStarts: Int32Array
  readonly #asciiClasses: Uint16Array
  #states: (readonly Expression[])[] = []
  #ids = new Map<string, number>()
  /** Per state and class the next state, −1 where it has not been worked out. */
  #moves: Int32Array<ArrayBuffer> = new Int32Array(0)
  /** Per state the rules that may end there, as bits. */
  #accepts: Int32Array<ArrayBuffer> = new Int32Array(0)

  /** @param rules at most 31 */
  constructor(expressions: Expressions, rules: readonly Expression[]) {
    this.#expressions = expressions
    this.#rules = rules
    this.#classStarts = classStartsOf(rules)
    this.#asciiClasses = Uint16Array.from({ length: 128 }, (_, point) => this.#search(point))
    this.#forget()
  }

  /** The state behind `state` and a code point. */
  step(state: number, point: number): number {
    const group = point < 128 ? this.#asciiClasses[point]! : this.#search(point)
    const next = this.#moves[state * this.#classStarts.length + group]!
    return next >= 0 ? next : this.#work(state, group)
  }

  /** Rules that match up to here: bit i for rule i. */
  accepts(state: number): number {
    return this.#accepts[state]!
  }

  /**
   * Works out every state, and has those that no match follows lead nowhere.
   * @throws {IllegalArgumentError} there are more than `most`, or they take too much work
   */
  complete(most: number): void {
    const classes = this.#classStarts.length
    const budget = this.#expressions.cost + MOST_WORK
    for (let state = START; state < this.#states.length; state++)
      for (let group = 0; group < classes; group++) {
        this.#work(state, group)
        if (this.#states.length > most || this.#expressions.cost > budget)
          throw new IllegalArgumentError(
            `Determinizing automaton would require more than ${most} effort.`,
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
    const key = rules.map(rule => rule.id).join()
    const known = this.#ids.get(key)
    if (known !== undefined) return known
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
    this.#ids.set(key, id)
    for (const [i, rule] of rules.entries()) if (rule.isNullable) this.#accepts[id]! |= 1 << i
    return id
  }

  /** Call between two texts: keeps hostile ones from filling memory with states. */
  trim(): void {
    if (this.#states.length > MOST_STATES) this.#forget()
  }

  #forget(): void {
    this.#states = [[]]
    this.#ids = new Map()
    this.#moves = new Int32Array(0)
    this.#accepts = new Int32Array(0)
    // The dead state: of no rules.
    this.#moves = new Int32Array(8 * this.#classStarts.length).fill(-1)
    this.#moves.fill(DEAD, 0, this.#classStarts.length)
    this.#accepts = new Int32Array(8)
    this.#idOf(this.#rules)
  }
}

/** Where the sets of rules begin or end: code points between two of these are alike. */
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

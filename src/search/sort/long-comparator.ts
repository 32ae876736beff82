import { compareLongs } from '../../codec/doc-values/long-column.ts'
import type { Leaf } from '../../segment/leaf.ts'
import { encodePoint, highHalf, joinHalves, lowHalf, MIN_LONG } from '../query/point-value.ts'
import { decodePoint, type PointEncoding } from '../scorer/point-encoding.ts'
import type { Scorer } from '../scorer/scorer.ts'
import type { NestedDocs } from './nested-docs.ts'
import { type DocNumbers, NestedNumbers } from './nested-numbers.ts'
import type { SortComparator } from './sort-comparator.ts'
import {
  type AfterValue,
  isBeside,
  type NestedValues,
  type SortMode,
  type SortValue,
} from './sort-key.ts'
import type { SortKeyOf } from './sort-kind.ts'

/** A level by numbers. */
export type NumbersKey = SortKeyOf<'number' | 'distance' | 'scriptNumber'>

/**
 * Opens the numbers of a leaf's documents, each document's own; null: none has any.
 * @param score reads the score of the hit that is looked at
 */
export type OpenNumbers = (leaf: Leaf, score: () => number) => DocNumbers | null

/** Compares two sortable integers, or documents without one, in sort order. */
export function compareIntegers(key: NumbersKey, a: SortValue, b: SortValue): number {
  const sign = key.descending ? -1 : 1
  const left = typeof a === 'bigint' ? a : key.missing
  const right = typeof b === 'bigint' ? b : key.missing
  return left === right ? 0 : left < right ? -sign : sign
}

/** By the sortable integers of numbers. */
export class LongComparator implements SortComparator {
  readonly #open: OpenNumbers
  readonly #mode: SortMode
  readonly #encoding: PointEncoding
  readonly #sign: number
  readonly #hi: Int32Array
  readonly #lo: Uint32Array
  readonly #missingHi: number
  readonly #missingLo: number
  readonly #afterHi: number
  readonly #afterLo: number
  /** The order of a candidate with the integer next to a place of `searchAfter`, and that place. */
  readonly #afterTie: number
  readonly #nested: NestedValues | null
  #scorer: Pick<Scorer, 'score'> | null = null
  #values: DocNumbers | null = null
  #candidateHi = 0
  #candidateLo = 0

  /** @param open opens the numbers of a leaf */
  constructor(key: NumbersKey, capacity: number, after: AfterValue | undefined, open: OpenNumbers) {
    this.#open = open
    this.#nested = key.nested ?? null
    this.#mode = key.mode
    this.#encoding = key.encoding
    this.#sign = key.descending ? -1 : 1
    this.#hi = new Int32Array(capacity)
    this.#lo = new Uint32Array(capacity)
    this.#missingHi = highHalf(key.missing)
    this.#missingLo = lowHalf(key.missing)
    const from = isBeside(after) ? after.near : typeof after === 'bigint' ? after : key.missing
    this.#afterTie = isBeside(after) ? -this.#sign * after.side : 0
    this.#afterHi = highHalf(from)
    this.#afterLo = lowHalf(from)
  }

  openLeaf(leaf: Leaf, nested: NestedDocs | null): void {
    const own = this.#open(leaf, () => this.#scorer!.score())
    if (this.#nested === null || own === null) this.#values = own
    else if (nested === null) this.#values = null
    else this.#values = new NestedNumbers(own, nested, this.#mode, this.#nested.maxChildren)
  }

  setScorer(scorer: Pick<Scorer, 'score'>): void {
    this.#scorer = scorer
  }

  load(docId: number): void {
    const values = this.#values
    if (values === null || !values.advanceExact(docId)) {
      this.#candidateHi = this.#missingHi
      this.#candidateLo = this.#missingLo
      return
    }
    const count = values.valueCount()
    if (count > 1) this.#select(values, count)
    else {
      this.#candidateHi = values.hi()
      this.#candidateLo = values.lo()
    }
  }

  /** Picks one of several values, which are ascending. */
  #select(values: DocNumbers, count: number): void {
    if (this.#mode === 'min' || this.#mode === 'max') {
      values.select(this.#mode === 'min' ? 0 : count - 1)
      this.#candidateHi = values.hi()
      this.#candidateLo = values.lo()
      return
    }
    if (this.#encoding === 'unsignedLong') {
      this.#setCandidate(this.#unsignedResult(values, count))
      return
    }
    const at = (index: number): number => {
      values.select(index)
      return decodePoint(values.hi(), values.lo(), this.#encoding)
    }
    let result = 0
    if (this.#mode === 'median') {
      const middle = count >>> 1
      if (count % 2 === 1) {
        values.select(middle)
        this.#candidateHi = values.hi()
        this.#candidateLo = values.lo()
        return
      }
      result = (at(middle - 1) + at(middle)) / 2
    } else if (this.#encoding === 'long') {
      const sum = this.#longSum(values, count)
      if (this.#mode === 'sum') {
        this.#setCandidate(sum)
        return
      }
      result = Number(sum) / count
    } else {
      for (let i = 0; i < count; i++) result += at(i)
      if (this.#mode === 'avg') result /= count
    }
    // Long fields keep long results, rounded as Java's `Math.round` does.
    const whole = this.#encoding === 'long' ? Math.round(result) : result
    this.#setCandidate(encodePoint(whole, this.#encoding))
  }

  /** Past 64 bits it wraps, as in Java. */
  #longSum(values: DocNumbers, count: number): bigint {
    let sum = 0n
    for (let i = 0; i < count; i++) {
      values.select(i)
      sum = BigInt.asIntN(64, sum + joinHalves(values.hi(), values.lo()))
    }
    return sum
  }

  /** The sum, average or median of unsigned numbers: sums wrap, quotients round half up. */
  #unsignedResult(values: DocNumbers, count: number): bigint {
    let from = 0
    let to = count
    if (this.#mode === 'median') {
      from = (count - 1) >>> 1
      to = (count >>> 1) + 1
    }
    let sum = 0n
    for (let i = from; i < to; i++) {
      values.select(i)
      sum = BigInt.asUintN(64, sum + joinHalves(values.hi(), values.lo()) - MIN_LONG)
    }
    const divisor = BigInt(this.#mode === 'sum' ? 1 : to - from)
    return (2n * sum + divisor) / (2n * divisor) + MIN_LONG
  }

  #setCandidate(value: bigint): void {
    this.#candidateHi = highHalf(value)
    this.#candidateLo = lowHalf(value)
  }

  compareSlot(slot: number): number {
    const hi = this.#hi[slot]!
    const lo = this.#lo[slot]!
    return this.#sign * compareLongs(this.#candidateHi, this.#candidateLo, hi, lo)
  }

  compareAfter(): number {
    const [hi, lo] = [this.#afterHi, this.#afterLo]
    const order = compareLongs(this.#candidateHi, this.#candidateLo, hi, lo)
    return order === 0 ? this.#afterTie : this.#sign * order
  }

  store(slot: number): void {
    this.#hi[slot] = this.#candidateHi
    this.#lo[slot] = this.#candidateLo
  }

  compareSlots(a: number, b: number): number {
    return this.#sign * compareLongs(this.#hi[a]!, this.#lo[a]!, this.#hi[b]!, this.#lo[b]!)
  }

  value(slot: number): SortValue {
    return joinHalves(this.#hi[slot]!, this.#lo[slot]!)
  }
}

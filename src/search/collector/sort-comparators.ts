/**
 * Comparators of sort levels. Each keeps the values of the heap's k slots in columns, reads a
 * candidate's value once per document and compares it with a slot. Results follow the sort order:
 * below 0 means that the candidate comes first.
 */

import { compareLongs } from '../../codec/doc-values/long-column.ts'
import type { TermsReader } from '../../codec/terms/reader.ts'
import type { ScriptRun } from '../../script/script-run.ts'
import type { Leaf } from '../../segment/leaf.ts'
import { compareBytes } from '../../util/bytes.ts'
import { encodePoint, highHalf, joinHalves, lowHalf, MIN_LONG } from '../query/point-value.ts'
import { PlaceValues } from '../scorer/place-values.ts'
import { decodePoint, type PointEncoding } from '../scorer/point-encoding.ts'
import type { Scorer } from '../scorer/scorer.ts'
import { inputsOf } from '../script/leaf-script.ts'
import { scriptEngine } from '../script/script-engine.ts'
import { constantComparator } from './constant-comparator.ts'
import { ConvertedNumbers } from './converted-numbers.ts'
import { DistanceNumbers } from './distance-numbers.ts'
import { IdComparator } from './id-comparator.ts'
import type { NestedDocs } from './nested-docs.ts'
import { type DocNumbers, NestedNumbers } from './nested-numbers.ts'
import { NestedOrdinals } from './nested-ordinals.ts'
import { type DocOrdinals, OrdinalRange } from './ordinal-range.ts'
import { ScriptNumbers } from './script-numbers.ts'
import { compareTexts, ScriptTextComparator } from './script-text-comparator.ts'
import type { SortComparator } from './sort-comparator.ts'
import {
  type AfterValue,
  isBeside,
  type NestedValues,
  type SortKey,
  type SortMode,
  type SortValue,
} from './sort-key.ts'

/**
 * A comparator for a level.
 * @param after this level's value of `searchAfter`, or undefined without one
 * @param run   limits of the executions of scripts
 */
export function sortComparator(
  key: SortKey,
  capacity: number,
  after: AfterValue | undefined,
  run: ScriptRun,
): SortComparator {
  switch (key.kind) {
    case 'score':
    case 'doc':
      return new NumberComparator(key, capacity, after)
    case 'number':
    case 'distance':
    case 'scriptNumber':
      return new LongComparator(key, capacity, after, run)
    case 'scriptText':
      return new ScriptTextComparator(key, capacity, after, run)
    case 'keyword':
      return new KeywordComparator(key, capacity, after)
    case 'constant':
      return constantComparator(key, after)
    case 'id':
      return new IdComparator(key.descending, capacity, after)
  }
}

/**
 * Compares two values of one level in sort order; for merging slices and shards.
 * @param key of either value: constants of several indices differ
 */
export function compareSortValues(key: SortKey, a: SortValue, b: SortValue): number {
  const sign = key.descending ? -1 : 1
  switch (key.kind) {
    case 'score':
    case 'doc':
      return sign * (Number(a) - Number(b))
    case 'number':
    case 'distance':
    case 'scriptNumber': {
      const left = typeof a === 'bigint' ? a : key.missing
      const right = typeof b === 'bigint' ? b : key.missing
      return left === right ? 0 : left < right ? -sign : sign
    }
    case 'scriptText':
      return compareTexts(key, a as Uint8Array | null, b as Uint8Array | null)
    case 'keyword':
      return compareKeywords(key, a as Uint8Array | null, b as Uint8Array | null)
    case 'constant':
    case 'id':
      return sign * compareBytes(a as Uint8Array, b as Uint8Array)
  }
}

function compareKeywords(
  key: Extract<SortKey, { kind: 'keyword' }>,
  a: Uint8Array | null,
  b: Uint8Array | null,
): number {
  const sign = key.descending ? -1 : 1
  if (typeof key.missing !== 'string') {
    const order = compareBytes(a ?? key.missing, b ?? key.missing)
    return sign * order
  }
  if (a === null || b === null) {
    if (a === b) return 0
    const aIsFirst = (a === null) === (key.missing === 'first')
    return aIsFirst ? -1 : 1
  }
  return sign * compareBytes(a, b)
}

/** By score, or by global document. */
class NumberComparator implements SortComparator {
  readonly #kind: 'score' | 'doc'
  readonly #sign: number
  readonly #slots: Float64Array
  readonly #after: number
  readonly #base: number
  #docBase = 0
  #scorer: Pick<Scorer, 'score'> | null = null
  #candidate = 0

  constructor(
    key: Extract<SortKey, { kind: 'score' | 'doc' }>,
    capacity: number,
    after: AfterValue | undefined,
  ) {
    this.#kind = key.kind
    this.#base = key.kind === 'doc' ? (key.base ?? 0) : 0
    this.#sign = key.descending ? -1 : 1
    this.#slots = new Float64Array(capacity)
    this.#after = Number(after ?? 0)
  }

  openLeaf(leaf: Leaf): void {
    this.#docBase = this.#base + leaf.docBase
  }

  setScorer(scorer: Pick<Scorer, 'score'>): void {
    this.#scorer = scorer
  }

  load(docId: number): void {
    this.#candidate = this.#kind === 'doc' ? docId + this.#docBase : this.#scorer!.score()
  }

  compareSlot(slot: number): number {
    return this.#sign * (this.#candidate - this.#slots[slot]!)
  }

  compareAfter(): number {
    return this.#sign * (this.#candidate - this.#after)
  }

  store(slot: number): void {
    this.#slots[slot] = this.#candidate
  }

  compareSlots(a: number, b: number): number {
    return this.#sign * (this.#slots[a]! - this.#slots[b]!)
  }

  value(slot: number): SortValue {
    return this.#slots[slot]!
  }
}

type StoredKey = Extract<SortKey, { kind: 'number' | 'distance' }>
type NumbersKey = StoredKey | Extract<SortKey, { kind: 'scriptNumber' }>

/** The numbers of a level, each document's own. */
function ownNumbers(key: StoredKey, leaf: Leaf): DocNumbers | null {
  const stored = leaf.numericValues(key.field)
  if (stored === null) return null
  if (key.kind === 'number')
    return key.conversion === undefined ? stored : new ConvertedNumbers(stored, key.conversion)
  return new DistanceNumbers(new PlaceValues(stored), key)
}

/** By a number's sortable integer. */
class LongComparator implements SortComparator {
  readonly #key: NumbersKey
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
  readonly #run: ScriptRun
  #scorer: Pick<Scorer, 'score'> | null = null
  #values: DocNumbers | null = null
  #candidateHi = 0
  #candidateLo = 0

  constructor(key: NumbersKey, capacity: number, after: AfterValue | undefined, run: ScriptRun) {
    this.#key = key
    this.#run = run
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
    const own = this.#numbersOf(this.#key, leaf)
    if (this.#nested === null || own === null) this.#values = own
    else if (nested === null) this.#values = null
    else this.#values = new NestedNumbers(own, nested, this.#mode, this.#nested.maxChildren)
  }

  #numbersOf(key: NumbersKey, leaf: Leaf): DocNumbers | null {
    if (key.kind !== 'scriptNumber') return ownNumbers(key, leaf)
    const inputs = inputsOf(this.#run, () => this.#scorer!.score())
    return new ScriptNumbers(scriptEngine().open(key.script, leaf, inputs))
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

/**
 * Compares keywords by bytes. Within a leaf, ordinals stand for terms, so that the dictionary is
 * read only when a document is kept; a slot of another leaf is looked up in this leaf's dictionary
 * once, and lies between two ordinals if the leaf lacks its term.
 */
class KeywordComparator implements SortComparator {
  readonly #key: Extract<SortKey, { kind: 'keyword' }>
  readonly #terms: (Uint8Array | null)[]
  /**
   * Each slot's sort rank in the leaf with ord `#rankedIn`: twice its ordinal, or odd between two.
   */
  readonly #ranks: Float64Array
  readonly #rankedIn: Int32Array
  readonly #after: Uint8Array | null
  #afterRank = 0
  #leafNumber = 0
  #ordinals: DocOrdinals | null = null
  /** In place of the ordinals where those of nested documents count. */
  #inner: NestedOrdinals | null = null
  #dictionary: TermsReader | null = null
  /** The candidate's ordinal; −1 without a value. */
  #ord = -1

  constructor(
    key: Extract<SortKey, { kind: 'keyword' }>,
    capacity: number,
    after: AfterValue | undefined,
  ) {
    this.#key = key
    this.#terms = new Array<Uint8Array | null>(capacity).fill(null)
    this.#ranks = new Float64Array(capacity)
    this.#rankedIn = new Int32Array(capacity).fill(-1)
    this.#after = after instanceof Uint8Array ? after : null
  }

  openLeaf(leaf: Leaf, nested: NestedDocs | null): void {
    const { field, mode, prefix, nested: inner } = this.#key
    this.#leafNumber++
    const ordinals = leaf.ordinals(field)
    this.#dictionary = leaf.terms(field)
    this.#ordinals =
      prefix === undefined || ordinals === null || this.#dictionary === null
        ? ordinals
        : new OrdinalRange(ordinals, this.#dictionary, prefix)
    this.#inner = null
    if (inner !== undefined) {
      if (nested !== null && this.#ordinals !== null)
        this.#inner = new NestedOrdinals(this.#ordinals, nested, mode, inner.maxChildren)
      this.#ordinals = null
    }
    this.#afterRank = this.#rankOf(this.#after)
  }

  setScorer(): void {
    // Keywords need no scores.
  }

  load(docId: number): void {
    const ordinals = this.#ordinals
    if (this.#inner !== null) this.#ord = this.#inner.ordOf(docId)
    else if (ordinals === null || !ordinals.advanceExact(docId)) this.#ord = -1
    else this.#ord = ordinals.ord(this.#key.mode === 'min' ? 0 : ordinals.valueCount() - 1)
  }

  compareSlot(slot: number): number {
    if (this.#rankedIn[slot] !== this.#leafNumber) {
      this.#ranks[slot] = this.#rankOf(this.#terms[slot] ?? null)
      this.#rankedIn[slot] = this.#leafNumber
    }
    return this.#compare(this.#ranks[slot]!, this.#terms[slot] ?? null)
  }

  compareAfter(): number {
    return this.#compare(this.#afterRank, this.#after)
  }

  #compare(rank: number, term: Uint8Array | null): number {
    const own = this.#ord < 0 ? this.#missingRank() : 2 * this.#ord
    // Two terms that the leaf lacks, one in place of a value, may lie between the same two of its own.
    if (own === rank) return this.#ord < 0 ? compareKeywords(this.#key, null, term) : 0
    return own < rank === this.#key.descending ? 1 : -1
  }

  store(slot: number): void {
    this.#terms[slot] = this.#ord < 0 ? null : (this.#dictionary?.termOfOrd(this.#ord) ?? null)
    this.#ranks[slot] = this.#ord < 0 ? this.#missingRank() : 2 * this.#ord
    this.#rankedIn[slot] = this.#leafNumber
  }

  compareSlots(a: number, b: number): number {
    return compareKeywords(this.#key, this.#terms[a] ?? null, this.#terms[b] ?? null)
  }

  value(slot: number): SortValue {
    const { missing } = this.#key
    return this.#terms[slot] ?? (typeof missing === 'string' ? null : missing)
  }

  /**
   * A term's rank in the leaf: 2 · ordinal, or one less than the next term's if the leaf lacks it.
   */
  #rankOf(term: Uint8Array | null): number {
    if (term === null) return this.#missingRank()
    const iterator = this.#dictionary?.iterator()
    if (iterator === undefined) return 0
    iterator.seekCeil(term)
    return iterator.isAt(term) ? 2 * iterator.ord() : 2 * iterator.ord() - 1
  }

  #missingLeaf = -1
  #missing = 0

  /** The rank of documents without a value: first, last, or that of the term which replaces it. */
  #missingRank(): number {
    const { missing, descending } = this.#key
    if (typeof missing === 'string')
      return (missing === 'first') === descending
        ? Number.POSITIVE_INFINITY
        : Number.NEGATIVE_INFINITY
    if (this.#missingLeaf !== this.#leafNumber) {
      this.#missingLeaf = this.#leafNumber
      this.#missing = this.#rankOf(missing)
    }
    return this.#missing
  }
}

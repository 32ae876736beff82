import { BucketTable } from '../bucket-table.ts'
import { Doubles, Ints } from '../columns.ts'

/** Memory of a document in a sample. */
const ENTRY_BYTES = 36
/** Documents that a sample takes before it is first cut. */
const MIN_LIMIT = 32

/** The columns of a sample's documents, in any order. */
export interface SampleColumns {
  /** Number of documents. */
  readonly count: number
  /** Documents of the shard. */
  readonly docs: Int32Array
  readonly scores: Float64Array
  /** Weights in counts. */
  readonly weights: Float64Array
  /** The keys in parts: a space, `HAS_VALUE` or `NO_VALUE`, and a number of 64 bits in halves. */
  readonly spaces: Int32Array
  readonly highs: Int32Array
  readonly lows: Int32Array
}

/** The space of keys that are values. */
export const HAS_VALUE = 0
/** The space of the one key of documents without a value. */
export const NO_VALUE = 1

/** Number and diversity of a sample's documents. */
export interface SampleLimits {
  readonly size: number
  /** Documents of one key; Infinity: any number, so that keys are not read. */
  readonly perKey: number
}

/**
 * The best documents of those added, by score, then by lowest document, of which no more than a number have
 * the same key. Taking them greedily from the best down is a function of the set alone, and a document that
 * a part of the set leaves out is left out of the whole, so that samples of parts merge.
 */
export class DocSample implements SampleColumns {
  readonly #limits: SampleLimits
  readonly #charge: (bytes: number) => void
  readonly #docs = new Ints()
  readonly #spaces = new Ints()
  readonly #highs = new Ints()
  readonly #lows = new Ints()
  readonly #scores = new Doubles()
  readonly #weights = new Doubles()
  /** Documents at which it is cut next. */
  #limit = MIN_LIMIT
  /** The last document of a full sample: none behind it is taken. */
  #lastScore = Number.NEGATIVE_INFINITY
  #lastDoc = Number.POSITIVE_INFINITY

  /** @param charge charges memory before it is taken */
  constructor(limits: SampleLimits, charge: (bytes: number) => void) {
    this.#limits = limits
    this.#charge = charge
    charge(MIN_LIMIT * ENTRY_BYTES)
  }

  get count(): number {
    return this.#docs.length
  }

  get docs(): Int32Array {
    return this.#docs.values
  }

  get scores(): Float64Array {
    return this.#scores.values
  }

  get weights(): Float64Array {
    return this.#weights.values
  }

  get spaces(): Int32Array {
    return this.#spaces.values
  }

  get highs(): Int32Array {
    return this.#highs.values
  }

  get lows(): Int32Array {
    return this.#lows.values
  }

  /** @param doc of the shard, which is added once */
  add(doc: number, score: number, weight: number, space: number, high: number, low: number): void {
    if (score < this.#lastScore || (score === this.#lastScore && doc > this.#lastDoc)) return
    if (this.count === this.#limit) this.cut()
    this.#push(doc, score, weight, space, high, low)
  }

  /** Leaves the sample alone. */
  cut(): void {
    const { size, perKey } = this.#limits
    const isPlain = perKey === Number.POSITIVE_INFINITY
    if (!isPlain || this.count > size) this.#cutTo(size, isPlain)
    const limit = Math.max(MIN_LIMIT, 2 * this.count)
    if (limit > this.#limit) this.#charge((limit - this.#limit) * ENTRY_BYTES)
    this.#limit = limit
  }

  #cutTo(size: number, isPlain: boolean): void {
    const { count, docs, scores } = this
    const order = Int32Array.from({ length: count }, (_, i) => i).sort(
      (a, b) => scores[b]! - scores[a]! || docs[a]! - docs[b]!,
    )
    const kept = isPlain ? order : this.#diverse(order)
    this.#keep(kept.subarray(0, size))
    if (this.count > 0 && this.count === size) {
      this.#lastScore = this.scores[size - 1]!
      this.#lastDoc = this.docs[size - 1]!
    }
  }

  /** Those of an order that no more than `perKey` with the same key stand ahead of. */
  #diverse(order: Int32Array): Int32Array {
    const { perKey } = this.#limits
    const { spaces, highs, lows } = this
    const keys = new BucketTable()
    const counts = new Doubles()
    return order.filter(at => {
      const key = keys.bucketOf(spaces[at]!, highs[at]!, lows[at]!)
      const found = counts.ensure(key + 1)
      found[key] = found[key]! + 1
      return found[key]! <= perKey
    })
  }

  #keep(kept: Int32Array): void {
    const { docs, scores, weights, spaces, highs, lows } = this
    const all = Array.from(
      kept,
      at => [docs[at]!, scores[at]!, weights[at]!, spaces[at]!, highs[at]!, lows[at]!] as const,
    )
    for (const column of [this.#docs, this.#spaces, this.#highs, this.#lows]) column.length = 0
    for (const each of all) this.#push(...each)
  }

  #push(
    doc: number,
    score: number,
    weight: number,
    space: number,
    high: number,
    low: number,
  ): void {
    const at = this.count
    this.#docs.push(doc)
    this.#spaces.push(space)
    this.#highs.push(high)
    this.#lows.push(low)
    this.#scores.ensure(at + 1)[at] = score
    this.#weights.ensure(at + 1)[at] = weight
  }
}

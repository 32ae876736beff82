import type { NumericValuesReader } from '../codec/doc-values/reader.ts'
import { BATCH_DOCS } from '../search/collector/gather.ts'
import { highHalf, joinHalves, lowHalf } from '../search/query/point-value.ts'
import { decodePoint } from '../search/scorer/point-encoding.ts'
import type { ScriptedValues } from '../search/script/leaf-script.ts'
import { scriptEngine } from '../search/script/script-engine.ts'
import type { ValueScript } from '../search/script/value-script.ts'
import type { Leaf } from '../segment/leaf.ts'
import type { BucketBatch } from './bucket-batch.ts'
import { NO_INTS } from './columns.ts'
import { ColumnBatch } from './kernel/column-batch.ts'
import { sortableOf } from './sortable-of.ts'
import type { NumberSource } from './value-source.ts'

const NO_LOWS = new Uint32Array(0)
const NO_DOUBLES = new Float64Array(0)

/** The values of the documents of a batch, read at once: pairs of a document's index and a value. */
export class NumberColumn {
  /** Number of values. */
  count = 0
  /** The index in the batch of each value's document, ascending. */
  index: Int32Array = NO_INTS
  /** The sortable integers in halves: signed upper ones. */
  high: Int32Array = NO_INTS
  /** Unsigned lower halves. */
  low: Uint32Array = NO_LOWS
  readonly #source: NumberSource
  readonly #missingHigh: number
  readonly #missingLow: number
  #reader: NumericValuesReader | null = null
  /** Null: values are read one by one. */
  #batch: ColumnBatch | null = null
  /** Whether the values read last are those of the batch. */
  #isBatch = false
  #doubles = NO_DOUBLES
  /** Numbers of the script on the open leaf; null: no batch of it has been read. */
  #scripted: ScriptedValues | null = null
  /** Arrays of values that are read one by one, which most searches never do. */
  #own = { index: this.index, high: this.high, low: this.low }

  constructor(source: NumberSource) {
    this.#source = source
    const missing = source.missing ?? 0n
    this.#missingHigh = Number(BigInt.asIntN(32, missing >> 32n))
    this.#missingLow = Number(missing & 0xffffffffn)
  }

  openLeaf(leaf: Leaf): void {
    const { field, encoding, scale, missing, isNanos, script } = this.#source
    if (script !== undefined) {
      this.#scripted = null
      return
    }
    this.#reader = leaf.numericValues(field)
    this.#batch =
      this.#reader === null || missing !== null || isNanos
        ? null
        : ColumnBatch.of(leaf, this.#reader, encoding, scale)
    if (this.#batch === null) this.#ownArrays()
  }

  /** The leaf's column; null: it has none. */
  get values(): NumericValuesReader | null {
    return this.#reader
  }

  /** Whether no document of the leaf has a value. */
  get isEmpty(): boolean {
    const { missing, script } = this.#source
    return this.#reader === null && missing === null && script === undefined
  }

  /** Reads the values of a batch, ascending within a document. */
  read(batch: BucketBatch): void {
    const { script } = this.#source
    if (script !== undefined) {
      this.#readScripted(script, batch)
      return
    }
    const found = this.#batch?.read(batch) ?? -1
    this.#isBatch = found >= 0
    if (this.#isBatch) {
      const { index, high, low } = this.#batch!
      this.index = index
      this.high = high
      this.low = low
      this.count = found
      return
    }
    this.#ownArrays()
    const { docs, count } = batch
    const reader = this.#reader
    let at = 0
    for (let i = 0; i < count; i++) {
      if (reader?.advanceExact(docs[i]!) === true) {
        const values = reader.valueCount()
        if (at + values > this.index.length) this.#grow(at + values)
        this.index[at] = i
        this.high[at] = reader.hi()
        this.low[at++] = reader.lo()
        for (let k = 1; k < values; k++) {
          reader.select(k)
          this.index[at] = i
          this.high[at] = reader.hi()
          this.low[at++] = reader.lo()
        }
      } else if (this.#source.missing !== null) {
        if (at === this.index.length) this.#grow(at + 1)
        this.index[at] = i
        this.high[at] = this.#missingHigh
        this.low[at++] = this.#missingLow
      }
    }
    this.count = at
    if (this.#source.isNanos) this.#toMillis()
  }

  /** Runs a script on the documents of a batch. */
  #readScripted(script: ValueScript, { docs, count, leaf, scores, scripts }: BucketBatch): void {
    const values = (this.#scripted ??= scriptEngine().values(script, leaf, scripts))
    const { missing } = this.#source
    let at = 0
    for (let i = 0; i < count; i++) {
      const numbers = values.numbers(docs[i]!, scores?.[i] ?? 0)
      const needed = at + Math.max(1, numbers.length)
      if (needed > this.index.length) this.#grow(needed)
      for (const number of numbers) {
        const sortable = sortableOf(this.#source, number)
        this.index[at] = i
        this.high[at] = highHalf(sortable)
        this.low[at++] = lowHalf(sortable)
      }
      if (numbers.length > 0 || missing === null) continue
      this.index[at] = i
      this.high[at] = this.#missingHigh
      this.low[at++] = this.#missingLow
    }
    this.count = at
  }

  /** The values read, as doubles; longs past 2⁵³ are rounded. */
  doubles(): Float64Array {
    const decoded = this.#isBatch ? this.#batch!.doubles : null
    if (decoded !== null) return decoded
    if (this.#doubles.length < this.index.length)
      this.#doubles = new Float64Array(this.index.length)
    const { high, low, count } = this
    const doubles = this.#doubles
    const { encoding, scale } = this.#source
    if (encoding === 'long' && scale === 1)
      for (let i = 0; i < count; i++) doubles[i] = high[i]! * 4294967296 + low[i]!
    else
      for (let i = 0; i < count; i++) doubles[i] = decodePoint(high[i]!, low[i]!, encoding) / scale
    return doubles
  }

  /** Leaves the arrays of a batch, which must not be written or grown. */
  #ownArrays(): void {
    this.#isBatch = false
    const { index, high, low } = this.#own
    this.index = index
    this.high = high
    this.low = low
  }

  /** Nanoseconds become whole milliseconds. */
  #toMillis(): void {
    for (let i = 0; i < this.count; i++) {
      const millis = joinHalves(this.high[i]!, this.low[i]!) / 1_000_000n
      this.high[i] = highHalf(millis)
      this.low[i] = lowHalf(millis)
    }
  }

  #grow(count: number): void {
    const capacity = Math.max(count, BATCH_DOCS, 2 * this.index.length)
    const index = new Int32Array(capacity)
    const high = new Int32Array(capacity)
    const low = new Uint32Array(capacity)
    index.set(this.index)
    high.set(this.high)
    low.set(this.low)
    this.#own = { index, high, low }
    this.index = index
    this.high = high
    this.low = low
  }
}

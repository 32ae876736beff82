import { joinHalves } from '../../search/query/point-value.ts'
import { decodePoint } from '../../search/scorer/point-encoding.ts'
import type { Leaf } from '../../segment/leaf.ts'
import { BucketTable } from '../bucket-table.ts'
import { liveBatches } from '../live-batches.ts'
import { NumberColumn } from '../number-column.ts'
import type { NumberSource } from '../value-source.ts'
import { NumberFilter } from './number-filter.ts'
import type { NumberTermsPartial } from './number-terms.ts'
import type { TermKey, ValueKeys } from './term-keys.ts'
import type { ValueFilter } from './value-filter.ts'

/** Buckets by sortable integer. */
export class NumberKeys implements ValueKeys {
  readonly #values: NumberSource
  readonly #filter: NumberFilter | null
  readonly #leaves: readonly Leaf[]
  readonly #table = new BucketTable()

  constructor(values: NumberSource, filter: ValueFilter | null, leaves: readonly Leaf[]) {
    this.#values = values
    this.#filter = filter === null ? null : new NumberFilter(filter)
    this.#leaves = leaves
  }

  get size(): number {
    return this.#table.size
  }

  add(partial: unknown, owners: Int32Array): Int32Array {
    const from = partial as NumberTermsPartial
    return Int32Array.from(from.owners, (owner, bucket) =>
      this.#table.bucketOf(owners[owner]!, from.highs[bucket]!, from.lows[bucket]!),
    )
  }

  addAll(owner: number): void {
    if (this.#values.script !== undefined) {
      this.#addScripted(owner)
      return
    }
    for (const leaf of this.#leaves) {
      const reader = leaf.numericValues(this.#values.field)
      if (reader === null) continue
      const docs = reader.docs()
      for (let doc = docs.nextDoc(); doc < leaf.maxDoc; doc = docs.nextDoc()) {
        if (!reader.advanceExact(doc)) continue
        for (let k = 0; k < reader.valueCount(); k++) {
          reader.select(k)
          if (this.#filter?.accepts(reader.hi(), reader.lo()) !== false)
            this.#table.bucketOf(owner, reader.hi(), reader.lo())
        }
      }
    }
  }

  /** The numbers that a script gives the documents. */
  #addScripted(owner: number): void {
    const column = new NumberColumn(this.#values)
    let open: Leaf | null = null
    for (const batch of liveBatches(this.#leaves)) {
      if (batch.leaf !== open) column.openLeaf(batch.leaf)
      open = batch.leaf
      column.read(batch)
      for (let i = 0; i < column.count; i++)
        if (this.#filter?.accepts(column.high[i]!, column.low[i]!) !== false)
          this.#table.bucketOf(owner, column.high[i]!, column.low[i]!)
    }
  }

  owner(bucket: number): number {
    return this.#table.owner(bucket)
  }

  high(bucket: number): number {
    return this.#table.high(bucket)
  }

  low(bucket: number): number {
    return this.#table.low(bucket)
  }

  compare(a: number, b: number): number {
    const table = this.#table
    return table.high(a) - table.high(b) || table.low(a) - table.low(b)
  }

  key(bucket: number): TermKey {
    const { encoding, scale, type } = this.#values
    const high = this.#table.high(bucket)
    const low = this.#table.low(bucket)
    if (type === 'double') return decodePoint(high, low, encoding) / scale
    const stored = joinHalves(high, low)
    return type === 'long' ? stored : BigInt.asUintN(64, stored) ^ (1n << 63n)
  }
}

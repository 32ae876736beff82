import { compareKeys } from '../terms/key-form.ts'
import type { TermKeys } from '../terms/term-keys.ts'
import type { TuplesPartial } from './tuple-collector.ts'
import { compareTupleValues, type TupleValue } from './tuple-source.ts'
import { TupleTable } from './tuple-table.ts'
import { ValueIds } from './value-ids.ts'

/** A key of a bucket: a value for each source. */
export type TupleKey = readonly TupleValue[]

/** Buckets of tuples while the slices of a shard are merged. */
export class TupleKeys implements TermKeys<TupleKey> {
  readonly #length: number
  readonly #ids: readonly ValueIds[]
  readonly #table: TupleTable
  readonly #allOf: (() => TuplesPartial) | null

  /**
   * @param length sources of the tuples
   * @param allOf  all tuples of the shard's documents; null: none are asked for
   */
  constructor(length: number, allOf: (() => TuplesPartial) | null) {
    this.#length = length
    this.#ids = Array.from({ length }, () => new ValueIds())
    this.#table = new TupleTable(length)
    this.#allOf = allOf
  }

  get size(): number {
    return this.#table.size
  }

  add(partial: unknown, owners: Int32Array): Int32Array {
    const { owners: from, ids, values } = partial as TuplesPartial
    const known = values.map((each, place) => each.map(value => this.#ids[place]!.idOf(value)))
    return Int32Array.from(from, (owner, bucket) => {
      let prefix = owners[owner]!
      for (let place = 0; place < this.#length; place++)
        prefix = this.#table.extend(place, prefix, known[place]![ids[place]![bucket]!]!)
      return prefix
    })
  }

  addAll(owner: number): void {
    const all = this.#allOf?.()
    if (all !== undefined) this.add(all, Int32Array.of(owner))
  }

  owner(bucket: number): number {
    return this.#table.owner(bucket)
  }

  compare(a: number, b: number): number {
    for (let place = 0; place < this.#length; place++) {
      const order = compareTupleValues(this.#value(a, place), this.#value(b, place), compareKeys)
      if (order !== 0) return order
    }
    return 0
  }

  key(bucket: number): TupleKey {
    return Array.from({ length: this.#length }, (_, place) => this.#value(bucket, place))
  }

  #value(bucket: number, place: number): TupleValue {
    return this.#ids[place]!.values[this.#table.id(bucket, place)]!
  }
}

/** The same for equal keys alone. */
export function tupleId(key: TupleKey): string {
  return key
    .map(value => {
      if (value === null) return 'n'
      if (value instanceof Uint8Array)
        return `t${value.length}:${Buffer.from(value).toString('latin1')}`
      return Object.is(value, -0) ? 'd-0' : `d${value}`
    })
    .join('|')
}

import { joinHalves } from '../../search/query/point-value.ts'
import { isNumberOfPartition, type ValueFilter, type ValueSet } from './value-filter.ts'

/** Tells which numbers have buckets. */
export class NumberFilter {
  readonly #include: ReadonlySet<bigint> | null
  readonly #exclude: ReadonlySet<bigint> | null
  readonly #partition: ValueFilter['partition']

  constructor({ include, exclude, partition }: ValueFilter) {
    this.#include = numbersOf(include)
    this.#exclude = numbersOf(exclude)
    this.#partition = partition
  }

  /** @param high signed upper half of a sortable integer @param low unsigned lower half */
  accepts(high: number, low: number): boolean {
    const value = joinHalves(high, low)
    if (this.#include !== null && !this.#include.has(value)) return false
    if (this.#exclude?.has(value) === true) return false
    return this.#partition === null || isNumberOfPartition(value, this.#partition)
  }
}

function numbersOf(set: ValueSet | null): ReadonlySet<bigint> | null {
  return set?.kind === 'numbers' ? new Set(set.numbers) : null
}

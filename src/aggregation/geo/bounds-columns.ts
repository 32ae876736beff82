/** Extreme coordinates by owning bucket, quantised to signed integers of 32 bits. */
import { Doubles, ownerLimit } from '../columns.ts'

/** The extremes of one bucket. */
export interface Extremes {
  readonly top: number
  readonly bottom: number
  /** Longitudes from 0 on; null: there are none. */
  readonly east: { readonly min: number; readonly max: number } | null
  /** Those below 0. */
  readonly west: { readonly min: number; readonly max: number } | null
}

/** Columns by bucket, infinite without a value: plain data. */
export interface BoundsPartial {
  readonly mins: readonly Float64Array[]
  readonly maxs: readonly Float64Array[]
}

/** Latitudes, eastern longitudes and western ones. */
const LATITUDE = 0
const EAST = 1
const WEST = 2
const KINDS: readonly number[] = [LATITUDE, EAST, WEST]

/** Growing extremes by owning bucket. */
export class BoundsColumns {
  readonly #mins = KINDS.map(() => new Doubles(Number.POSITIVE_INFINITY))
  readonly #maxs = KINDS.map(() => new Doubles(Number.NEGATIVE_INFINITY))

  /** Makes room for buckets below `count`. */
  ensure(count: number): void {
    for (const column of [...this.#mins, ...this.#maxs]) column.ensure(count)
  }

  /** Adds a place; the bucket has room. */
  add(owner: number, lat: number, lon: number): void {
    this.#widen(LATITUDE, owner, lat, lat)
    this.#widen(lon >= 0 ? EAST : WEST, owner, lon, lon)
  }

  /** Adds columns. @param owners the owning bucket here by owning bucket there */
  merge({ mins, maxs }: BoundsPartial, owners: Int32Array): void {
    this.ensure(ownerLimit(owners, owners.length))
    for (const kind of KINDS) {
      const limit = Math.min(owners.length, mins[kind]!.length)
      for (let i = 0; i < limit; i++)
        this.#widen(kind, owners[i]!, mins[kind]![i]!, maxs[kind]![i]!)
    }
  }

  partial(): BoundsPartial {
    return {
      mins: this.#mins.map(({ values }) => values),
      maxs: this.#maxs.map(({ values }) => values),
    }
  }

  /** Those of some owning buckets in a new order. */
  pick(owners: Int32Array): BoundsPartial {
    const picked = (column: Doubles): Float64Array =>
      Float64Array.from(owners, owner => column.at(owner))
    return { mins: this.#mins.map(picked), maxs: this.#maxs.map(picked) }
  }

  /** Null: the bucket has no place. */
  extremes(owner: number): Extremes | null {
    const latitudes = this.#range(LATITUDE, owner)
    if (latitudes === null) return null
    return {
      top: latitudes.max,
      bottom: latitudes.min,
      east: this.#range(EAST, owner),
      west: this.#range(WEST, owner),
    }
  }

  #range(kind: number, owner: number): { readonly min: number; readonly max: number } | null {
    const min = this.#mins[kind]!.at(owner)
    const max = this.#maxs[kind]!.at(owner)
    return min > max ? null : { min, max }
  }

  #widen(kind: number, owner: number, min: number, max: number): void {
    const mins = this.#mins[kind]!.values
    const maxs = this.#maxs[kind]!.values
    if (min < mins[owner]!) mins[owner] = min
    if (max > maxs[owner]!) maxs[owner] = max
  }
}

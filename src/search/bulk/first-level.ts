import type { Leaf } from '../../segment/leaf.ts'
import type { CollectSpec, LeafPart } from '../collector/collect-spec.ts'
import { readsScores } from '../collector/top-collector.ts'
import { bitsBytes } from './bulk-scratch.ts'
import { ColumnHeap, NO_LIMIT } from './column-heap.ts'
import { columnKey } from './column-sorts.ts'
import { lastUpTo, type NumberKey } from './number-sort.ts'
import { READ_PAST_BYTES, windowsOf } from './part-bits.ts'
import { orValuesWithin } from './point-sets.ts'

/**
 * Of a sort by several levels, the first of which is one number of each hit: leaves out the matches that are surely no
 * hits by it, of which there are most. A kernel keeps as many numbers as there are hits; what lies behind the last of
 * them, or before that of `search_after`, the other levels need not be read of.
 */
export class FirstLevel {
  readonly #key: NumberKey
  readonly #heap: ColumnHeap
  /** As kept: the last integer that is not after `search_after`, unless by the other levels; null: no bound. */
  readonly #after: bigint | null

  /** Null where the first level is none of numbers, or scores are read of all matches. */
  static of(spec: CollectSpec): FirstLevel | null {
    const { sort, minScore } = spec
    if (sort === null || sort.length < 2 || readsScores(spec)) return null
    const key = columnKey({ ...spec, sort: sort.slice(0, 1) }, minScore)
    return key?.kind === 'number' ? new FirstLevel(key, spec) : null
  }

  private constructor(key: NumberKey, { topCount, searchAfter }: CollectSpec) {
    const [after] = searchAfter ?? []
    this.#key = key
    this.#heap = new ColumnHeap(topCount, key.descending)
    this.#after = after === undefined ? null : lastUpTo(key, after)
  }

  /**
   * @param matches address of their bits, all 0 outside the part
   * @returns that of those that may be hits, in scratch; the same where it is not known which
   */
  narrow(leaf: Leaf, part: LeafPart, matches: number): number {
    const { field, missing, descending } = this.#key
    const values = leaf.numericValues(field)
    if (values?.hasBlocks !== true || leaf.fieldInfo(field)?.multiValued === true) return matches
    const after = this.#after
    const parts = values.addresses()
    this.#heap.takeMatches(leaf, part, { parts, missing, after, limit: NO_LIMIT }, matches)
    const last = this.#heap.last()
    if (after === null && last === null) return matches
    const flip = descending ? -1n : 0n
    const ends = [after ?? -NO_LIMIT - 1n, last ?? NO_LIMIT].map(end => end ^ flip) as [
      bigint,
      bigint,
    ]
    const [lower, upper] = descending ? [ends[1], ends[0]] : ends
    // Documents without a value have none in the column.
    if (parts.presence !== 0 && missing >= lower && missing <= upper) return matches
    const { kernels, scratch, maxDoc } = leaf
    const bits = scratch.allocate(bitsBytes(maxDoc))
    const { start, bytes } = windowsOf(part, maxDoc)
    kernels.fillBits(bits + start, bytes + READ_PAST_BYTES, 0)
    orValuesWithin(leaf, part, values, [{ lower, upper }], bits)
    kernels.andBits(bits + start, matches + start, bytes)
    return bits
  }
}

/** Leaves of the listed matches of a collapsed search those that may be hits of their groups. */
import type { Leaf } from '../../segment/leaf.ts'
import type { CollapseKey } from '../collector/gather-plan.ts'
import { NO_COLUMN } from './column-heap.ts'

/** Byte offsets of the record that `kernels/assembly/group-bests.ts` reads. */
const RECORD = {
  presence: 0,
  ranks: 4,
  blocks: 8,
  data: 12,
  docs: 16,
  scores: 20,
  count: 24,
  bests: 28,
  valueless: 32,
} as const
const RECORD_BYTES = 48
/** 256 entries of 16 bytes. */
const BESTS_BYTES = 4096
/** As float32: NaN, which no score is up to. */
const NO_SCORE_BYTE = 255

/** The best scores that were seen, by group, in one part of a leaf. */
export class GroupBests {
  readonly #record: number
  readonly #leaf: Leaf

  /** Takes scratch of the leaf. Null: its column is none that kernels read. */
  static of(leaf: Leaf, { kind, field }: CollapseKey): GroupBests | null {
    if (leaf.fieldInfo(field)?.multiValued === true) return null
    const values = kind === 'number' ? leaf.numericValues(field) : leaf.ordinals(field)?.values
    if (values?.hasBlocks === false) return null
    return new GroupBests(leaf, values?.addresses() ?? NO_COLUMN)
  }

  private constructor(leaf: Leaf, parts: typeof NO_COLUMN) {
    const { scratch, kernels, views } = leaf
    const record = scratch.allocate(RECORD_BYTES)
    const bests = scratch.allocate(BESTS_BYTES)
    const { i32, f32 } = views
    const at = record >> 2
    i32[at + RECORD.presence / 4] = parts.presence
    i32[at + RECORD.ranks / 4] = parts.ranks
    i32[at + RECORD.blocks / 4] = parts.blocks
    i32[at + RECORD.data / 4] = parts.data
    i32[at + RECORD.bests / 4] = bests
    f32[at + RECORD.valueless / 4] = -1
    kernels.fillBits(bests, BESTS_BYTES, NO_SCORE_BYTE)
    this.#record = record
    this.#leaf = leaf
  }

  /**
   * Keeps of listed matches those that are better than all earlier ones of their groups.
   * @param docs   address of the documents, i32
   * @param scores address of their scores, f32
   * @returns how many are left, in their places
   */
  keep(docs: number, scores: number, count: number): number {
    const { views, kernels } = this.#leaf
    const at = this.#record >> 2
    views.i32[at + RECORD.docs / 4] = docs
    views.i32[at + RECORD.scores / 4] = scores
    views.i32[at + RECORD.count / 4] = count
    return kernels.keepGroupBests(this.#record)
  }
}

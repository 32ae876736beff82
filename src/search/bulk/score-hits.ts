/** Top hits by score, kept in scratch of the arena that holds the current leaf. */
import type { Leaf } from '../../segment/leaf.ts'
import type { Scratch } from '../../segment/scratch.ts'
import { appended } from '../../util/lists.ts'
import type { CollectSpec, SliceHit } from '../collector/collect-spec.ts'
import type { SortKey } from '../sort/sort-key.ts'
import { PLAN } from './plan-record.ts'

/** Up to this many are sorted by insertion: faster without comparator calls. */
const FEW_HITS = 32
/** So many are sorted by keys first, which are exact as doubles. */
const MANY_HITS = 256
const MAX_KEYED_HITS = 2 ** 21
const SIGN = 2 ** 31

/** Whether a sort is best score first, then lowest document. */
export function isByScore(sort: readonly SortKey[] | null): boolean {
  if (sort === null) return true
  const [first, second] = sort
  if (first?.kind !== 'score' || !first.descending || sort.length > 2) return false
  return second === undefined || (second.kind === 'doc' && !second.descending)
}

/** A slice's scratch range for hits, and the allocator that it returns to. */
interface HitsHome {
  readonly scratch: Scratch
  readonly mark: number
  /** Address of the range. */
  readonly hits: number
}

/**
 * Keeps the best hits of a slice: the kernels hold them as a heap in scratch, and the heap is
 * copied when the next leaf lies in another arena.
 */
export class ScoreHits {
  readonly #capacity: number
  readonly #spec: Pick<CollectSpec, 'searchAfter' | 'sort'>
  /** Whether `search_after` bounds the hits. */
  readonly #hasAfter: boolean
  /** The max score of all matches, tracked while `search_after` hides some; −1: none seen. */
  #best = -1
  /** One for each arena that holds a leaf. */
  #homes: HitsHome[] = []
  /** The leaf whose arena holds the hits; null before the first. */
  #leaf: Leaf | null = null
  #scores = 0
  #docs = 0
  #count = 0

  /** @param capacity max hits to keep; 0: none */
  constructor(capacity: number, spec: Pick<CollectSpec, 'searchAfter' | 'sort'>) {
    this.#capacity = capacity
    this.#spec = spec
    this.#hasAfter = spec.searchAfter !== null && capacity > 0
  }

  get isEmpty(): boolean {
    return this.#count === 0
  }

  /** Whether `capacity` hits were found. */
  get isFull(): boolean {
    return this.#count >= this.#capacity
  }

  /** Copies the hits found so far into the leaf's arena. */
  moveTo(leaf: Leaf): void {
    const { scratch, views } = leaf
    const before = this.#leaf
    this.#leaf = leaf
    if (before?.scratch === scratch) return
    const home = this.#homeIn(scratch)
    const scores = this.#scores >> 2
    const docs = this.#docs >> 2
    const count = this.#count
    this.#scores = home.hits
    this.#docs = home.hits + 4 * this.#capacity
    if (before !== null) {
      views.f32.set(before.views.f32.subarray(scores, scores + count), this.#scores >> 2)
      views.i32.set(before.views.i32.subarray(docs, docs + count), this.#docs >> 2)
    }
  }

  #homeIn(scratch: Scratch): HitsHome {
    for (const home of this.#homes) if (home.scratch === scratch) return home
    const mark = scratch.mark()
    const home = { scratch, mark, hits: scratch.allocate(8 * this.#capacity) }
    this.#homes = appended(this.#homes, home)
    return home
  }

  /** Writes the heap's address and size to the plan at `at`. */
  fill({ i32, f32, f64 }: Leaf['views'], at: number): void {
    const plan = at >> 2
    i32[plan + PLAN.capacity / 4] = this.#capacity
    i32[plan + PLAN.hitCount / 4] = this.#count
    i32[plan + PLAN.hitScores / 4] = this.#scores
    i32[plan + PLAN.hitDocs / 4] = this.#docs
    i32[plan + PLAN.hasAfter / 4] = this.#hasAfter ? 1 : 0
    if (!this.#hasAfter) return
    const [score, doc] = this.#spec.searchAfter ?? []
    f64[(at + PLAN.afterScore) >> 3] = Number(score ?? 0)
    // A search_after of a score alone excludes all equal scores.
    const byDoc = this.#spec.sort?.length === 2
    f64[(at + PLAN.afterDoc) >> 3] = byDoc ? Number(doc ?? 0) : Number.POSITIVE_INFINITY
    f32[plan + PLAN.bestScore / 4] = this.#best
  }

  /**
   * Reads a kernel's results back from its plan.
   * @returns the score of the k-th hit; −1 while there are fewer than k
   */
  hear({ i32, f32 }: Leaf['views'], at: number): number {
    this.#count = i32[(at + PLAN.hitCount) >> 2]!
    this.#best = f32[(at + PLAN.bestScore) >> 2]!
    return this.#capacity === 0 || this.#count < this.#capacity ? -1 : f32[this.#scores >> 2]!
  }

  /** Best first. */
  hits(): SliceHit[] {
    if (this.#leaf === null) return []
    const { f32, u32 } = this.#leaf.views
    const { sort } = this.#spec
    const hasSort = sort !== null || this.#hasAfter
    const hasDoc = sort?.length === 2
    const scores = this.#scores >> 2
    const docs = this.#docs >> 2
    const hits: SliceHit[] = []
    const add = (at: number): void => {
      const globalDoc = u32[docs + at]!
      const score = f32[scores + at]!
      const values = !hasSort ? null : hasDoc ? [score, globalDoc] : [score]
      hits.push({ globalDoc, score, sort: values })
    }
    const count = this.#count
    if (count >= MANY_HITS && count <= MAX_KEYED_HITS) {
      const { order, isExact } = orderByBits(u32.subarray(scores, scores + count))
      for (let i = 0; i < count; i++) add(order[i]!)
      return isExact ? hits : hits.sort(compareHits)
    }
    // The heap's root is its worst hit: read backwards, most are in order already.
    for (let i = count - 1; i >= 0; i--) add(i)
    return hits.length <= FEW_HITS ? sortFew(hits) : hits.sort(compareHits)
  }

  /** The max score of all matches; NaN without any. */
  maxScore(hits: readonly SliceHit[]): number {
    if (this.#hasAfter) return this.#best < 0 ? Number.NaN : this.#best
    return hits[0]?.score ?? Number.NaN
  }

  /** Frees the scratch. */
  release(): void {
    for (const { scratch, mark } of this.#homes) scratch.release(mark)
  }
}

/** Best score first, of equal ones the lowest document. */
function compareHits(a: SliceHit, b: SliceHit): number {
  return b.score - a.score || a.globalDoc - b.globalDoc
}

/** Sorts in place by insertion. */
function sortFew(hits: SliceHit[]): SliceHit[] {
  for (let i = 1; i < hits.length; i++) {
    const hit = hits[i]!
    let at = i
    for (; at > 0; at--) {
      const before = hits[at - 1]!
      if (before.score > hit.score) break
      if (before.score === hit.score && before.globalDoc < hit.globalDoc) break
      hits[at] = before
    }
    hits[at] = hit
  }
  return hits
}

/**
 * Indexes of scores, highest first, sorted as numbers without calls: the bits of scores from 0 up ascend with them.
 * @param bits of float32 scores, max 2²¹
 * @returns inexact where some scores are equal or below 0
 */
function orderByBits(bits: Uint32Array): { order: Float64Array; isExact: boolean } {
  const count = bits.length
  const order = new Float64Array(count)
  let isExact = true
  for (let i = 0; i < count; i++) {
    if (bits[i]! >= SIGN) isExact = false
    order[i] = (SIGN - bits[i]!) * count + i
  }
  order.sort()
  for (let i = 0; i < count; i++) {
    order[i] = order[i]! % count
    if (i > 0 && bits[order[i]!] === bits[order[i - 1]!]) isExact = false
  }
  return { order, isExact }
}

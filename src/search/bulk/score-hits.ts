/** Hits by score, kept in scratch of the arena whose leaf is searched. */
import type { Leaf } from '../../segment/leaf.ts'
import type { Scratch } from '../../segment/scratch.ts'
import type { SliceHit } from '../collector/collect-spec.ts'
import { PLAN } from './plan-record.ts'

/**
 * Keeps the best hits of a slice: the kernels hold them as a heap in scratch, and they move along
 * where the next leaf lies in another arena.
 */
export class ScoreHits {
  readonly #capacity: number
  /** Scratch that holds ranges of this slice, with what each is released to. */
  readonly #marks: { readonly scratch: Scratch; readonly mark: number; readonly hits: number }[] =
    []
  /** Where the hits lie now; null before the first leaf. */
  #leaf: Leaf | null = null
  #scores = 0
  #docs = 0
  #count = 0

  /** @param capacity most hits to keep; 0: none */
  constructor(capacity: number) {
    this.#capacity = capacity
  }

  get isEmpty(): boolean {
    return this.#count === 0
  }

  /** Brings the hits found so far into the leaf's arena. */
  moveTo(leaf: Leaf): void {
    const { scratch, views } = leaf
    const before = this.#leaf
    this.#leaf = leaf
    if (before?.scratch === scratch) return
    let home = this.#marks.find(each => each.scratch === scratch)
    if (home === undefined) {
      const mark = scratch.mark()
      home = { scratch, mark, hits: scratch.allocate(8 * this.#capacity) }
      this.#marks.push(home)
    }
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

  /** Says in the plan at `at` where the hits lie. */
  fill({ i32 }: Leaf['views'], at: number): void {
    const plan = at >> 2
    i32[plan + PLAN.capacity / 4] = this.#capacity
    i32[plan + PLAN.hitCount / 4] = this.#count
    i32[plan + PLAN.hitScores / 4] = this.#scores
    i32[plan + PLAN.hitDocs / 4] = this.#docs
  }

  /**
   * Takes what a kernel says in its plan.
   * @returns the score that as many hits as are wanted reach; −1 while there are fewer
   */
  hear({ i32, f32 }: Leaf['views'], at: number): number {
    this.#count = i32[(at + PLAN.hitCount) >> 2]!
    return this.#capacity === 0 || this.#count < this.#capacity ? -1 : f32[this.#scores >> 2]!
  }

  /** Best first. */
  hits(): SliceHit[] {
    if (this.#leaf === null) return []
    const { f32, u32 } = this.#leaf.views
    const hits: SliceHit[] = []
    for (let i = 0; i < this.#count; i++)
      hits.push({
        globalDoc: u32[(this.#docs >> 2) + i]!,
        score: f32[(this.#scores >> 2) + i]!,
        sort: null,
      })
    return hits.sort((a, b) => b.score - a.score || a.globalDoc - b.globalDoc)
  }

  /** Gives the scratch back. */
  release(): void {
    for (const { scratch, mark } of this.#marks) scratch.release(mark)
  }
}

/** Documents with the best scores, kept as they are found in order of the documents. */
import { nextFloat } from '../../util/next-float.ts'

/** Above the place of any kept document: limits are lower. A document times it is an exact double. */
const KEY_OF_DOC = 2 ** 22

/** Documents in order, with their scores in float32. */
export interface ScoredDocs {
  readonly docs: Int32Array
  readonly scores: Float32Array
}

/** The best of a leaf's documents, or all that reach a score. */
export class BestVectors {
  readonly #limit: number
  readonly #minScore: number
  /** While there is a limit a heap, the worst on top; of equal scores the later document is worse. */
  #docs: Int32Array
  #scores: Float32Array
  #count = 0

  /**
   * @param limit    of the number of documents; Infinity: none
   * @param minScore of each, included
   */
  constructor(limit: number, minScore: number) {
    this.#limit = limit
    this.#minScore = minScore
    const room = Math.min(limit, 256)
    this.#docs = new Int32Array(room)
    this.#scores = new Float32Array(room)
  }

  /** The least score with which a document after all others is kept; it may be less than any. */
  get needed(): number {
    if (this.#count < this.#limit) return this.#minScore
    return Math.max(this.#minScore, nextFloat(this.#scores[0]!))
  }

  /** Adds a document after all others. @param score float32 */
  add(docId: number, score: number): void {
    if (!(score >= this.#minScore)) return
    if (this.#count < this.#limit) {
      if (this.#count === this.#docs.length) this.#grow()
      this.#docs[this.#count] = docId
      this.#scores[this.#count++] = score
      // A heap is made when the limit is reached: until then nothing is left out.
      if (this.#count === this.#limit)
        for (let at = (this.#count >> 1) - 1; at >= 0; at--) this.#sink(at)
    } else if (score > this.#scores[0]!) {
      this.#docs[0] = docId
      this.#scores[0] = score
      this.#sink(0)
    }
  }

  /** The kept scores, by document. */
  finish(): ScoredDocs {
    const count = this.#count
    const docs = this.#docs.slice(0, count)
    const scores = this.#scores.slice(0, count)
    // Until the limit is reached they stand as they were added.
    if (count < this.#limit) return { docs, scores }
    const keys = new Float64Array(count)
    for (let i = 0; i < count; i++) keys[i] = docs[i]! * KEY_OF_DOC + i
    keys.sort()
    for (let i = 0; i < count; i++) {
      const at = keys[i]! % KEY_OF_DOC
      docs[i] = this.#docs[at]!
      scores[i] = this.#scores[at]!
    }
    return { docs, scores }
  }

  #grow(): void {
    const room = Math.min(2 * this.#docs.length, this.#limit)
    const docs = new Int32Array(room)
    docs.set(this.#docs)
    this.#docs = docs
    const scores = new Float32Array(room)
    scores.set(this.#scores)
    this.#scores = scores
  }

  #isWorse(a: number, b: number): boolean {
    const [one, other] = [this.#scores[a]!, this.#scores[b]!]
    return one < other || (one === other && this.#docs[a]! > this.#docs[b]!)
  }

  #sink(from: number): void {
    for (let at = from; ; ) {
      let worst = at
      const left = 2 * at + 1
      if (left < this.#count && this.#isWorse(left, worst)) worst = left
      if (left + 1 < this.#count && this.#isWorse(left + 1, worst)) worst = left + 1
      if (worst === at) return
      const doc = this.#docs[at]!
      const score = this.#scores[at]!
      this.#docs[at] = this.#docs[worst]!
      this.#scores[at] = this.#scores[worst]!
      this.#docs[worst] = doc
      this.#scores[worst] = score
      at = worst
    }
  }
}

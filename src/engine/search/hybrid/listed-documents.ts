/** The documents that the lists of a hybrid query name, and their scores in each. */
import type { MergedHit, ShardResult } from '../../../parallel/reduce.ts'
import type { SliceHit } from '../../../search/collector/collect-spec.ts'
import { groupKey } from '../../../search/collector/group-values.ts'
import type { HybridScoring } from './hybrid-scoring.ts'
import { combinationOf, comparableScores, weightsOf } from './score-lists.ts'

/** The documents of all lists, each once, by the order in which the lists name them. */
export class ListedDocuments {
  readonly hits: SliceHit[] = []
  /** Of each, which shard it is in. */
  readonly shards: number[] = []
  /** Of each, a comparable score of every sub-query; 0 where it is not in the list. */
  readonly parts: Float32Array
  readonly #lists: number

  constructor(shards: readonly ShardResult[], lists: number, scoring: HybridScoring) {
    this.#lists = lists
    const listed = shards.reduce((sum, shard) => sum + listedBy(shard), 0)
    this.parts = new Float32Array(listed * lists)
    const known = shards.map(shard => new DocNumbers(listedBy(shard)))
    for (let list = 0; list < lists; list++) {
      const ofShards = shards.map(shard => shard.lists?.[list] ?? [])
      const scores = comparableScores(ofShards, list, scoring)
      let next = 0
      for (const [shard, hits] of ofShards.entries()) {
        const numbers = known[shard]!
        for (const hit of hits) {
          const count = this.hits.length
          const at = numbers.numberOf(hit.globalDoc, count)
          if (at === count) {
            this.hits.push(hit)
            this.shards.push(shard)
          }
          this.parts[at * lists + list] = scores[next++]!
        }
      }
    }
  }

  /** The score of each. */
  combined(scoring: HybridScoring): Float32Array {
    const combination = combinationOf(scoring)
    const weights = weightsOf(scoring, this.#lists)
    const scores = new Float32Array(this.hits.length)
    for (let at = 0; at < scores.length; at++)
      scores[at] = combination.combine(this.parts, at * this.#lists, weights)
    return scores
  }

  /** Of documents in order, the first of each group. */
  firstOfGroups(order: readonly number[]): readonly number[] {
    const seen = new Set<string | bigint | null>()
    return order.filter(at => {
      const key = groupKey(this.hits[at]!.sort?.at(-1) ?? null)
      if (seen.has(key)) return false
      seen.add(key)
      return true
    })
  }

  /** The hit with its combined score, which is also what it is sorted by. */
  scoredHit(at: number, score: number): MergedHit {
    const hit = this.hits[at]!
    const sort = hit.sort === null ? null : [score, ...hit.sort.slice(1)]
    return { shard: this.shards[at]!, hit: { globalDoc: hit.globalDoc, score, sort } }
  }
}

/** Hits in all lists of a shard. */
function listedBy({ lists = [] }: ShardResult): number {
  return lists.reduce((all, list) => all + list.length, 0)
}

/** Numbers of documents, by hashing with open addresses: lists of thousands make a map too slow. */
class DocNumbers {
  readonly #docs: Int32Array
  readonly #numbers: Int32Array
  readonly #mask: number

  /** @param maxCount of documents */
  constructor(maxCount: number) {
    const size = 2 ** Math.ceil(Math.log2(2 * maxCount + 2))
    this.#mask = size - 1
    this.#docs = new Int32Array(size).fill(-1)
    this.#numbers = new Int32Array(size)
  }

  /** The number of a document, which is `next` where it has none yet. */
  numberOf(doc: number, next: number): number {
    // Documents that are neighbours shall not be so here: a multiple of the golden ratio.
    let at = (Math.imul(doc, 0x9e3779b1) >>> 7) & this.#mask
    for (; this.#docs[at] !== -1; at = (at + 1) & this.#mask)
      if (this.#docs[at] === doc) return this.#numbers[at]!
    this.#docs[at] = doc
    this.#numbers[at] = next
    return next
  }
}

/** The documents that the lists of a hybrid query name, and their scores in each. */
import type { MergedHit, ShardResult } from '../../../parallel/reduce.ts'
import type { SliceHit } from '../../../search/collector/collect-spec.ts'
import { groupKey } from '../../../search/collector/group-values.ts'
import type { HybridScoring } from './hybrid-scoring.ts'
import { combinationOf, comparableScores, weightsOf } from './score-lists.ts'

/** The documents of all lists, each once, by the order in which the lists name them. */
export class ListedDocuments {
  /** How many there are; what is of each stands in the first so many places. */
  readonly count: number
  /** Of each, its number in its shard, and which shard that is. */
  readonly docs: Int32Array
  readonly shards: Int32Array
  /** Of each, a comparable score of every sub-query; 0 where it is not in the list. */
  readonly parts: Float32Array
  readonly #results: readonly ShardResult[]
  readonly #lists: number
  /** Of each, the first list that names it, and its place there. */
  readonly #listOf: Uint8Array
  readonly #placeOf: Int32Array

  constructor(shards: readonly ShardResult[], lists: number, scoring: HybridScoring) {
    const listed = shards.reduce((sum, shard) => sum + listedBy(shard), 0)
    const docs = new Int32Array(listed)
    const ofShards = new Int32Array(listed)
    const parts = new Float32Array(listed * lists)
    const listOf = new Uint8Array(listed)
    const placeOf = new Int32Array(listed)
    const known = shards.map(shard => new DocNumbers(listedBy(shard)))
    let count = 0
    for (let list = 0; list < lists; list++) {
      const lanes = shards.map(shard => shard.lists?.[list] ?? [])
      const scores = comparableScores(lanes, list, scoring)
      let next = 0
      for (let shard = 0; shard < lanes.length; shard++) {
        const numbers = known[shard]!
        const hits = lanes[shard]!
        for (let place = 0; place < hits.length; place++) {
          const doc = hits[place]!.globalDoc
          const at = numbers.numberOf(doc, count)
          if (at === count) {
            docs[at] = doc
            ofShards[at] = shard
            listOf[at] = list
            placeOf[at] = place
            count++
          }
          parts[at * lists + list] = scores[next++]!
        }
      }
    }
    this.count = count
    this.docs = docs
    this.shards = ofShards
    this.parts = parts
    this.#results = shards
    this.#lists = lists
    this.#listOf = listOf
    this.#placeOf = placeOf
  }

  /** The score of each. */
  combined(scoring: HybridScoring): Float32Array {
    const combination = combinationOf(scoring)
    const weights = weightsOf(scoring, this.#lists)
    const scores = new Float32Array(this.count)
    for (let at = 0; at < scores.length; at++)
      scores[at] = combination.combine(this.parts, at * this.#lists, weights)
    return scores
  }

  /** Of documents in order, the first of each group. */
  firstOfGroups(order: readonly number[]): readonly number[] {
    const seen = new Set<string | bigint | null>()
    return order.filter(at => {
      const key = groupKey(this.#hit(at).sort?.at(-1) ?? null)
      if (seen.has(key)) return false
      seen.add(key)
      return true
    })
  }

  /** The hit with its combined score, which is also what it is sorted by. */
  scoredHit(at: number, score: number): MergedHit {
    const hit = this.#hit(at)
    const sort = hit.sort === null ? null : [score, ...hit.sort.slice(1)]
    return { shard: this.shards[at]!, hit: { globalDoc: hit.globalDoc, score, sort } }
  }

  #hit(at: number): SliceHit {
    return this.#results[this.shards[at]!]!.lists![this.#listOf[at]!]![this.#placeOf[at]!]!
  }
}

/** Hits in all lists of a shard. */
function listedBy({ lists = [] }: ShardResult): number {
  return lists.reduce((all, list) => all + list.length, 0)
}

/** Numbers of documents, by hashing with open addresses: lists of thousands make a map too slow. */
class DocNumbers {
  /** Slots of a document, −1 in an empty one, and its number: both are read at once. */
  readonly #slots: Int32Array
  readonly #mask: number

  /** @param maxCount of documents */
  constructor(maxCount: number) {
    const size = 2 ** Math.ceil(Math.log2(2 * maxCount + 2))
    this.#mask = size - 1
    this.#slots = new Int32Array(2 * size).fill(-1)
  }

  /** The number of a document, which is `next` where it has none yet. */
  numberOf(doc: number, next: number): number {
    const slots = this.#slots
    const mask = this.#mask
    // Documents that are neighbours shall not be so here: a multiple of the golden ratio.
    let at = (Math.imul(doc, 0x9e3779b1) >>> 7) & mask
    for (let own = slots[2 * at]!; own !== -1; own = slots[2 * at]!) {
      if (own === doc) return slots[2 * at + 1]!
      at = (at + 1) & mask
    }
    slots[2 * at] = doc
    slots[2 * at + 1] = next
    return next
  }
}

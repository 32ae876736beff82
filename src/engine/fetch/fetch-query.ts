import { openMatches } from '../../search/matches-at.ts'
import { bindJoins } from '../../search/query/bind-joins.ts'
import { createWeight } from '../../search/query/create-weight.ts'
import type { Query } from '../../search/query/query.ts'
import { onShard, rewrite } from '../../search/query/query-ops.ts'
import { membership } from '../../search/scorer/scorer.ts'
import type { Weight } from '../../search/weight/weight.ts'
import type { Leaf } from '../../segment/leaf.ts'
import type { SnapshotLeaf } from '../../segment/snapshot.ts'
import type { Turn } from '../../util/turns.ts'
import type { Reading } from './fetch-part.ts'
import type { ShardReader } from './shard-reader.ts'
import { withScratch } from './with-scratch.ts'

/** Work of opening a query on a leaf, in units of about a microsecond. */
const UNITS_PER_LEAF = 16

/** A query that runs over documents of the hits, on the thread that fetches them. */
export class FetchQuery {
  readonly #query: Query
  readonly #scored: boolean
  /** Made with the first leaf. */
  #weight: Weight | null = null

  constructor(query: Query, scored: boolean) {
    this.#query = query
    this.#scored = scored
  }

  /** Runs with the query's weight and a leaf that has scratch for its iterators while it runs. */
  on<T>(shard: ShardReader, snapshotLeaf: SnapshotLeaf, run: (weight: Weight, leaf: Leaf) => T): T {
    this.#weight ??= this.#weightOf(shard)
    const weight = this.#weight
    const { place, pins } = shard
    const { searcher, memory } = place
    return withScratch({ searcher, memory, pins }, weight, snapshotLeaf, leaf => run(weight, leaf))
  }

  /**
   * The query's scores of documents; NaN where it does not match. It passes once over each leaf.
   * @param docs of the shard, in any order
   */
  scores(shard: ShardReader, docs: readonly number[]): Float32Array {
    const reading = this.scoresInTurns(shard, docs, null)
    for (;;) {
      const step = reading.next()
      if (step.done === true) return step.value
    }
  }

  /** The same, but that it yields between two leaves where a turn is over; null: it has all the time. */
  *scoresInTurns(
    shard: ShardReader,
    docs: readonly number[],
    turn: Turn | null,
  ): Reading<Float32Array> {
    const scores = new Float32Array(docs.length).fill(Number.NaN)
    const order = inOrderOf(docs)
    let at = 0
    while (at < order.length) {
      const snapshotLeaf = shard.place.snapshot.leafOf(docs[order[at]!]!)
      const { docBase, segment, ord } = snapshotLeaf
      const first = at
      while (at < order.length && docs[order[at]!]! < docBase + segment.maxDoc) at++
      this.on(shard, snapshotLeaf, (weight, leaf) => {
        const matches = openMatches(weight, leaf, ord)
        if (matches === null) return
        const { scorer } = matches
        // Asked of these documents alone: an iterator would look for its next match behind each.
        const isMatch = membership(scorer)
        for (let i = first; i < at; i++) {
          const index = order[i]!
          if (isMatch(docs[index]! - docBase)) scores[index] = this.#scored ? scorer.score() : 0
        }
      })
      if (turn?.isOver(UNITS_PER_LEAF + at - first) === true) yield
    }
    return scores
  }

  #weightOf(shard: ShardReader): Weight {
    const leaves = shard.place.snapshot.leaves.map(each => shard.leaf(each))
    // Rewritten as the shard's search was, so that sums are grouped alike.
    const query = bindJoins(this.#query, shard.place.joins)
    const decided = onShard(rewrite(query, this.#scored), leaves)
    const { statistics } = shard.place
    return createWeight(rewrite(decided, this.#scored), leaves, this.#scored, true, statistics)
  }
}

/** Indexes of documents in ascending order. */
function inOrderOf(docs: readonly number[]): Float64Array {
  const count = docs.length
  // Numbers alone are sorted without calls: documents lie below 2³¹, and windows below 2²².
  const keys = Float64Array.from(docs, (doc, i) => doc * count + i).sort()
  return keys.map(key => key % count)
}

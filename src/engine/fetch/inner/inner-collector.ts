import type { SliceHit } from '../../../search/collector/collect-spec.ts'
import { SliceState } from '../../../search/collector/collector.ts'
import { NO_NESTED_DOCS } from '../../../search/collector/nested-docs.ts'
import { OwnControl } from '../../../search/collector/search-control.ts'
import { TopFieldCollector } from '../../../search/collector/top-field-collector.ts'
import { type Matches, openMatches } from '../../../search/matches-at.ts'
import type { SnapshotLeaf } from '../../../segment/snapshot.ts'
import type { FetchQuery } from '../fetch-query.ts'
import type { ShardReader } from '../shard-reader.ts'
import type { MadeInnerHits } from './made-inner-hits.ts'

/** The best of some documents that inner hits match. */
export interface BestInnerHits {
  /** How many match. */
  readonly total: number
  /** NaN where no score is read or nothing matches. */
  readonly maxScore: number
  /** The page that is asked for. */
  readonly hits: readonly SliceHit[]
}

/** Collects the inner hits of one hit, leaf by leaf in the snapshot's order. */
export class InnerCollector {
  readonly #made: MadeInnerHits
  readonly #state = new SliceState(new OwnControl(), Number.POSITIVE_INFINITY, false)
  readonly #collector: TopFieldCollector

  /** @param most how many documents there are at most */
  constructor(made: MadeInnerHits, most: number) {
    const { sort, request, withScores } = made
    this.#made = made
    this.#collector = new TopFieldCollector(
      Math.max(1, Math.min(request.from + request.size, most)),
      sort,
      null,
      withScores,
      this.#state,
      NO_NESTED_DOCS,
    )
  }

  /**
   * Collects documents of a leaf.
   * @param visit calls back for each document, ascending, at which the matches' iterator stands
   */
  collect(
    query: FetchQuery,
    shard: ShardReader,
    snapshotLeaf: SnapshotLeaf,
    visit: (matches: Matches, collect: (docId: number) => void) => void,
  ): void {
    query.on(shard, snapshotLeaf, (weight, leaf) => {
      const matches = openMatches(weight, leaf, snapshotLeaf.ord)
      if (matches === null) return
      const collector = this.#collector.openLeaf(leaf, snapshotLeaf.ord)
      collector.setScorer(matches.scorer)
      visit(matches, doc => collector.collect(doc))
    })
  }

  best(): BestInnerHits {
    const { from, size } = this.#made.request
    const collector = this.#collector
    const hits = collector.hits().slice(from, from + size)
    return { total: this.#state.hitCount, maxScore: collector.maxScore(), hits }
  }
}

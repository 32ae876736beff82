import { MAX_CALLING_THREAD_MILLIS, newDocumentRun } from '../../../script/script-run.ts'
import type { SliceHit } from '../../../search/collector/collect-spec.ts'
import { SliceState } from '../../../search/collector/collector.ts'
import { OwnControl } from '../../../search/collector/search-control.ts'
import { TopFieldCollector } from '../../../search/collector/top-field-collector.ts'
import { type Matches, openMatches } from '../../../search/matches-at.ts'
import { NestedDocs } from '../../../search/sort/nested-docs.ts'
import { nestedOf } from '../../../search/sort/sort-key.ts'
import type { SnapshotLeaf } from '../../../segment/snapshot.ts'
import { BitSet } from '../../../util/bit-set.ts'
import { FetchQuery } from '../fetch-query.ts'
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

/** The documents that hits may be, behind which the nested ones of the next hit begin. */
type Parents = ConstructorParameters<typeof NestedDocs>[1]

/** Queries that inner hits of one name run; made once for all hits of a fetch. */
export class InnerQueries {
  readonly query: FetchQuery
  /** By level of the sort, the nested documents that it reads. */
  readonly nested: readonly (FetchQuery | null)[]
  readonly #made: MadeInnerHits
  /** Nested documents of the path that hits have; null: hits are whole documents. */
  readonly #hits: FetchQuery | null
  readonly #parents = new Map<number, Parents>()

  constructor(made: MadeInnerHits) {
    const { of, query, sort, withScores } = made
    this.#made = made
    this.query = new FetchQuery(query, withScores)
    this.nested = sort.map(key => {
      const values = nestedOf(key)
      return values === null ? null : new FetchQuery(values.query, false)
    })
    this.#hits =
      of.kind === 'join'
        ? null
        : new FetchQuery({ kind: 'term', field: '_nested_path', term: of.path }, false)
  }

  /** The documents of a leaf that hits may be, and those around them; null: the leaf has nothing nested. */
  parents(shard: ShardReader, snapshotLeaf: SnapshotLeaf): Parents | null {
    const whole = shard.leaf(snapshotLeaf).parents()
    if (this.#hits === null || whole === null) return whole
    let known = this.#parents.get(snapshotLeaf.ord)
    if (known === undefined) {
      const docs = new BitSet(whole.maxDoc, whole.words())
      this.#hits.on(shard, snapshotLeaf, (weight, leaf) => {
        const iterator = openMatches(weight, leaf, snapshotLeaf.ord)?.iterator
        if (iterator === undefined) return
        for (let doc = iterator.nextDoc(); doc < whole.maxDoc; doc = iterator.nextDoc())
          docs.add(doc)
      })
      known = docs
      this.#parents.set(snapshotLeaf.ord, known)
    }
    return known
  }

  /** A collector of the inner hits of one hit. @param most how many documents there are at most */
  collector(most: number): InnerCollector {
    return new InnerCollector(this, this.#made, most)
  }
}

/** Collects the inner hits of one hit, leaf by leaf in the snapshot's order. */
class InnerCollector {
  readonly #queries: InnerQueries
  readonly #made: MadeInnerHits
  readonly #state = new SliceState(new OwnControl(), Number.POSITIVE_INFINITY, false)
  readonly #collector: TopFieldCollector
  /** Of the current leaf, by level. */
  #nested: readonly (NestedDocs | null)[] = []

  constructor(queries: InnerQueries, made: MadeInnerHits, most: number) {
    const { sort, request, withScores } = made
    this.#queries = queries
    this.#made = made
    this.#collector = new TopFieldCollector(
      Math.max(1, Math.min(request.from + request.size, most)),
      sort,
      null,
      withScores,
      this.#state,
      level => this.#nested[level] ?? null,
      newDocumentRun(MAX_CALLING_THREAD_MILLIS),
    )
  }

  /**
   * Collects documents of a leaf.
   * @param visit calls back for each document, ascending, at which the matches' iterator stands
   */
  collect(
    shard: ShardReader,
    snapshotLeaf: SnapshotLeaf,
    visit: (matches: Matches, collect: (docId: number) => void) => void,
  ): void {
    this.#withNested(shard, snapshotLeaf, [], () =>
      this.#queries.query.on(shard, snapshotLeaf, (weight, leaf) => {
        const matches = openMatches(weight, leaf, snapshotLeaf.ord)
        if (matches === null) return
        const collector = this.#collector.openLeaf(leaf, snapshotLeaf.ord)
        collector.setScorer(matches.scorer)
        visit(matches, doc => collector.collect(doc))
      }),
    )
  }

  /** Runs while the nested documents of all levels of the sort are open. */
  #withNested(
    shard: ShardReader,
    snapshotLeaf: SnapshotLeaf,
    open: readonly (NestedDocs | null)[],
    run: () => void,
  ): void {
    const { nested } = this.#queries
    const level = open.length
    if (level === nested.length) {
      this.#nested = open
      run()
      return
    }
    const query = nested[level] ?? null
    const parents = query === null ? null : this.#queries.parents(shard, snapshotLeaf)
    if (query === null || parents === null)
      this.#withNested(shard, snapshotLeaf, [...open, null], run)
    else
      query.on(shard, snapshotLeaf, (weight, leaf) => {
        const iterator = openMatches(weight, leaf, snapshotLeaf.ord)?.iterator
        const docs = iterator === undefined ? null : new NestedDocs(iterator, parents)
        this.#withNested(shard, snapshotLeaf, [...open, docs], run)
      })
  }

  best(): BestInnerHits {
    const { from, size } = this.#made.request
    const collector = this.#collector
    const hits = collector.hits().slice(from, from + size)
    return { total: this.#state.hitCount, maxScore: collector.maxScore(), hits }
  }
}

/** Reads what a response shows of the hits of one shard. */
import type { ShardSearcher } from '../../parallel/shard-search.ts'
import type { FetchPhase, FetchProfiler, FetchStep } from '../../profile/fetch-profiler.ts'
import type { SliceHit } from '../../search/collector/collect-spec.ts'
import { explain as explainScore } from '../../search/explain.ts'
import { createWeight } from '../../search/query/create-weight.ts'
import type { Query } from '../../search/query/query.ts'
import { onShard, rewrite } from '../../search/query/query-ops.ts'
import type { Explanation } from '../../search/weight/explanation.ts'
import type { Weight } from '../../search/weight/weight.ts'
import type { Leaf } from '../../segment/leaf.ts'
import type { Pins, SegmentMemory } from '../../segment/segment-memory.ts'
import type { Snapshot, SnapshotLeaf } from '../../segment/snapshot.ts'
import type { StoredCache } from '../../segment/stored-cache.ts'
import { decodeUtf8 } from '../../util/bytes.ts'
import type { SourceFilter } from '../api/documents.ts'
import type { Charge } from '../api/memory-charge.ts'
import type { ResolvedSort } from '../dsl/field/sort-level.ts'
import type { FetchedHit } from '../response/search-response.ts'
import { filterSource } from './source-filter.ts'

/** Scratch of one explanation: a few iterators for each clause, rounded up generously. */
const SCRATCH_PER_ITERATOR = 8192
const SCRATCH_BASE = 65_536

/** A source is copied out of its block, and again into the response. */
const COPIES = 2

/** Where a shard's documents are read from. */
export interface FetchPlace {
  readonly searcher: ShardSearcher
  readonly memory: SegmentMemory
  readonly stored: StoredCache
  readonly snapshot: Snapshot
  readonly index: string
  readonly shard: number
  /** What the search may hold; the sources are charged to it before they are copied. */
  readonly charge: Charge
}

/** What is read of each hit. */
export interface FetchOptions {
  readonly source: SourceFilter
  readonly version: boolean
  readonly seqNoPrimaryTerm: boolean
  /** Null: hits stand by score alone. */
  readonly sort: readonly ResolvedSort[] | null
  readonly withScores: boolean
  /** The query whose scores are explained; null: none. */
  readonly explain: Query | null
}

/**
 * The hits in the order given. The caller holds the snapshot.
 * @param profiler measures the steps; null in a search without a profile of them
 */
export function fetchHits(
  place: FetchPlace,
  hits: readonly SliceHit[],
  options: FetchOptions,
  profiler: FetchProfiler | null,
): FetchedHit[] {
  if (hits.length === 0) return []
  const pins = place.memory.newPins()
  try {
    return new HitReader(place, options, pins, profiler).read(hits)
  } finally {
    pins.release()
  }
}

class HitReader {
  readonly #place: FetchPlace
  readonly #options: FetchOptions
  readonly #pins: Pins
  readonly #leaves = new Map<number, Leaf>()
  readonly #profiler: FetchProfiler | null
  readonly #phases: readonly FetchPhase[]
  #weight: Weight | null = null

  constructor(
    place: FetchPlace,
    options: FetchOptions,
    pins: Pins,
    profiler: FetchProfiler | null,
  ) {
    this.#place = place
    this.#options = options
    this.#pins = pins
    this.#profiler = profiler
    this.#phases = this.#step('build_sub_phase_processors', () => phasesOf(options))
    this.#step('create_stored_fields_visitor', () => options.source.enabled)
  }

  read(hits: readonly SliceHit[]): FetchedHit[] {
    return hits.map(hit => this.#read(hit))
  }

  #read(hit: SliceHit): FetchedHit {
    const { snapshot, stored, index, shard } = this.#place
    const { source, version, seqNoPrimaryTerm, sort, withScores, explain } = this.#options
    const snapshotLeaf = snapshot.leafOf(hit.globalDoc)
    const docId = hit.globalDoc - snapshotLeaf.docBase
    const leaf = this.#leaf(snapshotLeaf)
    // The cached block is a view that the next read may drop.
    const bytes = source.enabled
      ? this.#step('load_source', () => stored.read(snapshotLeaf.segment, docId))
      : null
    if (bytes !== null) this.#place.charge.add(COPIES * bytes.length)
    const kept =
      bytes === null
        ? null
        : this.#process('FetchSourcePhase', () => filterSource(bytes, source)?.slice() ?? null)
    const { id, routing } = this.#step('load_stored_fields', () => ({
      id: decodeUtf8(leaf.ids().id(docId)),
      routing: routingOf(leaf, docId),
    }))
    const [seqNo, primaryTerm] = seqNoPrimaryTerm
      ? this.#process('SeqNoPrimaryTermPhase', () => [
          numberOf(leaf, '_seq_no', docId),
          numberOf(leaf, '_primary_term', docId),
        ])
      : [null, null]
    const values = hit.sort ?? []
    return {
      index,
      id,
      score: withScores && !Number.isNaN(hit.score) ? hit.score : null,
      routing,
      version: version
        ? this.#process('FetchVersionPhase', () => numberOf(leaf, '_version', docId))
        : null,
      seqNo: seqNo ?? null,
      primaryTerm: primaryTerm ?? null,
      source: kept,
      sort:
        sort?.map((level, i) => {
          const value = values[i] ?? null
          return value === null ? null : level.print(value)
        }) ?? null,
      explanation:
        explain === null
          ? null
          : this.#process('ExplainPhase', () => this.#explanation(explain, snapshotLeaf, docId)),
      shard,
    }
  }

  #leaf(snapshotLeaf: SnapshotLeaf): Leaf {
    let leaf = this.#leaves.get(snapshotLeaf.ord)
    if (leaf === undefined) {
      leaf = this.#step('get_next_reader', () =>
        this.#place.searcher.openLeaf(snapshotLeaf, this.#pins, null),
      )
      this.#profiler?.nextReader(this.#phases)
      this.#leaves.set(snapshotLeaf.ord, leaf)
    }
    return leaf
  }

  #step<T>(step: FetchStep, run: () => T): T {
    return this.#profiler === null ? run() : this.#profiler.step(step, run)
  }

  #process<T>(phase: FetchPhase, run: () => T): T {
    return this.#profiler === null ? run() : this.#profiler.process(phase, run)
  }

  #explanation(query: Query, snapshotLeaf: SnapshotLeaf, docId: number): Explanation | null {
    const { searcher, memory, snapshot } = this.#place
    if (this.#weight === null) {
      const leaves = snapshot.leaves.map(each => this.#leaf(each))
      // Rewritten as the shard's search was, so that sums are grouped alike.
      const decided = onShard(rewrite(query, true), leaves)
      this.#weight = createWeight(rewrite(decided, true), leaves, true)
    }
    const weight = this.#weight
    const bytes = SCRATCH_BASE + 2 * weight.openPostings * SCRATCH_PER_ITERATOR
    const range = memory.allocate(snapshotLeaf.segment, bytes)
    try {
      const leaf = searcher.openLeaf(snapshotLeaf, this.#pins, range)
      return explainScore(weight, leaf, snapshotLeaf.ord, docId)
    } finally {
      memory.free(range)
    }
  }
}

/** What is read of each hit beside its id. */
function phasesOf(options: FetchOptions): readonly FetchPhase[] {
  const phases: FetchPhase[] = []
  if (options.source.enabled) phases.push('FetchSourcePhase')
  if (options.version) phases.push('FetchVersionPhase')
  if (options.seqNoPrimaryTerm) phases.push('SeqNoPrimaryTermPhase')
  if (options.explain !== null) phases.push('ExplainPhase')
  return phases
}

function numberOf(leaf: Leaf, column: string, docId: number): number | null {
  const values = leaf.numericValues(column)
  return values?.advanceExact(docId) === true ? values.number() : null
}

function routingOf(leaf: Leaf, docId: number): string | null {
  const ordinals = leaf.ordinals('_routing')
  if (ordinals === null || !ordinals.advanceExact(docId)) return null
  const terms = leaf.terms('_routing')
  return terms === null ? null : decodeUtf8(terms.termOfOrd(ordinals.ord(0)))
}

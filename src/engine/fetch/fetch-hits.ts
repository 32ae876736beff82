/** Reads what a response shows of the hits of one shard. */
import type { ShardSearcher } from '../../parallel/shard-search.ts'
import type { SliceHit } from '../../search/collector/collect-spec.ts'
import { type Explanation, explain } from '../../search/explain.ts'
import { expandPrefixes } from '../../search/query/expand-prefixes.ts'
import type { Query } from '../../search/query/query.ts'
import { rewrite } from '../../search/query/rewrite.ts'
import { rewriteDates } from '../../search/query/rewrite-dates.ts'
import { createWeight } from '../../search/weight/create-weight.ts'
import type { Weight } from '../../search/weight/weight.ts'
import type { Leaf } from '../../segment/leaf.ts'
import type { Pins, SegmentMemory } from '../../segment/segment-memory.ts'
import type { Snapshot, SnapshotLeaf } from '../../segment/snapshot.ts'
import type { StoredCache } from '../../segment/stored-cache.ts'
import { decodeUtf8 } from '../../util/bytes.ts'
import type { SourceFilter } from '../api/engine-api.ts'
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

/** The hits in the order given. The caller holds the snapshot. */
export function fetchHits(
  place: FetchPlace,
  hits: readonly SliceHit[],
  options: FetchOptions,
): FetchedHit[] {
  if (hits.length === 0) return []
  const pins = place.memory.newPins()
  try {
    return new HitReader(place, options, pins).read(hits)
  } finally {
    pins.release()
  }
}

class HitReader {
  readonly #place: FetchPlace
  readonly #options: FetchOptions
  readonly #pins: Pins
  readonly #leaves = new Map<number, Leaf>()
  #weight: Weight | null = null

  constructor(place: FetchPlace, options: FetchOptions, pins: Pins) {
    this.#place = place
    this.#options = options
    this.#pins = pins
  }

  read(hits: readonly SliceHit[]): FetchedHit[] {
    return hits.map(hit => this.#read(hit))
  }

  #read(hit: SliceHit): FetchedHit {
    const { snapshot, stored, index, shard } = this.#place
    const { source, version, seqNoPrimaryTerm, sort, withScores } = this.#options
    const snapshotLeaf = snapshot.leafOf(hit.globalDoc)
    const docId = hit.globalDoc - snapshotLeaf.docBase
    const leaf = this.#leaf(snapshotLeaf)
    // The cached block is a view that the next read may drop.
    const bytes = source.enabled ? stored.read(snapshotLeaf.segment, docId) : null
    if (bytes !== null) this.#place.charge.add(COPIES * bytes.length)
    const kept = bytes === null ? null : filterSource(bytes, source)
    const values = hit.sort ?? []
    return {
      index,
      id: decodeUtf8(leaf.ids().id(docId)),
      score: withScores && !Number.isNaN(hit.score) ? hit.score : null,
      routing: routingOf(leaf, docId),
      version: version ? numberOf(leaf, '_version', docId) : null,
      seqNo: seqNoPrimaryTerm ? numberOf(leaf, '_seq_no', docId) : null,
      primaryTerm: seqNoPrimaryTerm ? numberOf(leaf, '_primary_term', docId) : null,
      source: kept === null ? null : kept.slice(),
      sort:
        sort?.map((level, i) => {
          const value = values[i] ?? null
          return value === null ? null : level.print(value)
        }) ?? null,
      explanation: this.#explanation(snapshotLeaf, docId),
      shard,
    }
  }

  #leaf(snapshotLeaf: SnapshotLeaf): Leaf {
    let leaf = this.#leaves.get(snapshotLeaf.ord)
    if (leaf === undefined) {
      leaf = this.#place.searcher.openLeaf(snapshotLeaf, this.#pins, null)
      this.#leaves.set(snapshotLeaf.ord, leaf)
    }
    return leaf
  }

  #explanation(snapshotLeaf: SnapshotLeaf, docId: number): Explanation | null {
    const query = this.#options.explain
    if (query === null) return null
    const { searcher, memory, snapshot } = this.#place
    if (this.#weight === null) {
      const leaves = snapshot.leaves.map(each => this.#leaf(each))
      // Rewritten as the shard's search was, so that sums are grouped alike.
      const decided = expandPrefixes(rewriteDates(rewrite(query, true), leaves), leaves)
      this.#weight = createWeight(rewrite(decided, true), leaves, true)
    }
    const weight = this.#weight
    const bytes = SCRATCH_BASE + 2 * weight.openPostings * SCRATCH_PER_ITERATOR
    const range = memory.allocate(snapshotLeaf.segment, bytes)
    try {
      const leaf = searcher.openLeaf(snapshotLeaf, this.#pins, range)
      return explain(weight, leaf, snapshotLeaf.ord, docId)
    } finally {
      memory.free(range)
    }
  }
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

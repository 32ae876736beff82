import { bulkShape } from '../search/bulk/bulk-shape.ts'
import { keptFilter, keptNodes } from '../search/bulk/kept-filter.ts'
import type { Weight, WeightNode } from '../search/weight/weight.ts'
import type { FilterCache } from '../segment/filter-cache.ts'
import type { Segment } from '../segment/segment.ts'
import type { Snapshot } from '../segment/snapshot.ts'
import { nowInNanos } from '../util/clock.ts'
import type { PreparedSearch } from './prepare.ts'
import type { ShardSearchOptions } from './search-options.ts'

/**
 * What passing one posting costs the iterators, the same under a profile, and the kernels, roughly,
 * over the query classes of the bench: it only decides where a search runs, never what it finds.
 */
const NANOS_PER_POSTING = 8
const PROFILED_NANOS_PER_POSTING = 20
const KERNEL_NANOS_PER_POSTING = 4
/** A search is handed over when it costs a few times what handing over does. */
const HAND_OVERS_TO_PAY = 3
/** What a slice costs more on a thread than here, beside an empty hand-over: records to write and read. */
const RECORDS_IN_NANOS = 45_000
/** What handing over is taken to cost until it has been measured. */
const USUAL_HAND_OVER_IN_NANOS = 25_000
/** How many times the most of other searches one may cost here that makes a filter to be kept. */
const INLINE_COSTS_TO_KEEP = 10
const PINGS = 15

/** What searches are thought to cost, and where they run for it. */
export class SearchCost {
  readonly #filters: FilterCache
  #handOverInNanos = USUAL_HAND_OVER_IN_NANOS
  #isMeasured = false

  constructor(filters: FilterCache) {
    this.#filters = filters
  }

  /** Nanoseconds below which a search runs on the calling thread. */
  #inlineCost(): number {
    return HAND_OVERS_TO_PAY * (this.#handOverInNanos + RECORDS_IN_NANOS)
  }

  /**
   * Whether a search is so cheap that it runs on the calling thread. What its filters cost counts
   * only where they must be made, and not too much the once that makes those that are then kept.
   */
  isForHere(snapshot: Snapshot, prepared: PreparedSearch, options: ShardSearchOptions): boolean {
    const most = this.#inlineCost()
    const cost = this.of(prepared, options)
    if (cost < most) return true
    let kept = 0
    let due = 0
    for (const node of filtersOf(prepared, options)) {
      // The cost leaves the post filter out, and its terms are another weight's.
      if (node === prepared.spec.postFilter?.root) continue
      const { key, leastUses } = keptFilter(node)!
      for (const { segment, ord } of snapshot.leaves) {
        if (!this.#filters.keeps(segment)) continue
        const state = this.#filters.stateOf(segment, key, leastUses)
        const postings = state === 'cold' ? 0 : filterPostings(node, prepared.weight, segment, ord)
        if (state === 'kept') kept += postings
        else due += postings
      }
    }
    const without = cost - kept * KERNEL_NANOS_PER_POSTING
    return without < most || (due > 0 && without < INLINE_COSTS_TO_KEEP * most)
  }

  /** What the whole search costs one thread, in nanoseconds. */
  of(prepared: PreparedSearch, options: ShardSearchOptions): number {
    const { cost } = prepared
    if (options.profile !== null) return cost * PROFILED_NANOS_PER_POSTING
    return cost * (isBulk(prepared, options) ? KERNEL_NANOS_PER_POSTING : NANOS_PER_POSTING)
  }

  /** Measures once, behind the first search that needs threads, what a hand-over costs here. */
  measureHandOver(ping: () => Promise<unknown>): void {
    if (this.#isMeasured) return
    this.#isMeasured = true
    const measure = async (): Promise<void> => {
      const readings: number[] = []
      for (let i = 0; i < PINGS; i++) {
        const start = nowInNanos()
        await ping()
        readings.push(nowInNanos() - start)
      }
      readings.sort((a, b) => a - b)
      this.#handOverInNanos = readings[PINGS >> 1]!
    }
    // A thread that dies or a pool that closes leaves the usual figure in place.
    measure().catch(() => {})
  }
}

/** Whether the kernels run a search, as far as that is known before its leaves are looked at. */
export function isBulk(
  { weight, spec }: PreparedSearch,
  { kernels, profile }: ShardSearchOptions,
): boolean {
  return kernels && profile === null && typeof bulkShape(weight, spec) !== 'string'
}

/** The nodes of a search whose sets may be kept. */
export function filtersOf(
  { weight, spec }: PreparedSearch,
  { kernels, profile, filterCache }: ShardSearchOptions,
): readonly WeightNode[] {
  if (!filterCache || !kernels || profile !== null) return []
  const shape = bulkShape(weight, spec)
  return typeof shape === 'string' ? [] : keptNodes(shape, spec)
}

/** What a filter adds to a weight's cost on one leaf; 0 where that is not known of its kind. */
function filterPostings(node: WeightNode, weight: Weight, segment: Segment, ord: number): number {
  if (node.kind === 'constant') return filterPostings(node.child, weight, segment, ord)
  if (node.kind !== 'multiTerm' && node.kind !== 'point') return 0
  const terms = node.kind === 'point' ? null : weight.leaves[ord]?.expansions[node.expansionId]
  return terms?.postings ?? segment.fields.get(node.field)?.docCount ?? 0
}

import type { MergedHit, ShardResult } from '../../parallel/reduce.ts'
import type { SliceHit } from '../../search/collector/collect-spec.ts'
import type { CallContext } from '../../task/call-context.ts'
import { EngineError } from '../../util/errors.ts'
import type { Charge } from '../api/memory-charge.ts'
import type { SearchCall } from '../api/searches.ts'
import { totalOrder } from '../dsl/sort.ts'
import type { Node } from '../node/node.ts'
import type { PrintedHit } from '../response/printed-hit.ts'
import {
  type PrintedAnswer,
  type ShardFailure,
  searchPhaseError,
  searchResponse,
} from '../response/search-response.ts'
import { fetchPhase } from './fetch-phase.ts'
import { HeldTargets } from './held-targets.ts'
import type { IndexSearch } from './index-search.ts'
import { mergeShards } from './merge-shards.ts'
import type { SearchAnswer } from './search-call.ts'
import type { SearchRequest } from './search-request.ts'
import { allowsPartial, deadlineOf } from './search-settings.ts'
import { contextMissing, type SearchTargets } from './search-targets.ts'
import type { SearchedShard } from './searched-shard.ts'
import { failureOf } from './shard-failure.ts'
import { queryShard } from './shard-query.ts'

/**
 * A shard is asked for so many pages at once, because asking it costs the same for one: its query runs
 * over all matches unless it goes by documents.
 */
const PAGES_AHEAD = 10
/** Hits that are kept for pages to come, beyond a page. */
const MAX_HITS_AHEAD = 10_000

/** Where a scroll stands in one shard. */
interface ScrolledShard {
  /** For fetches: the search as it was asked for, with its hits dropped. */
  readonly answer: SearchedShard
  /** The search with a position for every hit. */
  readonly ordered: IndexSearch
  /** The last hit that was collected; null: none. */
  last: SliceHit | null
  /** Collected, and not on a page yet. */
  ahead: readonly SliceHit[]
  /** Whether nothing comes behind `ahead`. */
  isExhausted: boolean
  /** Memory of `ahead`. */
  charge: Charge | null
}

/**
 * The state of a scroll between two pages. A page goes on behind the last hit of each shard: its cost
 * does not depend on the pages before it.
 */
export class ScrolledSearch extends HeldTargets {
  readonly #node: Node
  readonly #call: SearchCall
  readonly #request: SearchRequest
  readonly #shards: readonly ScrolledShard[]
  readonly #total: ShardResult['total']
  readonly #maxScore: number | null
  /** Pages are answered one after another. */
  #turn: Promise<unknown> = Promise.resolve()

  constructor(
    node: Node,
    call: SearchCall,
    request: SearchRequest,
    targets: SearchTargets,
    { phase, merged, maxScore }: SearchAnswer,
  ) {
    super(targets, 'scroll')
    this.#node = node
    this.#call = call
    this.#request = request
    this.#total = merged.total
    this.#maxScore = maxScore
    this.#shards = phase.answers.map((answer, ord) =>
      scrolled(answer, ord, merged.hits, request.coupled.size),
    )
  }

  override release(): void {
    for (const shard of this.#shards) shard.charge?.release()
    super.release()
  }

  /**
   * @param totalAsInt prints the total as a plain number
   * @throws {EngineError} as a search; every shard is gone: 404
   */
  nextPage(totalAsInt: boolean, context: CallContext): Promise<PrintedAnswer> {
    const page = this.#turn.then(() => this.#nextPage(totalAsInt, context))
    // A page that fails leaves the scroll where it was.
    this.#turn = page.catch(() => {})
    return page
  }

  async #nextPage(totalAsInt: boolean, context: CallContext): Promise<PrintedAnswer> {
    const started = performance.now()
    const failures: ShardFailure[] = []
    const filled: ScrolledShard[] = []
    let timedOut = false
    const shards = this.#heldShards(failures)
    const fills = await Promise.all(shards.map(shard => this.#fill(shard, context)))
    for (const [i, fill] of fills.entries())
      if (fill !== null && 'reason' in fill) failures.push(fill)
      else {
        filled.push(shards[i]!)
        timedOut ||= fill?.timedOut === true
      }
    this.#checkFailures(failures, filled.length)
    const { size } = this.#request.coupled
    const { hits } = mergeShards(filled.map(resultAhead), 0, size, -1)
    const printed = await this.#fetch(filled, hits, context)
    for (const [ord, shard] of filled.entries()) shard.ahead = shard.ahead.slice(countOf(hits, ord))
    return searchResponse({
      tookInMillis: Math.floor(performance.now() - started),
      phaseTook: null,
      timedOut,
      terminatedEarly: null,
      reducePhases: 1,
      shardCount: this.#shards.length,
      skipped: 0,
      failures,
      total: this.#total,
      totalAsInt,
      maxScore: this.#maxScore,
      hits: printed,
    })
  }

  #checkFailures(failures: readonly ShardFailure[], answered: number): void {
    const cancelled = failures.find(({ reason }) => reason.type === 'task_cancelled_exception')
    if (cancelled !== undefined) throw new EngineError(cancelled.reason)
    if (failures.length === 0) return
    if (answered === 0) throw searchPhaseError(failures)
    if (!this.#allowsPartial()) throw searchPhaseError(failures, 'Partial shards failure')
  }

  #allowsPartial(): boolean {
    const { allowPartialSearchResults: asked } = this.#call.options
    return allowsPartial(asked, this.#node.effectiveSettings)
  }

  /** The shards whose snapshots are held still. */
  #heldShards(failures: ShardFailure[]): ScrolledShard[] {
    const held = new Set(this.targets.held.map(({ shard }) => shard))
    return this.#shards.filter(({ answer }) => {
      const { shard } = answer.held
      if (held.has(shard)) return true
      failures.push(failureOf(this.#node, shard.name, contextMissing(this.number)))
      return false
    })
  }

  async #fetch(
    shards: readonly ScrolledShard[],
    hits: readonly MergedHit[],
    context: CallContext,
  ): Promise<PrintedHit[]> {
    const { parts } = this.#request
    const answers = shards.map(({ answer }) => answer)
    const charge = this.#node.breakers.open('request', '<scroll>')
    try {
      return await fetchPhase(this.#node, answers, hits, parts.groups, charge, context)
    } finally {
      charge.release()
    }
  }

  /**
   * Collects the next hits of a shard, unless there are enough for a page.
   * @returns null: nothing was to be collected
   */
  async #fill(
    shard: ScrolledShard,
    context: CallContext,
  ): Promise<ShardResult | ShardFailure | null> {
    const { size } = this.#request.coupled
    if (shard.isExhausted || shard.ahead.length >= size) return null
    const byDocument = shard.ordered.sort?.[0]?.key.kind === 'doc'
    const pages = byDocument ? 1 : PAGES_AHEAD
    const count = Math.max(size, Math.min(size * pages, MAX_HITS_AHEAD))
    const charge = this.#node.breakers.open('request', '<scroll>')
    const answer = await this.#query(shard, count, charge, context)
    if ('reason' in answer) {
      charge.release()
      return answer
    }
    const { result } = answer.outcome
    shard.charge?.release()
    shard.charge = charge
    shard.ahead = [...shard.ahead, ...result.hits]
    shard.last = result.hits.at(-1) ?? shard.last
    shard.isExhausted = result.hits.length < count && !result.timedOut
    return result
  }

  #query(
    { answer, ordered, last }: ScrolledShard,
    size: number,
    charge: Charge,
    signal: CallContext,
  ): Promise<SearchedShard | ShardFailure> {
    const cluster = this.#node.effectiveSettings
    const { coupled, parts } = this.#request
    const request: SearchRequest = {
      ...this.#request,
      // The first page has counted, and told how it ran.
      coupled: { ...coupled, from: 0, size, trackTotalHits: -1 },
      parts: { ...parts, profile: { isOn: false, perSlice: false, kernels: false } },
    }
    const deadline = deadlineOf(coupled.timeoutInMillis, cluster)
    const { slices } = this.#call
    return queryShard(
      {
        node: this.#node,
        request,
        cluster,
        deadline,
        signal,
        slices,
        charge,
        statistics: answer.statistics,
        caching: null,
        allowsPartial: this.#allowsPartial(),
        logged: answer.logged,
      },
      { ...ordered, searchAfter: last === null ? null : positionOf(last, ordered) },
      answer.held,
    )
  }
}

/** The state of a shard behind the first page. */
function scrolled(
  answer: SearchedShard,
  ord: number,
  page: readonly MergedHit[],
  size: number,
): ScrolledShard {
  const { search, outcome } = answer
  const { hits, timedOut } = outcome.result
  const result = { ...outcome.result, hits: [] }
  const bare = { ...outcome, prepared: null, profiles: [], reports: [], result }
  return {
    // Profiles, reports and hits of the first page are dropped.
    answer: { ...answer, outcome: bare, production: null, fetchProfiler: null },
    ordered: { ...search, sort: totalOrder(search.sort) },
    last: hits.at(-1) ?? null,
    ahead: hits.slice(countOf(page, ord)),
    isExhausted: hits.length < size && !timedOut,
    charge: null,
  }
}

/** The values of a hit on all levels of its search's total order. */
function positionOf(hit: SliceHit, { sort }: IndexSearch): NonNullable<IndexSearch['searchAfter']> {
  const given = hit.sort ?? [hit.score]
  return (sort ?? []).map(({ key }, i) =>
    i < given.length ? given[i]! : key.kind === 'doc' ? hit.globalDoc : null,
  )
}

/** The hits that a shard has collected ahead, as the result of a search. */
function resultAhead({ answer: { search, outcome }, ahead }: ScrolledShard): ShardResult {
  return { ...outcome.result, hits: ahead, sort: search.sort?.map(({ key }) => key) ?? null }
}

function countOf(hits: readonly MergedHit[], ord: number): number {
  return hits.reduce((count, { shard }) => count + (shard === ord ? 1 : 0), 0)
}

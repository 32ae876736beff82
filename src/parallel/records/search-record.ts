/** The part of a shared search's request that is equal for all threads, as a word record. */

import type { CollectSpec, LeafPart } from '../../search/collector/collect-spec.ts'
import type { Weight } from '../../search/weight/weight.ts'
import type { WordReader, WordWriter } from '../../util/word-record.ts'
import { readWeight, writeWeight } from './weight-record.ts'

/** In place of the queue time: an empty request that measures the cost of a hand-over. */
export const IS_PING = 0

/** A search without a profile, cut into parts that idle threads take. */
export interface SharedSearchTask {
  readonly weight: Weight
  readonly spec: CollectSpec
  /** In the order of taking. */
  readonly parts: readonly LeafPart[]
  /** False: always run by the iterators. */
  readonly kernels: boolean
  /** Whether its slices report the time of each leaf. */
  readonly reports: boolean
  /** Time slice after which a thread yields between two parts to waiting requests, nanoseconds. */
  readonly turnInNanos: number
  /** Ord of the search's record in the control buffer. */
  readonly control: number
}

/** Appends the shared part of a request. */
export function writeSearch(to: WordWriter, task: SharedSearchTask): void {
  const { spec, parts } = task
  writeWeight(to, task.weight)
  to.flag(task.kernels)
  to.flag(task.reports)
  to.number(task.turnInNanos)
  to.number(task.control)
  to.number(parts.length)
  for (const { leafOrd, minDoc, maxDoc } of parts) {
    to.number(leafOrd)
    to.number(minDoc)
    to.number(maxDoc)
  }
  to.number(spec.topCount)
  to.number(spec.trackTotalHits)
  to.flag(spec.trackScores)
  // NaN encodes null.
  to.number(spec.minScore ?? Number.NaN)
  to.number(spec.terminateAfter)
  to.number(spec.deadline)
  const { sort, searchAfter, collapse, postFilter, nested, knownTotal, others, demands } = spec
  const isByScore = sort === null && searchAfter === null && collapse === null
  to.flag(isByScore)
  if (!isByScore) to.plain([sort, searchAfter, collapse])
  to.flag(postFilter !== null)
  if (postFilter !== null) writeWeight(to, postFilter)
  to.number(nested.length)
  for (const each of nested) {
    to.flag(each !== null)
    if (each !== null) writeWeight(to, each)
  }
  to.flag(knownTotal !== null)
  if (knownTotal !== null) {
    to.number(knownTotal.value)
    to.flag(knownTotal.relation === 'eq')
  }
  to.flag(others.length > 0)
  if (others.length > 0) to.plain(others)
  to.flag(demands.scores)
  to.flag(demands.everyScore)
  to.flag(demands.everyMatch)
  to.flag(demands.totalByStatistics)
  to.flag(spec.isInLeafOrder)
  to.number(spec.lists)
}

/** Reads what `writeSearch` has written. */
export function readSearch(from: WordReader): SharedSearchTask {
  const weight = readWeight(from)
  const kernels = from.flag()
  const reports = from.flag()
  const turnInNanos = from.number()
  const control = from.number()
  const count = from.number()
  const parts: LeafPart[] = []
  for (let i = 0; i < count; i++)
    parts.push({ leafOrd: from.number(), minDoc: from.number(), maxDoc: from.number() })
  return { weight, spec: readSpec(from), parts, kernels, reports, turnInNanos, control }
}

type Order = readonly [CollectSpec['sort'], CollectSpec['searchAfter'], CollectSpec['collapse']]

const BY_SCORE: Order = [null, null, null]

function readSpec(from: WordReader): CollectSpec {
  const topCount = from.number()
  const trackTotalHits = from.number()
  const trackScores = from.flag()
  const minScore = from.number()
  const terminateAfter = from.number()
  const deadline = from.number()
  const [sort, searchAfter, collapse] = from.flag() ? BY_SCORE : (from.plain() as Order)
  const postFilter = from.flag() ? readWeight(from) : null
  const nested = Array.from({ length: from.number() }, () =>
    from.flag() ? readWeight(from) : null,
  )
  const knownTotal = from.flag()
    ? { value: from.number(), relation: from.flag() ? ('eq' as const) : ('gte' as const) }
    : null
  const others = from.flag() ? (from.plain() as CollectSpec['others']) : []
  return {
    topCount,
    sort,
    searchAfter,
    collapse,
    trackTotalHits,
    trackScores,
    minScore: Number.isNaN(minScore) ? null : minScore,
    terminateAfter,
    deadline,
    postFilter,
    nested,
    knownTotal,
    others,
    demands: {
      scores: from.flag(),
      everyScore: from.flag(),
      everyMatch: from.flag(),
      totalByStatistics: from.flag(),
    },
    isInLeafOrder: from.flag(),
    lists: from.number(),
  }
}

/**
 * The rules that every profile keeps (P1–P20 of its specification), as checks
 * over the response's JSON. Each throws an error that names the rule.
 */
import { LEAF_TIMING_TYPES } from '../../src/profile/timing-types.ts'

/** A node of a profile. */
export type Json = { readonly [key: string]: unknown }

/** In which leaves the root's scorer has a second phase. */
export type TwoPhaseUse = 'always' | 'sometimes' | 'never'

/** What a profile is held against. */
export interface ProfileExpectation {
  readonly concurrent: boolean
  readonly human: boolean
  /** Slices that ran. */
  readonly sliceCount: number
  /** Whether an aggregation asks for all documents; absent: none does. */
  readonly hasGlobal?: boolean
  /** How long the search took, nanoseconds. */
  readonly wallTime: number
  /** Null where pruning or an early stop may leave out matches. */
  readonly exact: {
    /**
     * Documents that match, deleted ones included, and leaves (or ranges) that were begun; null: not
     * known, so that only scores are counted.
     */
    readonly moves: { readonly matched: number; readonly begunLeaves: number } | null
    /** Whether the collector asks every match for its score. */
    readonly scores: boolean
    /** Where the root has a second phase more documents are looked at than match. */
    readonly twoPhase: TwoPhaseUse
    /** Live matches: those whose scores are asked for. */
    readonly collected: number
  } | null
}

/** Statistics over slices, as keys have them in front. */
export const STATISTICS = ['max_', 'min_', 'avg_'] as const
const SLACK_NANOS = 1e6

function fail(rule: string, what: string): never {
  throw new Error(`${rule}: ${what}`)
}

/** P1: a whole number that is not negative. */
export function number(node: Json, key: string): number {
  const value = node[key]
  if (typeof value !== 'number' || !Number.isInteger(value) || value < 0)
    fail('P1', `[${key}] is ${String(value)}`)
  return value
}

/** Throws unless a rule holds. */
export function hold(condition: boolean, rule: string, what: string): void {
  if (!condition) fail(rule, what)
}

/** Checks one shard's entry. */
export function checkShardProfile(shard: Json, expected: ProfileExpectation): void {
  const searches = shard['searches'] as readonly Json[]
  const count = expected.hasGlobal === true ? 2 : 1
  hold(searches.length === count, 'P16', `${searches.length} searches`)
  for (const [i, search] of searches.entries()) {
    const [root, second] = search['query'] as readonly Json[]
    hold(root !== undefined && second === undefined, 'P14', 'one root')
    checkQuery(root as Json, expected)
    if (i === 0 && expected.exact !== null) checkRoot(root as Json, expected.exact)
    for (const collector of search['collector'] as readonly Json[])
      checkCollector(collector, expected)
  }
}

/** P16: shards stand by id. */
export function checkShardOrder(shards: readonly Json[]): void {
  const ids = shards.map(shard => String(shard['id']))
  hold([...ids].sort().join() === ids.join(), 'P16', ids.join())
}

function checkQuery(node: Json, expected: ProfileExpectation): void {
  const breakdown = node['breakdown'] as Json
  checkKeys(breakdown, expected.concurrent)
  checkTwins(node, expected.human)
  const time = number(node, 'time_in_nanos')
  checkTime(time, expected, 'query')
  hold(breakdown['create_weight_count'] === 1, 'P5', 'create_weight_count')
  for (const type of LEAF_TIMING_TYPES) {
    const [spent, count] = [number(breakdown, type), number(breakdown, `${type}_count`)]
    hold(count > 0 ? spent >= 1 : spent === 0, 'P1', `${type}: ${spent} in ${count} calls`)
  }
  if (expected.concurrent) checkConcurrent(node, breakdown, expected.sliceCount)
  else checkSequential(time, breakdown)
  for (const child of (node['children'] ?? []) as readonly Json[]) checkQuery(child, expected)
}

function checkKeys(breakdown: Json, concurrent: boolean): void {
  const keys = ['create_weight', ...LEAF_TIMING_TYPES].flatMap(type => [type, `${type}_count`])
  if (concurrent)
    for (const type of LEAF_TIMING_TYPES)
      for (const prefix of STATISTICS) keys.push(`${prefix}${type}`, `${prefix}${type}_count`)
  const found = Object.keys(breakdown)
  hold(found.length === (concurrent ? 66 : 18), 'P2', `${found.length} keys`)
  hold(found.join() === [...keys].sort().join(), 'P2', found.join())
}

/** P20: a node's time lies within that of the search. */
export function checkTime(time: number, { wallTime }: ProfileExpectation, title: string): void {
  hold(time <= wallTime + SLACK_NANOS, 'P20', `${title}: ${time} > ${wallTime}`)
}

/** P17: every duration has a twin, and all twins stand before the first raw value. */
export function checkTwins(node: Json, human: boolean): void {
  const keys = Object.keys(node)
  const raw = keys.filter(key => key.endsWith('_in_nanos'))
  const twins = raw.map(key => key.slice(0, -'_in_nanos'.length)).filter(key => key in node)
  hold(twins.length === (human ? raw.length : 0), 'P17', keys.join())
  const last = Math.max(-1, ...twins.map(twin => keys.indexOf(twin)))
  hold(last < Math.min(...raw.map(key => keys.indexOf(key))), 'P17', keys.join())
}

function checkSequential(time: number, breakdown: Json): void {
  let sum = number(breakdown, 'create_weight')
  for (const type of LEAF_TIMING_TYPES) sum += number(breakdown, type)
  hold(sum === time, 'P12', `${sum} ≠ ${time}`)
}

function checkConcurrent(node: Json, breakdown: Json, sliceCount: number): void {
  const time = number(node, 'time_in_nanos')
  const [max, min, avg] = STATISTICS.map(prefix =>
    number(node, `${prefix}slice_time_in_nanos`),
  ) as [number, number, number]
  hold(min <= avg && avg <= max && max <= time, 'P6', `${min} ${avg} ${max} ${time}`)
  hold(time >= number(breakdown, 'create_weight'), 'P6', 'create_weight')
  for (const type of LEAF_TIMING_TYPES) {
    const [spent, count] = [number(breakdown, type), number(breakdown, `${type}_count`)]
    const [maxTime, minTime, avgTime] = STATISTICS.map(prefix =>
      number(breakdown, `${prefix}${type}`),
    ) as [number, number, number]
    const [maxCount, minCount, avgCount] = STATISTICS.map(prefix =>
      number(breakdown, `${prefix}${type}_count`),
    ) as [number, number, number]
    const title = `${type}: ${minTime} ${avgTime} ${maxTime} ${spent}; ${minCount} ${avgCount} ${maxCount} ${count}`
    hold(minTime <= avgTime && avgTime <= maxTime && maxTime <= spent, 'P3', title)
    hold(minCount <= avgCount && avgCount <= maxCount && maxCount <= count, 'P3', title)
    hold(count <= sliceCount * maxCount, 'P3', title)
    if (sliceCount > 0) {
      const least = sliceCount * avgCount
      hold(least <= count && count < least + sliceCount, 'P4', title)
    }
    hold(max >= maxTime && time >= spent, 'P6', title)
    if (sliceCount === 1) {
      hold(maxTime === spent && minTime === spent && avgTime === spent, 'P7', title)
      hold(maxCount === count && minCount === count && avgCount === count, 'P7', title)
    }
  }
  if (sliceCount === 1) hold(max === min && max === avg, 'P7', 'slice times')
}

function checkRoot(root: Json, exact: NonNullable<ProfileExpectation['exact']>): void {
  const breakdown = root['breakdown'] as Json
  const count = (type: string): number => number(breakdown, `${type}_count`)
  if (exact.moves !== null) {
    const { matched, begunLeaves } = exact.moves
    const builds = count('build_scorer')
    const withScorer = builds - begunLeaves
    hold(withScorer >= 0 && withScorer <= begunLeaves, 'P11', `${builds} builds`)
    const moves = count('next_doc') + count('advance')
    const expected = matched + withScorer
    const isExact = exact.twoPhase === 'never'
    hold(isExact ? moves === expected : moves >= expected, 'P9', `${moves} ≠ ${expected}`)
  }
  const scores = exact.scores ? exact.collected : 0
  hold(count('score') === scores, 'P9', `${count('score')} scores, ${scores} expected`)
  const matches = count('match')
  hold(matches === 0 || exact.twoPhase !== 'never', 'P10', 'match without a second phase')
  if (exact.twoPhase === 'always')
    hold(matches >= exact.collected, 'P10', `${matches} < ${exact.collected}`)
}

function checkCollector(node: Json, expected: ProfileExpectation): void {
  checkTwins(node, expected.human)
  const time = number(node, 'time_in_nanos')
  checkTime(time, expected, 'collector')
  hold('slice_count' in node === expected.concurrent, 'P13', 'slice_count')
  if (expected.concurrent) {
    const [max, min, avg] = STATISTICS.map(prefix =>
      number(node, `${prefix}slice_time_in_nanos`),
    ) as [number, number, number]
    hold(min <= avg && avg <= max && max <= time, 'P13', `${min} ${avg} ${max} ${time}`)
    hold(number(node, 'slice_count') === expected.sliceCount, 'P13', 'slice_count')
    hold(number(node, 'reduce_time_in_nanos') >= 1, 'P13', 'reduce_time_in_nanos')
  }
  for (const child of (node['children'] ?? []) as readonly Json[]) checkCollector(child, expected)
}

/** Every count of a query tree, in order: equal however the work was cut (P8). */
export function countsOf(node: Json): number[] {
  const breakdown = node['breakdown'] as Json
  const own = LEAF_TIMING_TYPES.map(type => number(breakdown, `${type}_count`))
  const children = (node['children'] ?? []) as readonly Json[]
  return [...own, ...children.flatMap(countsOf)]
}

/** How many levels of nodes there are. */
export function depthOf(node: Json): number {
  const children = (node['children'] ?? []) as readonly Json[]
  return 1 + Math.max(0, ...children.map(depthOf))
}

/** The rules that profiles of aggregations keep, as checks over the response's JSON. */
import { AGGREGATION_TIMING_TYPES } from '../../src/profile/timing-types.ts'
import type { Agg, Aggs } from './plain/kind.ts'
import { KINDS } from './plain/kinds.ts'
import {
  checkTime,
  checkTwins,
  hold,
  type Json,
  number,
  type ProfileExpectation,
  STATISTICS,
} from './profile-invariants.ts'

/** What the aggregations of a shard are held against. */
export interface AggregationExpectation extends ProfileExpectation {
  readonly aggs: Aggs
  /** Leaves, or ranges of them, that were begun; null: it is not known how they were cut. */
  readonly begunLeaves: number | null
  /** Documents that the query finds in the shard, and all that there are. */
  readonly matched: number
  readonly all: number
}

/** Counts that have statistics over slices. */
const COUNTED: readonly string[] = ['build_leaf_collector', 'collect']

/** Kinds that may take documents from statistics, without collecting them one by one. */
const FROM_STATISTICS: readonly string[] = [
  'terms',
  'min',
  'max',
  'cardinality',
  'range',
  'date_range',
  'date_histogram',
  'auto_date_histogram',
  'composite',
]

/** Names of aggregators by kind; one that has several lists them. */
const TYPES: Readonly<Record<string, RegExp>> = {
  percentiles: /^(TDigest|HDR)PercentilesAggregator$/,
  percentile_ranks: /^(TDigest|HDR)PercentileRanksAggregator$/,
  terms:
    /^(GlobalOrdinalsStringTermsAggregator(\.LowCardinality)?|(MapString|Numeric)TermsAggregator)$/,
  rare_terms: /^(String|Long)RareTermsAggregator$/,
  histogram: /^(Numeric|Range)HistogramAggregator$/,
  auto_date_histogram: /^AutoDateHistogramAggregator\.From(Single|Many)$/,
  range: /^RangeAggregator(\.Unmapped)?$/,
  date_range: /^RangeAggregator$/,
  ip_range: /^BinaryRangeAggregator$/,
  geo_distance: /^RangeAggregator$/,
  geohash_grid: /^GeoHashGridAggregator$/,
  geotile_grid: /^GeoTileGridAggregator$/,
  geohex_grid: /^GeoHexGridAggregator$/,
  diversified_sampler: /^Diversified(Bytes|Map|Ordinals|Numeric)\w*SamplerAggregator$/,
}

/** Kinds that have no aggregator of their own on fields that the index lacks. */
const UNMAPPED = /^(NonCollectingAggregator|RangeAggregator\.Unmapped)$/

/** P2, P14, P15 and the others for all aggregations of a shard. */
export function checkAggregations(shard: Json, expected: AggregationExpectation): void {
  const { aggs, matched, all, begunLeaves, sliceCount, concurrent } = expected
  const roots = shard['aggregations'] as readonly Json[]
  checkChildren(roots, aggs, expected)
  for (const [i, { kind }] of documentAggs(aggs)
    .map(([, agg]) => agg)
    .entries()) {
    const breakdown = roots[i]!['breakdown'] as Json
    const collected = number(breakdown, 'collect_count')
    const seen = kind === 'global' ? all : matched
    const title = `${kind} collected ${collected} of ${seen}`
    const isExact = !FROM_STATISTICS.includes(kind)
    hold(isExact ? collected === seen : collected <= seen, 'P15', title)
    const slices = concurrent ? sliceCount : 1
    const opened = number(breakdown, 'initialize_count')
    hold(opened === slices, 'P15', `${kind}: ${opened} of ${slices} slices`)
    hold(number(breakdown, 'build_aggregation_count') === opened, 'P15', 'build_aggregation')
    if (begunLeaves === null) continue
    const leaves = number(breakdown, 'build_leaf_collector_count')
    hold(leaves === begunLeaves, 'P15', `${kind}: ${leaves} of ${begunLeaves} leaves`)
  }
}

function documentAggs(aggs: Aggs): readonly (readonly [string, Agg])[] {
  return Object.entries(aggs).filter(([, { kind }]) => kind in KINDS)
}

/** P14: a node for each aggregation that sees documents, in order of the request. */
function checkChildren(nodes: readonly Json[], aggs: Aggs, expected: AggregationExpectation): void {
  const wanted = documentAggs(aggs)
  const names = nodes.map(node => node['description'])
  hold(names.join() === wanted.map(([name]) => name).join(), 'P14', names.join())
  for (const [i, [, agg]] of wanted.entries()) checkNode(nodes[i]!, agg, expected)
}

function checkNode(node: Json, agg: Agg, expected: AggregationExpectation): void {
  const type = String(node['type'])
  const isUnmapped = (agg.body as { readonly field?: string }).field === 'u'
  const named = TYPES[agg.kind] ?? new RegExp(`^${simpleName(agg.kind)}Aggregator$`)
  hold((isUnmapped && UNMAPPED.test(type)) || named.test(type), 'type', `${agg.kind}: ${type}`)
  checkTwins(node, expected.human)
  const breakdown = node['breakdown'] as Json
  checkKeys(breakdown, expected.concurrent)
  const time = number(node, 'time_in_nanos')
  checkTime(time, expected, agg.kind)
  for (const call of AGGREGATION_TIMING_TYPES) {
    const [spent, count] = [number(breakdown, call), number(breakdown, `${call}_count`)]
    hold(count > 0 ? spent >= 1 : spent === 0, 'P1', `${call}: ${spent} in ${count} calls`)
  }
  if (expected.concurrent) checkConcurrent(node, breakdown, expected.sliceCount)
  else {
    const sum = AGGREGATION_TIMING_TYPES.reduce((all, call) => all + number(breakdown, call), 0)
    hold(sum === time, 'P12', `${sum} ≠ ${time}`)
  }
  // An aggregator that collects nothing has nothing below it either.
  const isBare = UNMAPPED.test(type) && node['children'] === undefined
  if (!isBare) checkChildren((node['children'] ?? []) as readonly Json[], agg.children, expected)
}

/** `top_hits` as the names of classes have it. */
function simpleName(kind: string): string {
  return kind
    .split('_')
    .map(word => word[0]!.toUpperCase() + word.slice(1))
    .join('')
}

function checkKeys(breakdown: Json, concurrent: boolean): void {
  const keys = AGGREGATION_TIMING_TYPES.flatMap(call => [call, `${call}_count`])
  if (concurrent)
    for (const prefix of STATISTICS) {
      keys.push(...AGGREGATION_TIMING_TYPES.map(call => `${prefix}${call}`))
      keys.push(...COUNTED.map(call => `${prefix}${call}_count`))
    }
  const found = Object.keys(breakdown)
  hold(found.length === (concurrent ? 36 : 12), 'P2', `${found.length} keys`)
  hold(found.join() === [...keys].sort().join(), 'P2', found.join())
}

/** Statistics of one number over slices. */
function statistics(node: Json, key: string): readonly [max: number, min: number, avg: number] {
  const [max, min, avg] = STATISTICS.map(prefix => number(node, `${prefix}${key}`))
  return [max!, min!, avg!]
}

function checkConcurrent(node: Json, breakdown: Json, slices: number): void {
  const [longest, shortest, mean] = statistics(node, 'slice_time_in_nanos')
  const time = number(node, 'time_in_nanos')
  const title = `slices of ${shortest} ${mean} ${longest} in ${time}`
  hold(shortest <= mean && mean <= longest && longest <= time, 'P6', title)
  if (slices === 1) hold(longest === shortest && longest === mean, 'P7', title)
  for (const call of AGGREGATION_TIMING_TYPES) {
    const spent = number(breakdown, call)
    const [max, min, avg] = statistics(breakdown, call)
    const told = `${call}: ${min} ${avg} ${max} ${spent}`
    hold(min <= avg && avg <= max && max <= spent, 'P3', told)
    hold(longest >= max, 'P6', told)
    if (slices === 1 && number(breakdown, `${call}_count`) <= 1)
      hold(max === spent && min === spent, 'P7', told)
    if (COUNTED.includes(call)) checkCounts(breakdown, call, slices)
  }
}

function checkCounts(breakdown: Json, call: string, slices: number): void {
  const count = number(breakdown, `${call}_count`)
  const [max, min, avg] = statistics(breakdown, `${call}_count`)
  const title = `${call}: ${min} ${avg} ${max} of ${count} calls`
  hold(min <= avg && avg <= max && max <= count && count <= slices * max, 'P3', title)
  if (slices > 0) hold(slices * avg <= count && count < slices * avg + slices, 'P4', title)
  if (slices === 1) hold(max === count && min === count && avg === count, 'P7', title)
}

/** The collectors of aggregations in a shard's searches, from the outside in: name and reason. */
export function collectorsOf(search: Json): readonly (readonly [name: string, reason: string])[] {
  const listed = (node: Json): readonly (readonly [string, string])[] => [
    [String(node['name']), String(node['reason'])],
    ...((node['children'] ?? []) as readonly Json[]).flatMap(listed),
  ]
  return (search['collector'] as readonly Json[]).flatMap(listed)
}

/** Every count of the nodes of aggregations that no way of cutting changes (P8). */
export function collectedCounts(nodes: readonly Json[]): readonly number[] {
  return nodes.flatMap(node => [
    number(node['breakdown'] as Json, 'collect_count'),
    ...collectedCounts((node['children'] ?? []) as readonly Json[]),
  ])
}

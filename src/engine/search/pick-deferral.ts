/** Picks breadth-first collection in one shard, for requests that leave open how they are collected. */
import type { Aggregation } from '../../aggregation/aggregation.ts'
import type { AggregationPlan } from '../../aggregation/aggregation-type.ts'
import type { Deferral } from '../../aggregation/deferral/deferral.ts'
import { DEFERRED_DOC_BYTES } from '../../aggregation/deferral/deferred-docs.ts'
import type { Terms } from '../../aggregation/terms/terms-plan.ts'
import type { TermSource } from '../../aggregation/value-source.ts'
import type { Query } from '../../search/query/query.ts'
import type { Snapshot } from '../../segment/snapshot.ts'

/**
 * Terms from which any children are deferred: kernels no longer find the buckets that documents fall into.
 * Of a million documents, `avg` below 100,000 terms then takes 0.26 times as long.
 */
const MANY_TERMS = 1 << 15
/** Terms from which children are deferred that keep much for each bucket: `percentiles` then take 0.24 times as long. */
const SOME_TERMS = 512
/** Terms for each that a shard gives: where most stay, their children see most documents twice. */
const TERMS_FOR_EACH_GIVEN = 4
/** Share of the memory of buckets that documents may take which wait for children, in the worst case. */
const DEFERRED_SHARE = 1 / 8

/** The matches of a search. */
interface Matched {
  readonly query: Query
  readonly minScore: number | null
  readonly terminateAfter: number
}

/** Kinds that keep a sketch for each bucket. */
const HEAVY_KINDS: ReadonlySet<string> = new Set<Aggregation['kind']>([
  'quantiles',
  'medianAbsoluteDeviation',
  'cardinality',
])

/** Terms and documents from which a second search for the terms that stay takes less time than children of all of them. */
const MIN_TERMS_AGAIN = 128
const MIN_DOCS_AGAIN = 1 << 15

/**
 * The nodes, with children deferred where a shard has so many terms that this is faster; the same objects
 * where none are. Results do not depend on it.
 * @param matched  how the shard is searched
 * @param maxBytes of the buckets of a slice
 */
export function withPickedDeferrals(
  nodes: readonly Aggregation[],
  { query, minScore, terminateAfter }: Matched,
  snapshot: Snapshot,
  maxBytes: number,
): readonly Aggregation[] {
  // Only the documents that the first search has seen may be found: to match them all again costs nothing.
  const isRepeatable = query.kind === 'matchAll' && minScore === null && terminateAfter === 0
  const picked = nodes.map(node => withPicked(node, isRepeatable, snapshot, maxBytes))
  return picked.every((node, i) => node === nodes[i]) ? nodes : picked
}

function withPicked(
  node: Aggregation,
  isRepeatable: boolean,
  snapshot: Snapshot,
  maxBytes: number,
): Aggregation {
  if (node.kind !== 'terms' || node.values.kind !== 'terms') return node
  const asked = node.deferral ?? node.mayDefer
  if (asked === null) return node
  const terms = maxTermsOf(node.values.field, snapshot)
  if (isRepeatable && hasRoomToRepeat(node, asked, terms, snapshot))
    return { ...node, deferral: { ...asked, isRepeated: true } }
  return node.deferral === null && isPicked(node, asked, terms, snapshot, maxBytes)
    ? { ...node, deferral: asked }
    : node
}

/** Whether a second search finds the buckets' documents by their terms, in less time than the first one notes them. */
function hasRoomToRepeat(
  { values, filter, hint, minDocCount, shardSize }: Terms,
  { scores }: Deferral,
  terms: number,
  { maxDoc }: Snapshot,
): boolean {
  const { missing, fieldData } = values as TermSource
  const isPlain = missing === null && fieldData === null && filter === null && hint !== 'map'
  if (!isPlain || scores || minDocCount === 0) return false
  const isMany = terms >= MIN_TERMS_AGAIN && terms >= TERMS_FOR_EACH_GIVEN * shardSize
  return isMany && maxDoc >= MIN_DOCS_AGAIN
}

function isPicked(
  { children, shardSize }: Terms,
  deferral: Deferral,
  terms: number,
  { maxDoc }: Snapshot,
  maxBytes: number,
): boolean {
  if (DEFERRED_DOC_BYTES * maxDoc > DEFERRED_SHARE * maxBytes) return false
  if (terms < TERMS_FOR_EACH_GIVEN * shardSize) return false
  if (terms >= MANY_TERMS) return true
  return (
    terms >= SOME_TERMS &&
    children.some(each => deferral.children.includes(each.name) && isHeavy(each))
  )
}

function isHeavy({ kind, children }: AggregationPlan): boolean {
  return HEAVY_KINDS.has(kind) || children.some(isHeavy)
}

/** Max number of terms that a leaf has of a field. */
function maxTermsOf(field: string, { leaves }: Snapshot): number {
  let max = 0
  for (const { segment } of leaves) {
    const info = segment.file.directory.fields.find(({ name }) => name === field)
    if (info !== undefined && info.termCount > max) max = info.termCount
  }
  return max
}

/** `multi_terms`: a bucket for each combination of the values of several fields. */

import type { Leaf } from '../../segment/leaf.ts'
import { Float64, type JsonValue } from '../../util/json/json-value.ts'
import type { AggregationPlan, AggregationType } from '../aggregation-type.ts'
import { type Deferral, deferredBy, deferring } from '../deferral/deferral.ts'
import { SliceDeferred } from '../deferral/slice-deferred.ts'
import { liveBatches } from '../live-batches.ts'
import { compareKeys, printKey } from '../terms/key-form.ts'
import { type KeyForm, ShardBuckets } from '../terms/shard-buckets.ts'
import { SliceTerms } from '../terms/slice-terms.ts'
import type { CutBuckets } from '../terms/terms-plan.ts'
import { numberText } from '../value-text.ts'
import { sourceSections } from './source-sections.ts'
import { TupleCollector, type TuplesPartial } from './tuple-collector.ts'
import { type TupleKey, TupleKeys, tupleId } from './tuple-keys.ts'
import { compareTupleValues, type TupleSource } from './tuple-source.ts'

/** A bucket for each combination of the values of several fields. */
export interface MultiTerms extends AggregationPlan, CutBuckets {
  readonly kind: 'multiTerms'
  readonly sources: readonly TupleSource[]
  /** Breadth-first collection; null: depth-first. */
  readonly deferral: Deferral | null
}

/** Buckets by several values. */
export const multiTerms: AggregationType<MultiTerms, null> = {
  readsScores: ({ deferral }) => deferral?.scores === true,
  deferred: plan => deferredBy(plan, plan.deferral),
  className: () => 'MultiTermsAggregator',
  prepare({ sources }, shard) {
    sourceSections(sources, shard)
    return null
  },
  open: ({ sources, deferral }, _ready, children, slice) =>
    deferring(
      deferral,
      children,
      slice,
      below => new TupleCollector(sources, below, bytes => slice.charge(bytes)),
    ),
  sliceReducer(plan, _ready, leaves, children) {
    const { sources, deferral } = plan
    const keys = new TupleKeys(sources.length, () => allTuples(sources, leaves))
    const own = new SliceTerms(plan, keys, children)
    return deferral === null ? own : new SliceDeferred(own, leaves)
  },
  shardReducer: ([plan], children, shards) =>
    new ShardBuckets(plan!, tupleForm(plan!), children, shards),
}

function tupleForm({ sources }: MultiTerms): KeyForm<TupleKey> {
  return {
    typedName: 'multi_terms',
    className: 'InternalMultiTerms',
    showsCounters: true,
    normal: key => key,
    id: tupleId,
    compare(a, b) {
      for (const [place, value] of a.entries()) {
        const order = compareTupleValues(value, b[place]!, compareKeys)
        if (order !== 0) return order
      }
      return 0
    },
    print(key) {
      const parts = key.map((value, place) => printPart(value, sources[place]!))
      const name = parts.map(({ text }) => text).join('|')
      return {
        key: parts.map(({ printed }) => printed),
        text: name,
        name,
        number: Number.NaN,
      }
    },
  }
}

/** A value in a key: booleans as such, dates and formatted numbers as text. */
function printPart(
  value: TupleKey[number],
  { values }: TupleSource,
): { readonly printed: JsonValue; readonly text: string } {
  if (value === null || values === null) return { printed: null, text: 'null' }
  const { printed, text } = printKey(value, values.format)
  if (values.format.kind === 'boolean') return { printed: Number(value) !== 0, text: text ?? '' }
  if (text !== null) return { printed: text, text }
  const plain =
    printed instanceof Float64 ? numberText({ kind: 'raw' }).of(printed.value) : String(printed)
  return { printed, text: plain }
}

/** The tuples of all live documents of a shard. */
function allTuples(sources: readonly TupleSource[], leaves: readonly Leaf[]): TuplesPartial {
  const collector = new TupleCollector(sources, [])
  let open: Leaf | null = null
  for (const batch of liveBatches(leaves)) {
    if (batch.leaf !== open) collector.openLeaf(batch.leaf)
    open = batch.leaf
    collector.collect(batch)
  }
  return collector.finish()
}

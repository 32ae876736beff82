/** `terms`: a bucket for each value of a field. */
import { sectionBit } from '../../search/weight/section-use.ts'
import type { Leaf } from '../../segment/leaf.ts'
import type {
  AggregationShard,
  AggregationType,
  ReducedChild,
  SliceReducer,
} from '../aggregation-type.ts'
import { deferredBy, deferring } from '../deferral/deferral.ts'
import { SliceDeferred } from '../deferral/slice-deferred.ts'
import { GlobalOrdinals } from '../global-ordinals.ts'
import { slotBytes } from '../kernel/slot-counts.ts'
import { maxTerms } from '../max-terms.ts'
import type { TermSource } from '../value-source.ts'
import { DenseTerms } from './dense-terms.ts'
import { termsKeyForm } from './key-form.ts'
import { NumberKeys } from './number-keys.ts'
import { NumberTerms } from './number-terms.ts'
import { OrdinalKeys } from './ordinal-keys.ts'
import { acceptedOrds, OrdinalTerms } from './ordinal-terms.ts'
import { Selection, type SelectionFacts } from './selection.ts'
import { ShardBuckets } from './shard-buckets.ts'
import { SliceTerms } from './slice-terms.ts'
import type { Terms } from './terms-plan.ts'
import { TextKeys, TextTerms } from './text-terms.ts'

/** Accepted ords by leaf, as bits; null: all. */
interface Ready {
  readonly accepted: readonly (Uint32Array | null)[]
  /** Of its aggregator, in profiles. */
  readonly className: string
  readonly isAlone: boolean
  /** Null: nothing is profiled. */
  readonly told: SelectionFacts | null
}

const NUMERIC_VALUES = sectionBit('numericValues')

/** Buckets by value. */
export const terms: AggregationType<Terms, Ready> = {
  readsScores: ({ deferral }) => deferral?.scores === true,
  deferred: plan => deferredBy(plan, plan.deferral),
  countsByTerms: plan => (isDense(plan, true) ? dictionaryOf(plan.values) : null),
  className: (_plan, { className }) => className,
  prepare(plan, shard) {
    const { values, filter } = plan
    const { isAlone, selectionFactor: factor } = shard
    const told = factor === null ? null : { factor, distinct: distinctTerms(plan, shard) }
    switch (values.kind) {
      case 'numbers':
        shard.use(values.field, NUMERIC_VALUES)
        shard.reserve(slotBytes(Number.POSITIVE_INFINITY))
        return { accepted: [], className: 'NumericTermsAggregator', isAlone, told }
      case 'terms': {
        shard.useTerms(values.field, values.fieldData)
        shard.reserve(
          slotBytes(isAlone ? maxTerms(values, shard.leaves) : Number.POSITIVE_INFINITY),
        )
        if (filter !== null) shard.reserve(maxTerms(values, shard.leaves) / 8 + 128)
        const accepted = acceptedOrds(values, filter, shard.leaves)
        return { accepted, className: ordinalClass(plan, values, shard), isAlone, told }
      }
      case 'constant':
      case 'texts':
        return { accepted: [], className: 'MapStringTermsAggregator', isAlone, told }
    }
  },
  open(plan, { accepted, className, isAlone, told }, children, slice) {
    const { values, filter, deferral } = plan
    const selection = told === null ? null : new Selection(plan, told)
    return deferring(deferral, children, slice, below => {
      switch (values.kind) {
        case 'numbers':
          return new NumberTerms(values, filter, below, slice, selection)
        case 'texts':
          return new TextTerms(values, filter, below, slice)
        case 'terms':
        case 'constant': {
          const isMap = className === 'MapStringTermsAggregator'
          const givesDense = isDense(plan, isAlone)
          const isPlain = isAlone && filter === null && children.length === 0
          const hasFilter = filter !== null
          const facts = { isMap, hasFilter, isPlain, givesDense, selection }
          return new OrdinalTerms(values, accepted, below, facts, slice)
        }
      }
    })
  },
  sliceReducer(plan, ready, leaves, children) {
    const own = ownReducer(plan, ready, leaves, children)
    const { deferral } = plan
    return deferral === null || deferral.isRepeated === true ? own : new SliceDeferred(own, leaves)
  },
  shardReducer: (plans, children, shards) =>
    new ShardBuckets(plans[0]!, termsKeyForm(plans, shards), children, shards),
}

function ownReducer(
  plan: Terms,
  { accepted, isAlone }: Ready,
  leaves: readonly Leaf[],
  children: readonly ReducedChild[],
): SliceReducer {
  const { values, filter } = plan
  if (values.kind === 'terms' && isDense(plan, isAlone)) return new DenseTerms(plan, values, leaves)
  switch (values.kind) {
    case 'numbers':
      return new SliceTerms(plan, new NumberKeys(values, filter, leaves), children)
    case 'texts':
      return new SliceTerms(plan, new TextKeys(values, filter, leaves), children)
    case 'terms':
    case 'constant':
      return new SliceTerms(
        plan,
        new OrdinalKeys(values, accepted, leaves, plan.hint !== 'map'),
        children,
      )
  }
}

/** Terms of a shard whose ords are counted; 0: none are. */
function distinctTerms({ values, hint }: Terms, { leaves }: AggregationShard): number {
  return values.kind !== 'terms' || hint === 'map'
    ? 0
    : new GlobalOrdinals(values.field, leaves, true).count
}

/** Whether a slice gives the counts of all ords, where most may have documents. */
function isDense(
  { values, filter, children, deferral, minDocCount, hint }: Terms,
  isAlone: boolean,
): boolean {
  const apart = deferral?.isRepeated === true ? deferral.children.length : 0
  const isPlain = filter === null && children.length === apart && hint !== 'map'
  return values.kind === 'terms' && isAlone && isPlain && minDocCount > 0
}

/** The field whose dictionary has the terms, and no others; null: none has. */
function dictionaryOf(values: Terms['values']): string | null {
  if (values.kind !== 'terms' || values.missing !== null) return null
  return values.fieldData === null ? values.field : null
}

/** Terms up to which a column of few values is told apart. */
const MAX_LOW_CARDINALITY = 2048

/** The class that the real server would collect with. */
function ordinalClass(
  { hint, children, filter }: Terms,
  values: TermSource,
  { leaves, isAlone }: AggregationShard,
): string {
  if (hint === 'map') return 'MapStringTermsAggregator'
  const terms = maxTerms(values, leaves)
  const docs = leaves.reduce((sum, leaf) => sum + leaf.maxDoc, 0)
  const isLow =
    isAlone &&
    children.length === 0 &&
    filter === null &&
    terms <= MAX_LOW_CARDINALITY &&
    2 * terms <= docs
  return `GlobalOrdinalsStringTermsAggregator${isLow ? '.LowCardinality' : ''}`
}

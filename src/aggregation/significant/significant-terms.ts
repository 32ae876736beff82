/** `significant_terms`: a bucket for each value that is more frequent here than elsewhere. */
import type { Query } from '../../search/query/query.ts'
import { sectionBit } from '../../search/weight/section-use.ts'
import type { Leaf } from '../../segment/leaf.ts'
import type { AggregationPlan, AggregationType } from '../aggregation-type.ts'
import { acceptedOrds } from '../terms/ordinal-terms.ts'
import type { TermKey, ValueKeys } from '../terms/term-keys.ts'
import type { ValueFilter } from '../terms/value-filter.ts'
import type { TermSource, ValueSource } from '../value-source.ts'
import type { BackgroundCounts } from './background.ts'
import { ShardSignificant } from './shard-significant.ts'
import { keysOf, SignificantCollector } from './significant-collector.ts'
import {
  type CutBySignificance,
  type ShardBackground,
  SliceSignificant,
} from './slice-significant.ts'

/** A bucket for each value that is more frequent in the documents than in the background. */
export interface SignificantTerms extends AggregationPlan, CutBySignificance {
  readonly kind: 'significantTerms'
  readonly values: ValueSource
  /** The values that have buckets; null: all. */
  readonly filter: ValueFilter | null
  /** `execution_hint`; null: none is given. */
  readonly hint: 'map' | 'global_ordinals' | null
  /** The documents to compare with; null: all of the index. */
  readonly background: Query | null
  /** Path of the nested objects that the documents are; null: they are none. */
  readonly path: string | null
  /** Documents of the background, counted by a search of its own; null: terms dictionaries have the frequencies. */
  readonly counted: BackgroundCounts | null
}

interface Ready {
  readonly accepted: readonly (Uint32Array | null)[]
}

const NUMERIC_VALUES = sectionBit('numericValues')

/** Buckets by value, the most significant first. */
export const significantTerms: AggregationType<SignificantTerms, Ready> = {
  readsScores: () => false,
  className({ values, hint }) {
    if (values.kind === 'numbers') return 'NumericTermsAggregator'
    return isInMap(values, hint)
      ? 'MapStringTermsAggregator'
      : 'GlobalOrdinalsStringTermsAggregator'
  },
  prepare({ values, filter }, shard) {
    if (values.kind === 'numbers') shard.use(values.field, NUMERIC_VALUES)
    if (values.kind !== 'terms') return { accepted: [] }
    shard.useTerms(values.field, values.fieldData)
    return { accepted: acceptedOrds(values, filter, shard.leaves) }
  },
  open: (plan, { accepted }, children, slice) =>
    new SignificantCollector(plan, accepted, children, isInMap(plan.values, plan.hint), slice),
  sliceReducer(plan, { accepted }, leaves) {
    const keys = keysOf(plan.values, plan.filter, accepted, leaves)
    return new SliceSignificant(plan, keys, backgroundOf(plan, keys, leaves))
  },
  shardReducer: (plans, children, shards) => new ShardSignificant(plans, children, shards),
}

/**
 * Whether a background must be counted, because no dictionary knows it.
 * @param hasWeights whether documents may count as several
 */
export function needsCounting(
  { values, background }: SignificantTerms,
  hasWeights: boolean,
): boolean {
  return background !== null || values.kind === 'numbers' || hasWeights
}

function isInMap(values: ValueSource, hint: SignificantTerms['hint']): boolean {
  return hint === 'map' || values.kind === 'constant'
}

function backgroundOf(
  { values, background, counted }: SignificantTerms,
  keys: ValueKeys,
  leaves: readonly Leaf[],
): ShardBackground {
  const all = leaves.reduce((sum, { maxDoc }) => sum + maxDoc, 0)
  if (counted !== null)
    return {
      // Documents may count as several; dictionaries count deleted ones too.
      size: background === null ? Math.max(all, counted.size) : counted.size,
      count: bucket => counted.count(keys.high(bucket), keys.low(bucket)),
    }
  if (values.kind !== 'terms') return { size: all, count: () => all }
  return { size: all, count: bucket => docFreq(values, keys.key(bucket), leaves) }
}

/** Documents with a term, deleted ones that no merge has dropped included. */
function docFreq({ field }: TermSource, term: TermKey, leaves: readonly Leaf[]): number {
  let count = 0
  for (const leaf of leaves)
    if (leaf.fieldInfo(field) !== null && term instanceof Uint8Array)
      count += leaf.terms(field)?.lookup(term)?.docFreq ?? 0
  return count
}

/** `rare_terms`: a bucket for each value that few documents have. */
import { sectionBit } from '../../search/weight/section-use.ts'
import type { AggregationPlan, AggregationType } from '../aggregation-type.ts'
import type { AnyValueSource } from '../value-source.ts'
import { termsKeyForm } from './key-form.ts'
import { NumberKeys } from './number-keys.ts'
import { NumberTerms } from './number-terms.ts'
import { OrdinalKeys } from './ordinal-keys.ts'
import { acceptedOrds, OrdinalTerms } from './ordinal-terms.ts'
import { ShardBuckets } from './shard-buckets.ts'
import { SliceTerms } from './slice-terms.ts'
import type { CutBuckets } from './terms-plan.ts'
import { TextKeys, TextTerms } from './text-terms.ts'
import type { ValueFilter } from './value-filter.ts'

/** A bucket for each value that few documents have. */
export interface RareTerms extends AggregationPlan, CutBuckets {
  readonly kind: 'rareTerms'
  readonly values: AnyValueSource
  /** The values that have buckets; null: all. */
  readonly filter: ValueFilter | null
}

/** Accepted ords by leaf, as bits; null: all. */
interface Ready {
  readonly accepted: readonly (Uint32Array | null)[]
}

const NUMERIC_VALUES = sectionBit('numericValues')
/** Of an ordinal collector of terms that the real server keeps in a map. */
const IN_MAP = {
  isMap: true,
  hasFilter: false,
  isPlain: false,
  givesDense: false,
  selection: null,
}

/** Buckets of few documents: shards give all of theirs, since only all together tell which are rare. */
export const rareTerms: AggregationType<RareTerms, Ready> = {
  readsScores: () => false,
  className: ({ values }) =>
    values.kind === 'numbers' ? 'LongRareTermsAggregator' : 'StringRareTermsAggregator',
  prepare({ values, filter }, shard) {
    if (values.kind === 'numbers') shard.use(values.field, NUMERIC_VALUES)
    if (values.kind !== 'terms') return { accepted: [] }
    shard.useTerms(values.field, values.fieldData)
    return { accepted: acceptedOrds(values, filter, shard.leaves) }
  },
  open({ values, filter }, { accepted }, children, slice) {
    switch (values.kind) {
      case 'numbers':
        return new NumberTerms(values, filter, children, slice)
      case 'texts':
        return new TextTerms(values, filter, children, slice)
      case 'terms':
      case 'constant':
        return new OrdinalTerms(values, accepted, children, IN_MAP, slice)
    }
  },
  sliceReducer(plan, { accepted }, leaves, children) {
    const { values, filter } = plan
    switch (values.kind) {
      case 'numbers':
        return new SliceTerms(plan, new NumberKeys(values, filter, leaves), children)
      case 'texts':
        return new SliceTerms(plan, new TextKeys(values, filter, leaves), children)
      case 'terms':
      case 'constant':
        return new SliceTerms(plan, new OrdinalKeys(values, accepted, leaves, true), children)
    }
  },
  shardReducer(plans, children, shards) {
    const form = termsKeyForm(plans, shards)
    const rare = {
      ...form,
      typedName: form.typedName.replace('terms', 'rareterms'),
      className: form.className.replace('Terms', 'RareTerms'),
      showsCounters: false,
    }
    return new ShardBuckets(plans[0]!, rare, children, shards)
  },
}

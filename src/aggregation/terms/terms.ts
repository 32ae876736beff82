/** `terms`: a bucket for each value of a field. */
import { sectionBit } from '../../search/weight/section-use.ts'
import type { AggregationType } from '../aggregation-type.ts'
import { NumberKeys } from './number-keys.ts'
import { NumberTerms } from './number-terms.ts'
import { OrdinalKeys } from './ordinal-keys.ts'
import { acceptedOrds, OrdinalTerms } from './ordinal-terms.ts'
import { ShardTerms } from './shard-terms.ts'
import { SliceTerms } from './slice-terms.ts'
import type { Terms } from './terms-plan.ts'

/** Accepted ords by leaf, as bits; null: all. */
interface Ready {
  readonly accepted: readonly (Uint32Array | null)[]
}

const NUMERIC_VALUES = sectionBit('numericValues')

/** Buckets by value. */
export const terms: AggregationType<Terms, Ready> = {
  readsScores: () => false,
  prepare({ values, filter }, shard) {
    switch (values.kind) {
      case 'numbers':
        shard.use(values.field, NUMERIC_VALUES)
        return { accepted: [] }
      case 'terms':
        shard.useTerms(values.field, values.fieldData)
        return { accepted: acceptedOrds(values, filter, shard.leaves) }
      case 'constant':
        return { accepted: [] }
    }
  },
  open({ values, filter }, { accepted }, children) {
    switch (values.kind) {
      case 'numbers':
        return new NumberTerms(values, filter, children)
      case 'terms':
      case 'constant':
        return new OrdinalTerms(values, accepted, children)
    }
  },
  sliceReducer(plan, { accepted }, leaves, children) {
    const { values, filter } = plan
    switch (values.kind) {
      case 'numbers':
        return new SliceTerms(plan, new NumberKeys(values, filter, leaves), children)
      case 'terms':
      case 'constant':
        return new SliceTerms(plan, new OrdinalKeys(values, accepted, leaves), children)
    }
  },
  shardReducer: (plans, children, shards) => new ShardTerms(plans, children, shards),
}

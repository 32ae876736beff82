import { sectionBit } from '../../search/weight/section-use.ts'
import type { AggregationShard } from '../aggregation-type.ts'
import type { TupleSource } from './tuple-source.ts'

const NUMERIC_VALUES = sectionBit('numericValues')

/** Notes the sections that sources read. */
export function sourceSections(sources: readonly TupleSource[], shard: AggregationShard): void {
  for (const { values } of sources) {
    if (values?.kind === 'numbers') shard.use(values.field, NUMERIC_VALUES)
    if (values?.kind === 'terms') shard.useTerms(values.field, values.fieldData)
  }
}

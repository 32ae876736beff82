import type { AnyValueSource } from '../../../aggregation/value-source.ts'
import { IllegalArgumentError } from '../../../util/errors.ts'
import { readInteger, readNumber } from '../json-scalars.ts'
import type { AggregationParser } from './aggregation-parser.ts'
import { bindAnyValues, overValues } from './bind-values.ts'
import {
  checkInclusion,
  type Inclusion,
  NO_INCLUSION,
  readExclude,
  readInclude,
} from './inclusion.ts'
import { readFields } from './object-fields.ts'
import { sourceOfType } from './typed-source.ts'
import { valueFilter } from './value-filter.ts'
import { checkFieldGiven, newValueKeys, valueReaders } from './value-keys.ts'

/** More buckets than there can be. */
const ALL = 2147483647
const MAX_DOC_COUNT = 100
const MIN_PRECISION = 0.00001

/** `rare_terms`. */
export const rareTerms: AggregationParser = {
  takesChildren: true,
  sortable: 'no',
  parse({ name, node }) {
    const keys = newValueKeys()
    let maxDocCount = 1
    let inclusion: Inclusion = NO_INCLUSION
    readFields(node, 'rare_terms', valueReaders(keys), {
      max_doc_count: value => {
        maxDocCount = readInteger(value)
        if (maxDocCount < 1 || maxDocCount > MAX_DOC_COUNT)
          throw new IllegalArgumentError(
            maxDocCount < 1
              ? `[max_doc_count] must be greater than 0. Found [${maxDocCount}] in [${name}]`
              : `[max_doc_count] must be smaller than or equal to ${MAX_DOC_COUNT}. Found ` +
                  `[${maxDocCount}] in [${name}]`,
          )
      },
      // The count is exact, so that a precision has nothing to bound.
      precision: value => {
        if (readNumber(value) < MIN_PRECISION)
          throw new IllegalArgumentError(`[precision] must be greater than 0.00001`)
      },
      include: value => {
        inclusion = { ...inclusion, ...readInclude(value) }
      },
      exclude: value => {
        inclusion = { ...inclusion, exclude: readExclude(value) }
      },
    })
    checkFieldGiven(keys)
    checkInclusion(inclusion)
    return {
      bind(context, children) {
        const taken = { aggregation: 'rare_terms', byDefault: 'string', takesTerms: true } as const
        const source = bindAnyValues(keys, taken, context)
        if (source?.kind === 'numbers' && source.type === 'double')
          throw new IllegalArgumentError(
            'RareTerms aggregation does not support floating point fields.',
          )
        return overValues<AnyValueSource>(
          source,
          sourceOfType('', keys.valueType ?? 'string'),
          values => ({
            kind: 'rareTerms',
            name,
            children,
            values,
            size: ALL,
            shardSize: ALL,
            minDocCount: 1,
            shardMinDocCount: 0,
            order: [
              { by: 'count', descending: false },
              { by: 'key', descending: false },
            ],
            showsErrors: false,
            maxDocCount,
            filter: valueFilter(inclusion, values, name, context),
          }),
        )
      },
    }
  },
}

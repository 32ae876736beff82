import { EngineError, IllegalArgumentError } from '../../../util/errors.ts'
import { readText } from '../json-scalars.ts'
import { buildQuery } from '../query-context.ts'
import type { AggregationParser } from './aggregation-parser.ts'
import { bindValues, overValues } from './bind-values.ts'
import { checkInclusion } from './inclusion.ts'
import { readFields } from './object-fields.ts'
import { cutOf, newSignificanceKeys, significanceReaders } from './significance-keys.ts'
import { sourceOfType } from './typed-source.ts'
import { valueFilter } from './value-filter.ts'
import { checkFieldGiven, newValueKeys, valueReaders } from './value-keys.ts'

const HINTS = ['map', 'global_ordinals'] as const

/** `significant_terms`. */
export const significantTerms: AggregationParser = {
  takesChildren: true,
  sortable: 'no',
  parse({ name, node }) {
    const keys = newValueKeys()
    const significance = newSignificanceKeys()
    let hint: (typeof HINTS)[number] | null = null
    readFields(
      node,
      'significant_terms',
      valueReaders(keys),
      significanceReaders(significance, 'significant_terms', name),
      {
        execution_hint: value => {
          const text = readText(value)
          hint = HINTS.find(each => each === text) ?? null
          if (hint === null)
            throw new IllegalArgumentError(
              `Unknown \`execution_hint\`: [${text}], expected any of [${HINTS.join(', ')}]`,
            )
        },
      },
    )
    checkFieldGiven(keys)
    const { background, inclusion } = significance
    checkInclusion(inclusion)
    return {
      queries: background === null ? [] : [background],
      bind(context, children) {
        const taken = {
          aggregation: 'significant_terms',
          byDefault: 'string',
          takesTerms: true,
        } as const
        const source = bindValues(keys, taken, context)
        if (source?.kind === 'numbers' && source.type === 'double')
          throw new EngineError({
            type: 'unsupported_operation_exception',
            reason: 'No support for examining floating point numerics',
          })
        return overValues(source, sourceOfType('', keys.valueType ?? 'string'), values => ({
          kind: 'significantTerms',
          children,
          values,
          ...cutOf(significance, name, context),
          hint,
          filter: valueFilter(inclusion, values, name, context),
          background: background === null ? null : buildQuery(background, context),
          path: context.nested.path,
          counted: null,
        }))
      },
    }
  },
}

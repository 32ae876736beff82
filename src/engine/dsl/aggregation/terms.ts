import type { AnyValueSource } from '../../../aggregation/value-source.ts'
import { IllegalArgumentError } from '../../../util/errors.ts'
import { readText } from '../json-scalars.ts'
import type { AggregationParser } from './aggregation-parser.ts'
import { bindAnyValues, overValues } from './bind-values.ts'
import { cutBuckets, cutReaders, newCutKeys } from './cut-keys.ts'
import { deferralOf, openDeferral } from './deferral.ts'
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

const HINTS = ['map', 'global_ordinals', 'stream'] as const

/** `terms`. */
export const terms: AggregationParser = {
  takesChildren: true,
  sortable: 'no',
  parse({ name, node }) {
    const keys = newValueKeys()
    const cut = newCutKeys()
    let hint: (typeof HINTS)[number] | null = null
    let inclusion: Inclusion = NO_INCLUSION
    readFields(node, 'terms', valueReaders(keys), cutReaders(cut, name), {
      include: value => {
        inclusion = { ...inclusion, ...readInclude(value) }
      },
      exclude: value => {
        inclusion = { ...inclusion, exclude: readExclude(value) }
      },
      execution_hint: value => {
        const text = readText(value)
        hint = HINTS.find(each => each === text) ?? null
        if (hint === null)
          throw new IllegalArgumentError(
            `Unknown \`execution_hint\`: [${text}], expected any of [map, global_ordinals, stream]`,
          )
      },
    })
    checkFieldGiven(keys)
    checkInclusion(inclusion)
    return {
      order: cut.order,
      seesAll: cut.minDocCount === 0,
      bind(context, children) {
        const taken = { aggregation: 'terms', byDefault: 'string', takesTerms: true } as const
        const source = bindAnyValues(keys, taken, context)
        return overValues<AnyValueSource>(
          source,
          sourceOfType('', keys.valueType ?? 'string'),
          values => ({
            kind: 'terms',
            name,
            children,
            values,
            ...cutBuckets(cut),
            hint,
            filter: valueFilter(inclusion, values, name, context),
            deferral: deferralOf(cut, children),
            mayDefer: openDeferral(cut, children),
          }),
        )
      },
    }
  },
}

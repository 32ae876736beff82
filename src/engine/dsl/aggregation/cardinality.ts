import type { HashedSource } from '../../../aggregation/cardinality/cardinality.ts'
import type { CardinalityHint } from '../../../aggregation/cardinality/distinct-terms.ts'
import { IllegalArgumentError } from '../../../util/errors.ts'
import { readNumber, readText } from '../json-scalars.ts'
import type { AggregationParser } from './aggregation-parser.ts'
import { overValues } from './bind-values.ts'
import { bindHashed } from './counted-values.ts'
import { readFields } from './object-fields.ts'
import { sourceOfType } from './typed-source.ts'
import { checkFieldGiven, newValueKeys, valueReaders } from './value-keys.ts'

const DEFAULT_THRESHOLD = 3000
const MAX_THRESHOLD = 40_000
const HINTS = ['direct', 'ordinals'] as const

/** `cardinality`. */
export const cardinality: AggregationParser = {
  takesChildren: false,
  sortable: 'metric',
  parse({ name, node }) {
    const keys = newValueKeys()
    let threshold = DEFAULT_THRESHOLD
    let hint: CardinalityHint = 'none'
    readFields(node, 'cardinality', valueReaders(keys), {
      precision_threshold: value => {
        threshold = Math.trunc(readNumber(value))
        if (threshold < 0)
          throw new IllegalArgumentError(
            `[precisionThreshold] must be greater than or equal to 0. Found [${threshold}] in [${name}]`,
          )
      },
      execution_hint: value => {
        const text = readText(value)
        const known = HINTS.find(each => each === text.toLowerCase())
        if (known === undefined)
          throw new IllegalArgumentError(
            `Unknown \`execution_hint\`: [${text}], expected any of [${HINTS.join(', ')}]`,
          )
        hint = known
      },
    })
    checkFieldGiven(keys)
    return {
      bind(context) {
        const taken = { aggregation: 'cardinality', byDefault: 'string', takesTerms: true } as const
        const source = bindHashed(keys, taken, context)
        return overValues<HashedSource>(source, sourceOfType('', 'string'), values => ({
          kind: 'cardinality',
          name,
          children: [],
          values,
          threshold: Math.min(threshold, MAX_THRESHOLD),
          hint,
        }))
      },
    }
  },
}

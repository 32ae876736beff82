import { IllegalArgumentError } from '../../../util/errors.ts'
import type { JsonNode } from '../../../util/json/json-tree.ts'
import { parsingError, tokenName } from '../parse-error.ts'
import type { AggregationParser } from './aggregation-parser.ts'
import { bindNumbers, overValues } from './bind-values.ts'
import { readFields } from './object-fields.ts'
import { noNumbers } from './typed-source.ts'
import { newValueKeys, type ValueKeys, valueReaders } from './value-keys.ts'

const TYPE = 'weighted_avg'

/** `weighted_avg`. */
export const weightedAvg: AggregationParser = {
  takesChildren: false,
  sortable: 'metric',
  parse({ name, node }) {
    const common = newValueKeys()
    const { format, value_type } = valueReaders(common)
    let value: ValueKeys | null = null
    let weight: ValueKeys | null = null
    readFields(node, TYPE, {
      value: given => {
        value = readSource(given)
      },
      weight: given => {
        weight = readSource(given)
      },
      format: format!,
      value_type: value_type!,
    })
    const { format: pattern, valueType } = common
    const values = { ...required(value, 'value'), format: pattern, valueType }
    const weights = { ...required(weight, 'weight'), format: null, valueType }
    return {
      bind(context) {
        const taken = { aggregation: TYPE, byDefault: 'number' } as const
        const ofValues = bindNumbers(values, taken, context)
        const ofWeights = bindNumbers(weights, taken, context)
        return overValues(
          ofWeights === null ? null : ofValues,
          noNumbers(values, 'number'),
          source => ({
            kind: 'weightedAvg',
            name,
            children: [],
            values: source,
            weights: ofWeights ?? noNumbers(weights, 'number'),
          }),
        )
      },
    }
  },
}

function required(keys: ValueKeys | null, name: string): ValueKeys {
  if (keys !== null) return keys
  throw new IllegalArgumentError(`Could not find field name [${name}] in multiValuesSource`)
}

/** Where the values or the weights come from. */
function readSource(node: JsonNode): ValueKeys {
  if (node.kind !== 'object')
    throw parsingError(node, `Expected [START_OBJECT] but found [${tokenName(node.kind)}]`)
  const keys = newValueKeys()
  const { field, missing, script } = valueReaders(keys)
  readFields(node, 'field_config', { field: field!, missing: missing!, script: script! })
  if (keys.field === null && keys.script === null)
    throw new IllegalArgumentError(
      '[field] and [script] cannot both be null.  Please specify one or the other.',
    )
  return keys
}

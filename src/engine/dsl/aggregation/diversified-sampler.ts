import type { AnyValueSource } from '../../../aggregation/value-source.ts'
import { IllegalArgumentError } from '../../../util/errors.ts'
import { readText } from '../json-scalars.ts'
import type { AggregationParser } from './aggregation-parser.ts'
import { bindAnyValues, overValues } from './bind-values.ts'
import { readMinDocCount, readSize } from './counts.ts'
import { readFields } from './object-fields.ts'
import { DEFAULT_SAMPLE } from './sampler.ts'
import { sourceOfType } from './typed-source.ts'
import { checkFieldGiven, newValueKeys, valueReaders } from './value-keys.ts'

const HINTS = ['map', 'bytes_hash', 'global_ordinals'] as const

/** `diversified_sampler`. */
export const diversifiedSampler: AggregationParser = {
  takesChildren: true,
  sortable: 'single',
  parse({ name, node }) {
    const keys = newValueKeys()
    let size = DEFAULT_SAMPLE
    let perValue = 1
    let hint: (typeof HINTS)[number] | null = null
    readFields(node, 'diversified_sampler', valueReaders(keys), {
      shard_size: value => {
        size = readSize(value, 'shardSize', name)
      },
      max_docs_per_value: value => {
        perValue = readMinDocCount(value, 'maxDocsPerValue', name)
      },
      execution_hint: value => {
        const text = readText(value)
        hint = HINTS.find(each => each === text) ?? null
        if (hint === null)
          throw new IllegalArgumentError(
            `Unknown \`execution_hint\`: [${text}], expected any of [${HINTS.join(', ')}]`,
          )
      },
    })
    checkFieldGiven(keys)
    return {
      samples: true,
      bind(context, children) {
        const taken = {
          aggregation: 'diversified_sampler',
          byDefault: 'string',
          takesTerms: true,
        } as const
        const source = bindAnyValues(keys, taken, context)
        return overValues<AnyValueSource>(
          source,
          sourceOfType('', keys.valueType ?? 'string'),
          values => ({
            kind: 'diversifiedSampler',
            name,
            children,
            values,
            size,
            perValue,
            hint,
          }),
        )
      },
    }
  },
}

import { IllegalArgumentError } from '../../../util/errors.ts'
import type { JsonNode } from '../../../util/json/json-tree.ts'
import { derivedField } from '../derived/derived-field.ts'
import { mappedField } from '../field/field-searches.ts'
import { readInteger } from '../json-scalars.ts'
import type { AggregationParser } from './aggregation-parser.ts'
import { bindNumbers, overValues } from './bind-values.ts'
import { unsupportedField } from './field-values.ts'
import { readFields } from './object-fields.ts'
import { noNumbers } from './typed-source.ts'
import { checkFieldGiven, newValueKeys, valueReaders } from './value-keys.ts'

const MAX_INITIAL_BUFFER = 50_000

/** `variable_width_histogram`. */
export const variableWidthHistogram: AggregationParser = {
  takesChildren: true,
  sortable: 'no',
  parse({ name, node }) {
    const keys = newValueKeys()
    let size = 10
    let shardSize: number | null = null
    let initialBuffer: number | null = null
    readFields(node, 'variable_width_histogram', valueReaders(keys), {
      buckets: value => {
        size = above(0, value, 'buckets', name)
      },
      shard_size: value => {
        shardSize = above(1, value, 'shard_size', name)
      },
      initial_buffer: value => {
        initialBuffer = above(0, value, 'initial_buffer', name)
      },
    })
    checkFieldGiven(keys)
    checkSizes(size, shardSize ?? 50 * size, initialBuffer, name)
    return {
      bind(context, children) {
        const taken = { aggregation: 'variable_width_histogram', byDefault: 'number' } as const
        const source = bindNumbers(keys, taken, context)
        const kind = source?.format.kind
        const asked = keys.field ?? ''
        const field = derivedField(asked, context) ?? mappedField(asked, context)
        if (field !== null && (kind === 'date' || kind === 'boolean'))
          throw unsupportedField(field, taken.aggregation)
        return overValues(source, noNumbers(keys, 'number'), values => ({
          kind: 'variableWidthHistogram',
          name,
          children,
          values,
          size,
        }))
      },
    }
  },
}

function above(limit: number, node: JsonNode, key: string, name: string): number {
  const value = readInteger(node)
  if (value > limit) return value
  throw new IllegalArgumentError(`${key} must be greater than [${limit}] for [${name}]`)
}

/**
 * Clusters are those of all values, so that sizes of shards and buffers bound nothing; they are held
 * against each other as the reference server does.
 */
function checkSizes(
  size: number,
  shardSize: number,
  givenBuffer: number | null,
  name: string,
): void {
  const buffer = givenBuffer ?? Math.min(10 * shardSize, MAX_INITIAL_BUFFER)
  if (buffer < size)
    throw new IllegalArgumentError(
      `initial_buffer must be at least buckets but was [${buffer}<${size}] for [${name}]`,
    )
  const merged = Math.floor((3 * shardSize) / 4)
  if (merged < size)
    throw new IllegalArgumentError(
      `3/4 of shard_size must be at least buckets but was [${merged}<${size}] for [${name}]`,
    )
}

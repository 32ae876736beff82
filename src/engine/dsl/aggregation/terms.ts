import { IllegalArgumentError } from '../../../util/errors.ts'
import { readBoolean, readText } from '../json-scalars.ts'
import type { AggregationParser, ParsedOrders } from './aggregation-parser.ts'
import { readMinDocCount, readSize } from './counts.ts'
import {
  checkInclusion,
  type Inclusion,
  NO_INCLUSION,
  readExclude,
  readInclude,
} from './inclusion.ts'
import { readFields } from './object-fields.ts'
import { BY_COUNT, bucketOrders, readOrders } from './orders.ts'
import { valueFilter } from './value-filter.ts'
import {
  bindValues,
  checkFieldGiven,
  newValueKeys,
  overValues,
  sourceOfType,
  valueReaders,
} from './value-keys.ts'

const HINTS = ['map', 'global_ordinals', 'stream'] as const
const COLLECT_MODES: readonly string[] = ['depth_first', 'breadth_first']

/** `terms`. */
export const terms: AggregationParser = {
  takesChildren: true,
  sortable: 'no',
  parse({ name, node }) {
    const keys = newValueKeys()
    let size = 10
    let shardSize = -1
    let minDocCount = 1
    let shardMinDocCount = 0
    let order: ParsedOrders = BY_COUNT
    let showsErrors = false
    let hint: (typeof HINTS)[number] | null = null
    let inclusion: Inclusion = NO_INCLUSION
    readFields(node, 'terms', {
      ...valueReaders(keys),
      size: value => {
        size = readSize(value, 'size', name)
      },
      shard_size: value => {
        shardSize = readSize(value, 'shardSize', name)
      },
      min_doc_count: value => {
        minDocCount = readMinDocCount(value, 'minDocCount', name)
      },
      shard_min_doc_count: value => {
        shardMinDocCount = readMinDocCount(value, 'shardMinDocCount', name)
      },
      order: value => {
        order = readOrders(value)
      },
      show_term_doc_count_error: value => {
        showsErrors = readBoolean(value)
      },
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
      collect_mode: value => {
        const mode = readText(value)
        if (!COLLECT_MODES.includes(mode))
          throw new IllegalArgumentError(
            `Unknown \`collect_mode\`: [${mode}], expected any of [${COLLECT_MODES.join(', ')}]`,
          )
      },
    })
    checkFieldGiven(keys)
    checkInclusion(inclusion)
    const isByKey = order[0]?.path === '_key'
    const usual = isByKey ? size : Math.min(2147483647, Math.floor(size * 1.5) + 10)
    return {
      order,
      seesAll: minDocCount === 0,
      bind(context, children) {
        const taken = { aggregation: 'terms', byDefault: 'string', takesTerms: true } as const
        const source = bindValues(keys, taken, context)
        return overValues(source, sourceOfType('', keys.valueType ?? 'string'), values => ({
          kind: 'terms',
          name,
          children,
          values,
          size,
          shardSize: Math.max(size, shardSize < 0 ? usual : shardSize),
          minDocCount,
          shardMinDocCount: Math.min(minDocCount, shardMinDocCount),
          order: bucketOrders(order),
          showsErrors,
          maxDocCount: Number.POSITIVE_INFINITY,
          hint,
          filter: valueFilter(inclusion, values, name, context),
        }))
      },
    }
  },
}

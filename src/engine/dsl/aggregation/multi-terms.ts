import type { TupleSource } from '../../../aggregation/tuple/tuple-source.ts'
import { IllegalArgumentError } from '../../../util/errors.ts'
import type { JsonNode } from '../../../util/json/json-tree.ts'
import { readBoolean, readText } from '../json-scalars.ts'
import { contentError, parsingError, tokenName } from '../parse-error.ts'
import type { AggregationParser, ParsedOrders } from './aggregation-parser.ts'
import { readMinDocCount, readSize } from './counts.ts'
import { readFields } from './object-fields.ts'
import { BY_COUNT, bucketOrders, readOrders } from './orders.ts'
import {
  bindValues,
  checkFieldGiven,
  newValueKeys,
  type ValueKeys,
  valueReaders,
} from './value-keys.ts'

/** `multi_terms`. */
export const multiTerms: AggregationParser = {
  takesChildren: true,
  sortable: 'no',
  parse({ name, node }) {
    let terms: readonly ValueKeys[] = []
    let size = 10
    let shardSize = -1
    let minDocCount = 1
    let shardMinDocCount = 0
    let order: ParsedOrders = BY_COUNT
    let showsErrors = false
    readFields(node, 'multi_terms', {
      terms: value => {
        terms = readTerms(value)
      },
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
      collect_mode: value => {
        readText(value)
      },
    })
    if (terms.length < 2)
      throw new IllegalArgumentError(
        `multi term aggregation must has at least 2 terms. Found [${terms.length}] in [${name}]` +
          (terms.length === 1 ? ' Use terms aggregation for single term aggregation' : ''),
      )
    const isByKey = order[0]?.path === '_key'
    const usual = isByKey ? size : Math.min(2147483647, Math.floor(size * 1.5) + 10)
    return {
      order,
      bind(context, children) {
        const taken = { aggregation: 'multi_terms', byDefault: 'string', takesTerms: true } as const
        const sources = terms.map(
          (keys): TupleSource => ({
            values: bindValues(keys, taken, context),
            rounding: { kind: 'none' },
            hasNull: false,
          }),
        )
        const plan = {
          kind: 'multiTerms' as const,
          name,
          children,
          sources,
          size,
          shardSize: Math.max(size, shardSize < 0 ? usual : shardSize),
          minDocCount,
          shardMinDocCount: Math.min(minDocCount, shardMinDocCount),
          order: bucketOrders(order),
          showsErrors,
          maxDocCount: Number.POSITIVE_INFINITY,
        }
        return sources.some(({ values }) => values === null)
          ? { kind: 'unmapped', name, children: [], model: plan }
          : plan
      },
    }
  },
}

function readTerms(node: JsonNode): readonly ValueKeys[] {
  if (node.kind !== 'array')
    throw parsingError(
      node,
      `[multi_terms] expected a list of terms but found [${tokenName(node.kind)}]`,
    )
  return node.items.map(item => {
    if (item.kind !== 'object')
      throw contentError(
        item,
        `[multi_terms] expected an object but found [${tokenName(item.kind)}]`,
      )
    const keys = newValueKeys()
    readFields(item, 'multi_terms', valueReaders(keys, { zone: true }))
    checkFieldGiven(keys)
    return keys
  })
}

import type { AggregationParser } from './aggregation-parser.ts'
import { readSize } from './counts.ts'
import { readFields } from './object-fields.ts'

/** Documents that a shard samples unless a request says otherwise. */
export const DEFAULT_SAMPLE = 100

/** `sampler`. */
export const sampler: AggregationParser = {
  takesChildren: true,
  sortable: 'single',
  parse({ name, node }) {
    let size = DEFAULT_SAMPLE
    readFields(node, 'sampler', {
      shard_size: value => {
        size = readSize(value, 'shardSize', name)
      },
    })
    return {
      samples: true,
      bind: (_context, children) => ({ kind: 'sampler', name, children, size }),
    }
  },
}

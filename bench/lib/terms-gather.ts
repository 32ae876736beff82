import type { AnyGather } from '../../dist/parallel/gathers.js'

/** A bucket for each value of a keyword field. */
export function termsOf(field: string): AnyGather {
  const values = {
    kind: 'terms',
    field,
    fieldData: null,
    missing: null,
    format: { kind: 'raw' },
  } as const
  const terms = {
    kind: 'terms',
    name: 'values',
    children: [],
    values,
    size: 10,
    shardSize: 25,
    minDocCount: 1,
    shardMinDocCount: 0,
    order: [
      { by: 'count', descending: true },
      { by: 'key', descending: false },
    ],
    showsErrors: false,
    maxDocCount: Number.POSITIVE_INFINITY,
    hint: null,
    filter: null,
    deferral: null,
    mayDefer: null,
  } as const
  return { kind: 'aggregations', nodes: [terms], maxBytes: 2 ** 30 }
}

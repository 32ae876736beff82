/** sampler and diversified_sampler, with room for all documents: which of them are best is tested by hand. */
import type { PlainKind } from '../kind.ts'

const ALL = 10_000

/** `sampler`. */
export const sampler: PlainKind = {
  buckets: 'one',
  draw: () => ({ shard_size: ALL }),
  answer: (_body, rows, below) => below.bucket(rows),
}

/** `diversified_sampler`. */
export const diversifiedSampler: PlainKind = {
  buckets: 'one',
  draw: ({ path }) => ({
    field: path === '' ? 'd' : path === 'a' ? 'a.x' : 'a.c.z',
    shard_size: ALL,
    max_docs_per_value: ALL,
  }),
  answer: (_body, rows, below) => below.bucket(rows),
}

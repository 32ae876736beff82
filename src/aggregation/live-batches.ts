/** All live documents of a shard in batches, for buckets that documents need not match. */
import { newReduceRun } from '../script/script-run.ts'
import { BATCH_DOCS } from '../search/collector/gather.ts'
import type { Leaf } from '../segment/leaf.ts'
import type { BucketBatch } from './bucket-batch.ts'

/** The batches of the leaves, in order; scripts run on them for a second together. */
export function* liveBatches(leaves: readonly Leaf[]): Generator<BucketBatch> {
  const scripts = newReduceRun()
  for (const leaf of leaves)
    for (let from = 0; from < leaf.maxDoc; from += BATCH_DOCS) {
      const docs: number[] = []
      const to = Math.min(leaf.maxDoc, from + BATCH_DOCS)
      for (let doc = from; doc < to; doc++) if (leaf.liveDocs?.has(doc) !== false) docs.push(doc)
      yield {
        leaf,
        leafOrd: leaf.ord,
        count: docs.length,
        run: -1,
        docs: Int32Array.from(docs),
        docsAt: 0,
        owners: null,
        ownersAt: 0,
        scores: null,
        weights: null,
        scripts,
      }
    }
}

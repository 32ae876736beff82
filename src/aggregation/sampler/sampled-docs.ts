import type { Leaf } from '../../segment/leaf.ts'
import type { LeafSample, SampledDocs } from './replay.ts'

/** Documents of a shard with their buckets and scores, in any order. */
export interface FoundDocs {
  readonly docs: Int32Array
  readonly buckets: Int32Array
  /** Null: nothing reads them. */
  readonly scores: Float64Array | Float32Array | null
}

/** The documents of buckets, as a second pass replays them: by leaf, ascending by document, then bucket. */
export function sampledDocs(
  found: FoundDocs,
  bucketCount: number,
  leaves: readonly Leaf[],
): SampledDocs {
  const { docs, buckets, scores } = found
  const order = ascending(found)
  let from = 0
  const samples = leaves.map((leaf): LeafSample => {
    const { docBase, maxDoc } = leaf
    let end = from
    while (end < order.length && docs[order[end]!]! < docBase + maxDoc) end++
    const own = order.subarray(from, end)
    from = end
    const local = own.map(at => docs[at]! - docBase)
    return {
      docs: local,
      wholes: local.map(doc => wholeOf(doc, leaf)),
      buckets: own.map(at => buckets[at]!),
      scores:
        scores === null ? new Float32Array(own.length) : Float32Array.from(own, at => scores[at]!),
    }
  })
  return { bucketCount, leaves: samples }
}

function ascending({ docs, buckets }: FoundDocs): Int32Array {
  const order = Int32Array.from({ length: docs.length }, (_, i) => i)
  const compare = (a: number, b: number): number => docs[a]! - docs[b]! || buckets[a]! - buckets[b]!
  for (let i = 1; i < order.length; i++) if (compare(i - 1, i) > 0) return order.sort(compare)
  return order
}

/** The document that a live or nested one belongs to: the first live one that is not below it. */
function wholeOf(doc: number, { liveDocs, maxDoc }: Leaf): number {
  let whole = doc
  while (liveDocs !== null && whole < maxDoc && !liveDocs.has(whole)) whole++
  return whole
}

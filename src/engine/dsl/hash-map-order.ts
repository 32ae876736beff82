/**
 * The order in which a `HashMap` of Java lists texts: OpenSearch keeps fields in such maps where it
 * prints queries of several.
 */
import { textHash } from '../../script/value/script-value.ts'

/** Buckets of a map that holds nothing yet; doubled whenever more than three in four are taken. */
const LEAST_BUCKETS = 16

/** Texts by bucket; those of one bucket in the order given, in which they were put in. */
export function hashMapOrder(texts: readonly string[]): readonly string[] {
  let buckets = LEAST_BUCKETS
  while (texts.length > buckets * 0.75) buckets *= 2
  const bucketOf = new Map(texts.map(text => [text, bucketHash(text) & (buckets - 1)]))
  return texts.toSorted((a, b) => bucketOf.get(a)! - bucketOf.get(b)!)
}

/** A text's hash with its upper half folded into its lower one. */
function bucketHash(text: string): number {
  const hash = textHash(text)
  return hash ^ (hash >>> 16)
}

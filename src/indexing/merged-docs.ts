/** The documents that a merge keeps, and their doc IDs in the merged segment. */
import type { Leaf } from '../segment/leaf.ts'

/** The documents of a merged segment. */
export interface MergedDocs {
  readonly maxDoc: number
  /** By leaf, new document by old one; −1 for a dropped one. */
  readonly docMaps: readonly Int32Array[]
  /** Origin by new document; null while the leaves are concatenated. */
  readonly origins: Origins | null
}

/** By new document, its leaf and its document there. */
export interface Origins {
  readonly leaves: Uint32Array
  readonly docs: Int32Array
}

/**
 * Concatenates the live documents of the leaves.
 * @param live by leaf, its documents to keep; null for all
 */
export function inArrivalOrder(
  leaves: readonly Leaf[],
  live: readonly ({ has(docId: number): boolean } | null)[],
): MergedDocs {
  let maxDoc = 0
  const docMaps = leaves.map((leaf, i) => {
    const bits = live[i] ?? null
    const map = new Int32Array(leaf.maxDoc)
    for (let doc = 0; doc < leaf.maxDoc; doc++)
      map[doc] = bits === null || bits.has(doc) ? maxDoc++ : -1
    return map
  })
  return { maxDoc, docMaps, origins: null }
}

/**
 * The same documents in another order.
 * @param docs in order of arrival
 * @param order by new document, its number in order of arrival; a permutation
 */
export function inOrder(docs: MergedDocs, order: Int32Array): MergedDocs {
  const { maxDoc } = docs
  const targets = new Int32Array(maxDoc)
  let isArrival = true
  for (let target = 0; target < maxDoc; target++) {
    targets[order[target]!] = target
    if (order[target] !== target) isArrival = false
  }
  if (isArrival) return docs
  const origins = { leaves: new Uint32Array(maxDoc), docs: new Int32Array(maxDoc) }
  const docMaps = docs.docMaps.map((map, leaf) => {
    const moved = new Int32Array(map.length)
    for (let doc = 0; doc < map.length; doc++) {
      const number = map[doc]!
      const target = number < 0 ? -1 : targets[number]!
      moved[doc] = target
      if (target < 0) continue
      origins.leaves[target] = leaf
      origins.docs[target] = doc
    }
    return moved
  })
  return { maxDoc, docMaps, origins }
}

/** Visits all documents in their new order. */
export function forEachDoc(
  { maxDoc, docMaps, origins }: MergedDocs,
  visit: (leaf: number, doc: number, target: number) => void,
): void {
  if (origins !== null) {
    for (let target = 0; target < maxDoc; target++)
      visit(origins.leaves[target]!, origins.docs[target]!, target)
    return
  }
  for (const [leaf, map] of docMaps.entries())
    for (let doc = 0; doc < map.length; doc++) {
      const target = map[doc]!
      if (target >= 0) visit(leaf, doc, target)
    }
}

import type { Leaf } from '../segment/leaf.ts'
import { forEachDoc, type MergedDocs } from './merged-docs.ts'

/** The whole documents of a merge that has nested ones, to be ordered in their place. */
export interface Blocks {
  /** The whole documents alone, numbered in order of arrival. */
  readonly wholes: MergedDocs
  /** By whole document, its number among all documents; its nested ones come right before. */
  readonly lasts: Int32Array
}

/**
 * The blocks of a merge.
 * @param docs in order of arrival
 * @returns null when no leaf has nested documents
 */
export function blocksOf(leaves: readonly Leaf[], docs: MergedDocs): Blocks | null {
  const parents = leaves.map(leaf => leaf.parents())
  if (parents.every(each => each === null)) return null
  const docMaps = docs.docMaps.map(map => new Int32Array(map.length).fill(-1))
  const lasts = new Int32Array(docs.maxDoc)
  let count = 0
  forEachDoc(docs, (leaf, doc, number) => {
    if (parents[leaf]?.has(doc) === false) return
    docMaps[leaf]![doc] = count
    lasts[count++] = number
  })
  return { wholes: { maxDoc: count, docMaps, origins: null }, lasts: lasts.subarray(0, count) }
}

/**
 * The order of all documents by that of the whole ones.
 * @param order by new position, the whole document
 */
export function withNested(order: Int32Array, { lasts }: Blocks, maxDoc: number): Int32Array {
  const all = new Int32Array(maxDoc)
  let at = 0
  for (const whole of order) {
    const first = whole === 0 ? 0 : lasts[whole - 1]! + 1
    for (let number = first; number <= lasts[whole]!; number++) all[at++] = number
  }
  return all
}

import { compareLongs } from '../codec/doc-values/long-column.ts'
import type { IndexSort, SortKey } from '../schema/index-sort.ts'
import type { MergeOrder } from '../schema/merge-order.ts'
import type { Leaf } from '../segment/leaf.ts'
import { bisect } from './bisection.ts'
import { blocksOf, withNested } from './block-order.ts'
import { forwardIndex } from './forward-index.ts'
import { inOrder, type MergedDocs } from './merged-docs.ts'
import { forEachTerm } from './merged-terms.ts'

/**
 * Orders the documents of a merge as the index setting says.
 * @param docs in order of arrival
 */
export function orderDocs(
  leaves: readonly Leaf[],
  docs: MergedDocs,
  order: MergeOrder,
): MergedDocs {
  if (order.kind === 'arrival') return docs
  const blocks = blocksOf(leaves, docs)
  if (blocks === null) return inOrder(docs, orderOf(leaves, docs, order))
  // Nested documents go where theirs goes.
  const wholes = orderOf(leaves, blocks.wholes, order)
  return inOrder(docs, withNested(wholes, blocks, docs.maxDoc))
}

function orderOf(
  leaves: readonly Leaf[],
  docs: MergedDocs,
  order: Exclude<MergeOrder, { kind: 'arrival' }>,
): Int32Array {
  switch (order.kind) {
    case 'bisection':
      return bisect(forwardIndex(leaves, docs))
    case 'field':
      return orderByKeys(leaves, docs, [leastFirst(order.field)])
    case 'sort':
      return orderByKeys(leaves, docs, order.sort)
  }
}

function leastFirst(field: string): SortKey {
  return { field, isDescending: false, mode: 'min', isMissingFirst: false }
}

/** By new doc ID, the document's number in order of arrival. */
function orderByKeys(leaves: readonly Leaf[], docs: MergedDocs, keys: IndexSort): Int32Array {
  const compares = keys.map(key => comparison(leaves, docs, key))
  const compare = (a: number, b: number): number => {
    for (const each of compares) {
      const order = each(a, b)
      if (order !== 0) return order
    }
    return a - b
  }
  const order = Int32Array.from({ length: docs.maxDoc }, (_, i) => i)
  let isOrdered = true
  for (let i = 1; i < order.length && isOrdered; i++) isOrdered = compare(i - 1, i) < 0
  return isOrdered ? order : order.sort(compare)
}

/** Compares two documents, by their numbers, by one key. */
function comparison(
  leaves: readonly Leaf[],
  docs: MergedDocs,
  { field, isDescending, mode, isMissingFirst }: SortKey,
): (a: number, b: number) => number {
  const hi = new Int32Array(docs.maxDoc)
  const lo = new Uint32Array(docs.maxDoc)
  const hasValue = new Uint8Array(docs.maxDoc)
  const ranks = termRanks(leaves, field)
  for (const [i, leaf] of leaves.entries()) {
    const docMap = docs.docMaps[i]!
    const numbers = leaf.numericValues(field)
    const ordinals = leaf.ordinals(field)
    for (let doc = 0; doc < docMap.length; doc++) {
      const number = docMap[doc]!
      if (number < 0) continue
      // Values ascend within a document.
      if (numbers?.advanceExact(doc)) {
        numbers.select(mode === 'min' ? 0 : numbers.valueCount() - 1)
        hi[number] = numbers.hi()
        lo[number] = numbers.lo()
      } else if (ordinals?.advanceExact(doc)) {
        const ord = ordinals.ord(mode === 'min' ? 0 : ordinals.valueCount() - 1)
        lo[number] = ranks[i]![ord]!
      } else continue
      hasValue[number] = 1
    }
  }
  const missing = isMissingFirst ? 1 : -1
  const sign = isDescending ? -1 : 1
  return (a, b) =>
    missing * (hasValue[a]! - hasValue[b]!) || sign * compareLongs(hi[a]!, lo[a]!, hi[b]!, lo[b]!)
}

/** By leaf and ordinal in the field's dictionary, the term's ord among the terms of all leaves. */
function termRanks(leaves: readonly Leaf[], field: string): Int32Array[] {
  const ranks = leaves.map(leaf => new Int32Array(leaf.fieldInfo(field)?.termCount ?? 0))
  if (!leaves.some(leaf => leaf.fieldInfo(field)?.docValues === 'ordinals')) return ranks
  let rank = 0
  forEachTerm(leaves, field, (_, at) => {
    for (const { part, iterator } of at) ranks[part]![iterator.ord()] = rank
    rank++
  })
  return ranks
}

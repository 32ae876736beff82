import { compareLongs } from '../codec/doc-values/long-column.ts'
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
  return order.kind === 'bisection'
    ? bisect(forwardIndex(leaves, docs))
    : orderByField(leaves, docs, order.field)
}

/** By new doc ID, the document's number in order of arrival. */
function orderByField(leaves: readonly Leaf[], docs: MergedDocs, field: string): Int32Array {
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
      // Values ascend within a document: the first is the min.
      if (numbers?.advanceExact(doc)) {
        numbers.select(0)
        hi[number] = numbers.hi()
        lo[number] = numbers.lo()
      } else if (ordinals?.advanceExact(doc)) lo[number] = ranks[i]![ordinals.ord(0)]!
      else continue
      hasValue[number] = 1
    }
  }
  const order = Int32Array.from({ length: docs.maxDoc }, (_, i) => i)
  return order.sort(
    (a, b) => hasValue[b]! - hasValue[a]! || compareLongs(hi[a]!, lo[a]!, hi[b]!, lo[b]!) || a - b,
  )
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

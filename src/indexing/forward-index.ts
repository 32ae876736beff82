import { NO_MORE_DOCS } from '../codec/doc-id-iterator.ts'
import type { Leaf } from '../segment/leaf.ts'
import { grown } from '../util/grown.ts'
import type { ForwardIndex } from './bisection.ts'
import type { MergedDocs } from './merged-docs.ts'
import { forEachTerm, type TermCursor } from './merged-terms.ts'

/** Min document frequency: rarer terms hardly affect where a document belongs. */
const MIN_DOC_FREQ = 16
/** Max share of documents with a term: commoner terms are everywhere. */
const MAX_SHARE = 0.2
/** Max postings, 8 bytes each while the index is made; rare terms are dropped first. */
const MAX_POSTINGS = 1 << 27

/**
 * The terms of each merged document, by its number in order of arrival.
 * @param docs in order of arrival
 */
export function forwardIndex(
  leaves: readonly Leaf[],
  docs: MergedDocs,
  maxPostings: number = MAX_POSTINGS,
): ForwardIndex {
  const { maxDoc, docMaps } = docs
  const fields = indexedFields(leaves)
  const maxDocFreq = Math.max(MIN_DOC_FREQ, Math.floor(maxDoc * MAX_SHARE))
  const minDocFreq = chooseMinDocFreq(leaves, fields, maxDocFreq, maxPostings)
  // By term first, then transposed.
  let byTerm = new Int32Array(1 << 12)
  const termStarts: number[] = [0]
  let count = 0
  for (const field of fields)
    forEachTerm(leaves, field, (_, at) => {
      const docFreq = docFreqOf(at)
      if (docFreq < minDocFreq || docFreq > maxDocFreq) return
      if (count + docFreq > byTerm.length)
        byTerm = grown(byTerm, Math.max(count + docFreq, 2 * byTerm.length))
      const start = count
      for (const { part, iterator } of at) {
        const leaf = leaves[part]!
        const docMap = docMaps[part]!
        const mark = leaf.scratch.mark()
        const postings = leaf.postings(field, iterator.state())
        for (let doc = postings.nextDoc(); doc !== NO_MORE_DOCS; doc = postings.nextDoc()) {
          const target = docMap[doc]!
          if (target >= 0) byTerm[count++] = target
        }
        leaf.scratch.release(mark)
      }
      if (count > start) termStarts.push(count)
    })
  const starts = new Float64Array(maxDoc + 1)
  for (let i = 0; i < count; i++) starts[byTerm[i]! + 1]!++
  for (let doc = 0; doc < maxDoc; doc++) starts[doc + 1]! += starts[doc]!
  const terms = new Int32Array(count)
  const next = starts.slice()
  const termCount = termStarts.length - 1
  for (let term = 0; term < termCount; term++)
    for (let i = termStarts[term]!; i < termStarts[term + 1]!; i++)
      terms[next[byTerm[i]!]!++] = term
  return { docCount: maxDoc, termCount, starts, terms }
}

/** Fields with postings, internal ones excluded. */
function indexedFields(leaves: readonly Leaf[]): string[] {
  const names = new Set<string>()
  for (const leaf of leaves)
    for (const { name, indexOptions } of leaf.fields())
      if (indexOptions !== 'none' && !name.startsWith('_')) names.add(name)
  return [...names].sort()
}

/** The min document frequency at which at most `maxPostings` are kept. */
function chooseMinDocFreq(
  leaves: readonly Leaf[],
  fields: readonly string[],
  maxDocFreq: number,
  maxPostings: number,
): number {
  // By power of two.
  const sums = new Float64Array(32)
  for (const field of fields)
    forEachTerm(leaves, field, (_, at) => {
      const docFreq = docFreqOf(at)
      if (docFreq >= MIN_DOC_FREQ && docFreq <= maxDocFreq)
        sums[31 - Math.clz32(docFreq)]! += docFreq
    })
  let kept = 0
  for (let power = 31; power >= 0; power--) {
    kept += sums[power]!
    if (kept > maxPostings) return 2 ** (power + 1)
  }
  return MIN_DOC_FREQ
}

function docFreqOf(at: readonly TermCursor[]): number {
  let docFreq = 0
  for (const { iterator } of at) docFreq += iterator.docFreq
  return docFreq
}

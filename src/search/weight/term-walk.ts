/**
 * Kernel walks over a range of a leaf's dictionary: the cost and the documents of many terms,
 * without an object per term.
 */
import { BLOCK_DOCS } from '../../codec/postings/format.ts'
import type { PostingsReader } from '../../codec/postings/reader.ts'
import { GROUP_TERMS } from '../../codec/terms/format.ts'
import type { TermsReader } from '../../codec/terms/reader.ts'
import type { Leaf } from '../../segment/leaf.ts'
import { CorruptSegmentError } from '../../util/errors.ts'
import type { TermRun } from './weight-node.ts'

/** The record that `kernels/assembly/term-range.ts` reads, as word indices. */
const RECORD = {
  tails: 0,
  tailsEnd: 1,
  blockCount: 2,
  lastDocs: 3,
  blockOffsets: 4,
  docBits: 5,
  freqBits: 6,
  cursor: 7,
  bits: 8,
  minDoc: 9,
  maxDoc: 10,
  leafDocs: 11,
} as const
const RECORD_BYTES = 48
/** Terms per call; between calls the caller checks whether to stop. */
const STRETCH = 32 * GROUP_TERMS
const RANGES_PER_CALL = 256

/** The ords [from, to) of a range's terms in a dictionary. */
export function ordsOf(terms: TermsReader, { lower, upper }: TermRun): [number, number] {
  const from = terms.ceilingOf(lower)
  return [from, upper === null ? terms.termCount : Math.max(from, terms.ceilingOf(upper))]
}

/** The sum of document frequencies of terms in ranges of ords, as pairs; reads no postings. */
export function countPostings(leaf: Leaf, field: string, ranges: Int32Array): number {
  let total = 0
  walkTerms(leaf, field, ranges, null, (_, postings) => {
    total += postings
  })
  return total
}

/** The destination of terms' documents. */
export interface TermTarget {
  readonly bits: number
  /** Documents from `minDoc` up to `maxDoc`; bits outside are undefined. */
  readonly minDoc: number
  readonly maxDoc: number
  /** A cursor's record with buffers, for doc IDs alone. */
  readonly cursor: number
}

/**
 * Sets the bits of the documents of the terms in ranges of ords, or only counts postings.
 * @param ranges pairs, from and to, ascending and disjoint
 * @param heed called between kernel calls with the terms and postings passed; may throw
 */
export function walkTerms(
  leaf: Leaf,
  field: string,
  ranges: Int32Array,
  target: TermTarget | null,
  heed: (terms: number, postings: number) => void,
): void {
  const { scratch, kernels, views } = leaf
  const terms = leaf.terms(field)
  if (terms === null) return
  const { index, section, flags } = terms
  const mark = scratch.mark()
  const record = target === null ? 0 : recordOf(leaf, leaf.postingsReader(field), target)
  const end = section.start + section.length
  const listed = ranges.length > 2 ? scratch.tryAllocate(8 * RANGES_PER_CALL) : -1
  const perCall = listed < 0 ? 1 : RANGES_PER_CALL
  for (const { from, to, cut } of stretches(ranges, perCall)) {
    terms.startOf(Math.floor(from / GROUP_TERMS))
    let found: number
    if (cut.length === 2)
      found = kernels.walkTerms(index, section.start, end, flags, cut[0]!, cut[1]!, record)
    else {
      views.i32.set(cut, listed >> 2)
      const count = cut.length >> 1
      found = kernels.walkRanges(index, section.start, end, flags, listed, count, record)
    }
    if (found < 0) throw corrupt(terms, from)
    heed(to - from, found)
  }
  scratch.release(mark)
}

/** Ranges of one call, from the first ord to the last. */
interface Stretch {
  readonly from: number
  readonly to: number
  readonly cut: Int32Array
}

/** Ranges in calls of so many, none of which covers more than {@link STRETCH} terms. */
function* stretches(ranges: Int32Array, perCall: number): Generator<Stretch> {
  for (let i = 0; i < ranges.length; ) {
    const from = ranges[i]!
    const limit = Math.floor(from / GROUP_TERMS) * GROUP_TERMS + STRETCH
    let last = i
    while (last + 2 < ranges.length && last + 2 - i < 2 * perCall && ranges[last + 3]! <= limit)
      last += 2
    const to = ranges[last + 1]!
    if (to <= limit) {
      yield { from, to, cut: ranges.subarray(i, last + 2) }
      i = last + 2
      continue
    }
    // The range alone is longer. Each call ends with a group of terms, where the next can start.
    for (let at = from; at < to; ) {
      const next = Math.min(to, Math.floor(at / GROUP_TERMS) * GROUP_TERMS + STRETCH)
      yield { from: at, to: next, cut: Int32Array.of(at, next) }
      at = next
    }
    i += 2
  }
}

function recordOf(leaf: Leaf, postings: PostingsReader, target: TermTarget): number {
  const { i32 } = leaf.views
  const record = leaf.scratch.allocate(RECORD_BYTES)
  const at = record >> 2
  i32[at + RECORD.tails] = postings.tails
  i32[at + RECORD.tailsEnd] = postings.end
  i32[at + RECORD.blockCount] = postings.blockCount
  i32[at + RECORD.lastDocs] = 4 * postings.lastDocs
  i32[at + RECORD.blockOffsets] = 4 * postings.blockOffsets
  i32[at + RECORD.docBits] = postings.docBits
  i32[at + RECORD.freqBits] = postings.freqBits
  i32[at + RECORD.cursor] = target.cursor
  i32[at + RECORD.bits] = target.bits
  i32[at + RECORD.minDoc] = target.minDoc
  i32[at + RECORD.maxDoc] = target.maxDoc
  i32[at + RECORD.leafDocs] = Math.min(target.maxDoc, leaf.maxDoc)
  return record
}

function corrupt({ section }: TermsReader, ord: number): CorruptSegmentError {
  return new CorruptSegmentError(
    section.name,
    0,
    `readable entries from term ${ord} on, with their postings in blocks of ${BLOCK_DOCS}`,
    'others',
  )
}

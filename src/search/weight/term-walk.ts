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
import type { TermRun } from './weight.ts'

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

/** The ords [from, to) of a range's terms in a dictionary. */
export function ordsOf(terms: TermsReader, { lower, upper }: TermRun): [number, number] {
  const from = terms.ceilingOf(lower)
  return [from, upper === null ? terms.termCount : Math.max(from, terms.ceilingOf(upper))]
}

/** The sum of document frequencies of terms with ords in [from, to); reads no postings. */
export function countPostings(leaf: Leaf, field: string, from: number, to: number): number {
  let total = 0
  walkTerms(leaf, field, [from, to], null, (_, postings) => {
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
 * Sets the bits of the documents of the terms with ords in [from, to), or only counts postings.
 * @param heed called between kernel calls with the terms and postings passed; may throw
 */
export function walkTerms(
  leaf: Leaf,
  field: string,
  [from, to]: readonly [number, number],
  target: TermTarget | null,
  heed: (terms: number, postings: number) => void,
): void {
  const { scratch, kernels } = leaf
  const terms = leaf.terms(field)
  if (terms === null) return
  const { index, section, flags } = terms
  const mark = scratch.mark()
  const record = target === null ? 0 : recordOf(leaf, leaf.postingsReader(field), target)
  const end = section.start + section.length
  for (let first = from; first < to; ) {
    const group = Math.floor(first / GROUP_TERMS)
    // Each call ends with a group of terms, where the next can start.
    const last = Math.min(to, group * GROUP_TERMS + STRETCH)
    terms.startOf(group)
    const found = kernels.walkTerms(index, section.start, end, flags, first, last, record)
    if (found < 0) throw corrupt(terms, first)
    heed(last - first, found)
    first = last
  }
  scratch.release(mark)
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

/** Uninversion: from the postings of a field's terms to the ordinals of each document. */
import type { FieldInfo } from '../codec/directory/format.ts'
import { NO_MORE_DOCS } from '../codec/doc-id-iterator.ts'
import { LongColumn } from '../codec/doc-values/long-column.ts'
import { writeOrdinalDocValues } from '../codec/doc-values/writer.ts'
import type { PostingsReader } from '../codec/postings/reader.ts'
import type { TermsIterator, TermsReader } from '../codec/terms/reader.ts'

/** Selects terms by the number of documents in a segment that have them, deleted ones included. */
export interface TermFrequencyFilter {
  /** Above 1 a number of documents, otherwise a share of those with the field. */
  readonly min: number
  readonly max: number
  /** Min documents with the field for the filter to apply to a segment. */
  readonly minSegmentSize: number
}

/** Max bytes that `uninvert` takes for a field, its result included. */
export function uninvertBytes({ sumDocFreq }: FieldInfo, maxDoc: number): number {
  // Documents, both halves of ordinals, and the growing output with its blocks.
  return 32 * sumDocFreq + 8 * maxDoc + 4096
}

/**
 * Makes the `ordinals` section of a field from its postings; ordinals are those of its dictionary.
 * @param scratch address of `POSTINGS_SCRATCH_BYTES` for an iterator
 */
export function uninvert(
  info: FieldInfo,
  terms: TermsReader,
  postings: PostingsReader,
  filter: TermFrequencyFilter,
  maxDoc: number,
  scratch: number,
): Uint8Array {
  const [min, max] = frequenciesOf(filter, info.docCount)
  const eachPosting = (visit: (docId: number, ord: number) => void): void => {
    const iterator = terms.iterator()
    while (iterator.next()) {
      const { docFreq } = iterator
      if (docFreq >= min && docFreq <= max) eachDocument(iterator, postings, scratch, visit)
    }
  }
  // Counted first, so that a document's ordinals are written side by side, in ascending order.
  const ends = new Int32Array(maxDoc + 1)
  eachPosting(docId => {
    ends[docId + 1]!++
  })
  for (let docId = 0; docId < maxDoc; docId++) ends[docId + 1]! += ends[docId]!
  const count = ends[maxDoc]!
  const docs = new Int32Array(count)
  const ords = new LongColumn(count)
  eachPosting((docId, ord) => {
    const at = ends[docId]!++
    docs[at] = docId
    ords.lo[at] = ord
  })
  ords.length = count
  return writeOrdinalDocValues(docs, ords, count, maxDoc)
}

function eachDocument(
  term: TermsIterator,
  postings: PostingsReader,
  scratch: number,
  visit: (docId: number, ord: number) => void,
): void {
  const ord = term.ord()
  const documents = postings.iterator(term.state(), scratch)
  for (let docId = documents.nextDoc(); docId !== NO_MORE_DOCS; docId = documents.nextDoc())
    visit(docId, ord)
}

/** Min and max documents of a term that the filter lets through. */
function frequenciesOf(
  { min, max, minSegmentSize }: TermFrequencyFilter,
  docCount: number,
): readonly [min: number, max: number] {
  if (docCount < minSegmentSize) return [0, Number.POSITIVE_INFINITY]
  const documents = (limit: number): number => Math.trunc(limit > 1 ? limit : docCount * limit)
  const [from, to] = [documents(min), documents(max)]
  return from > 1 || to < docCount ? [from, to] : [0, Number.POSITIVE_INFINITY]
}

import { type DocIdIterator, NO_MORE_DOCS } from '../../codec/doc-id-iterator.ts'

/** No document. */
export const NO_DOCS: DocIdIterator = {
  docId: () => NO_MORE_DOCS,
  nextDoc: () => NO_MORE_DOCS,
  advance: () => NO_MORE_DOCS,
  cost: () => 0,
}

/** Advances an iterator to a document unless it is past it; true when it is there. */
export function stands(iterator: DocIdIterator, doc: number): boolean {
  const at = iterator.docId()
  return (at < doc ? iterator.advance(doc) : at) === doc
}

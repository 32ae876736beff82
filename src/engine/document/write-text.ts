/** Writes of documents as texts: of their tasks and in errors, in the words of the real server. */
import { decodeUtf8 } from '../../util/bytes.ts'
import { sizeText } from '../../util/units.ts'
import type { DeleteDocument, IndexDocument, UpdateDocument } from '../api/documents.ts'

/** Longer documents are not shown. */
const SHOWN_SOURCE_IN_BYTES = 2048

/** One document's write. */
export function describeIndex({
  index,
  id,
  source,
}: Pick<IndexDocument, 'index' | 'id' | 'source'>): string {
  const shown =
    source.length > SHOWN_SOURCE_IN_BYTES
      ? `n/a, actual length: [${sizeText(source.length)}], max length: ${sizeText(SHOWN_SOURCE_IN_BYTES)}`
      : decodeUtf8(source)
  return `index {[${index}][${id}], source[${shown}]}`
}

/** One document's deletion. */
export function describeDelete({ index, id }: Pick<DeleteDocument, 'index' | 'id'>): string {
  return `delete {[${index}][${id}]}`
}

/** One document's update. */
export function describeUpdate({ index, id }: Pick<UpdateDocument, 'index' | 'id'>): string {
  return `update {[${index}][${id}]}`
}

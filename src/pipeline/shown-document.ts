import { encodeUtf8 } from '../util/bytes.ts'
import { printedMetadata, sourceOf } from './document-metadata.ts'
import type { IngestDocument } from './ingest-document.ts'
import type { ShownDocument } from './pipeline-messages.ts'
import { sourceText } from './write-source.ts'

/** A document as it stands now, printed. */
export function shownDocument({ fields, ingest }: IngestDocument): ShownDocument {
  return {
    metadata: printedMetadata(fields),
    source: encodeUtf8(sourceText(sourceOf(fields))),
    ingest: encodeUtf8(sourceText(ingest)),
  }
}

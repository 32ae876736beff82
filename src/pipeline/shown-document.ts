import { printedMetadata, sourceOf } from './document-metadata.ts'
import type { IngestDocument } from './ingest-document.ts'
import type { ShownDocument } from './pipeline-messages.ts'
import { sourceBytes } from './write-source.ts'

/** A document as it stands now, printed. */
export function shownDocument({ fields, ingest }: IngestDocument): ShownDocument {
  return {
    metadata: printedMetadata(fields),
    source: sourceBytes(sourceOf(fields)),
    ingest: sourceBytes(ingest),
  }
}

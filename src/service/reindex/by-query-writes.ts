/** The writes of updates and deletions by query: each match in its place, unless another write came between. */
import type { DocumentRewriter, DocumentWrite } from '../../engine/api/documents.ts'
import type { FoundHit } from './hit-source.ts'
import { rewrite } from './rewrite.ts'
import type { PrepareBatch } from './scroll-work.ts'
import { sourceOf } from './source-of.ts'

/** Writes each match anew, as the script leaves it. */
export function updateWrites(script: DocumentRewriter | null): PrepareBatch {
  if (script === null)
    return hits => ({ writes: hits.map(hit => inPlace(hit, sourceOf(hit))), noops: 0 })
  return (hits, signal) =>
    rewrite(hits, script, signal, (hit, { op, source }) =>
      inPlace(hit, op === 'delete' ? null : source),
    )
}

/** Deletes each match. */
export const deleteWrites: PrepareBatch = hits => ({
  writes: hits.map(hit => inPlace(hit, null)),
  noops: 0,
})

/** @param source null deletes it */
function inPlace(hit: FoundHit, source: Uint8Array | null): DocumentWrite {
  const { index, id, routing, seqNo, primaryTerm } = hit
  return {
    action: source === null ? 'delete' : 'index',
    index,
    id,
    routing,
    ifSeqNo: seqNo,
    ifPrimaryTerm: primaryTerm,
    version: null,
    versionType: 'internal',
    source,
  }
}

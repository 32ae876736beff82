/** The writes of a reindex: each match goes to the destination, through the script where there is one. */
import type { DocumentRewriter, DocumentWrite } from '../../engine/api/documents.ts'
import type { Destination } from './by-scroll-call.ts'
import type { FoundHit } from './hit-source.ts'
import { rewrite } from './rewrite.ts'
import type { PrepareBatch } from './scroll-work.ts'
import { sourceOf } from './source-of.ts'

/** Makes writes of matches; a script has the last word on where each goes. */
export function reindexWrites(dest: Destination, script: DocumentRewriter | null): PrepareBatch {
  if (script === null)
    return hits => ({ writes: hits.map(hit => copyOf(hit, dest, sourceOf(hit))), noops: 0 })
  return (hits, signal) =>
    rewrite(hits, script, signal, (hit, { op, source, index, id, routing, version }) => {
      const copy = copyOf(hit, dest, source)
      const moved: DocumentWrite = {
        ...copy,
        index: index ?? copy.index,
        id: id === undefined ? copy.id : id,
        routing: routing === undefined ? copy.routing : routing,
        ...(version === undefined ? {} : versionOf(version, dest)),
      }
      if (op !== 'delete') return moved
      return { ...moved, action: 'delete', version: null, versionType: 'internal', source: null }
    })
}

function copyOf(hit: FoundHit, dest: Destination, source: Uint8Array): DocumentWrite {
  const { index, opType, versionType } = dest
  return {
    action: opType,
    index,
    id: hit.id,
    routing: routingOf(hit, dest),
    ifSeqNo: null,
    ifPrimaryTerm: null,
    version: versionType === 'internal' ? null : hit.version,
    versionType,
    source,
  }
}

function routingOf({ routing }: FoundHit, dest: Destination): string | null {
  if (dest.routing === 'keep') return routing
  return dest.routing === 'discard' ? null : dest.routing.slice(1)
}

/** A version that the script set; null forces the write. */
function versionOf(
  version: FoundHit['version'] | null,
  { versionType }: Destination,
): Pick<DocumentWrite, 'version' | 'versionType'> {
  if (version === null || versionType === 'internal')
    return { version: null, versionType: 'internal' }
  return { version, versionType }
}

import type {
  DocumentRewriter,
  DocumentWrite,
  RewrittenDocument,
} from '../../engine/api/documents.ts'
import type { Cancellation } from '../../util/cancellation.ts'
import type { FoundHit } from './hit-source.ts'
import type { PreparedBatch } from './scroll-work.ts'
import { sourceOf } from './source-of.ts'

/** Runs a script over matches, and makes writes of all but those that it leaves alone. */
export async function rewrite(
  hits: readonly FoundHit[],
  script: DocumentRewriter,
  signal: Cancellation,
  writeOf: (hit: FoundHit, rewritten: RewrittenDocument) => DocumentWrite,
): Promise<PreparedBatch> {
  const documents = hits.map(hit => ({ ...hit, source: sourceOf(hit) }))
  const rewritten = await script(documents, signal)
  const writes = hits.flatMap((hit, i) => {
    const document = rewritten[i]!
    return document.op === 'noop' ? [] : [writeOf(hit, document)]
  })
  return { writes, noops: hits.length - writes.length }
}

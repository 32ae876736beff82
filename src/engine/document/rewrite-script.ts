/** Scripts of reindex and update by query: each runs over the documents of a batch. */

import type { ScriptRequest } from '../../script/script-request.ts'
import { refuseCancelled } from '../../util/cancelled-error.ts'
import { EngineError } from '../../util/errors.ts'
import { longOf } from '../../util/long.ts'
import type { DocumentRewriter, FoundDocument, RewrittenDocument } from '../api/documents.ts'
import type { Node } from '../node/node.ts'
import { compiledUpdate, sentScript } from './scripted-update.ts'

/** Documents that go to the thread together: updates between them wait for so many. */
const DOCUMENTS_AT_ONCE = 64

/**
 * Compiles a script that rewrites documents.
 * @throws {EngineError} it is not stored, settings forbid it, it does not compile
 */
export async function documentRewriter(
  node: Node,
  request: ScriptRequest,
  mayMove: boolean,
): Promise<DocumentRewriter> {
  await node.scripts.load()
  const script = sentScript(node, compiledUpdate(node, request), request.id)
  const run = async (
    documents: readonly FoundDocument[],
  ): Promise<readonly RewrittenDocument[]> => {
    const sent = documents.map(document => ({ ...document, version: BigInt(document.version) }))
    const outcome = await node.updates.rewrite({
      kind: 'rewrite',
      script,
      documents: sent,
      mayMove,
      now: Date.now(),
    })
    if (outcome.kind === 'failed') throw new EngineError(outcome.error)
    return outcome.documents.map(({ version, ...document }) =>
      version === undefined
        ? document
        : { ...document, version: version === null ? null : longOf(version) },
    )
  }
  return async (documents, signal) => {
    const rewritten: RewrittenDocument[] = []
    for (let i = 0; i < documents.length; i += DOCUMENTS_AT_ONCE) {
      refuseCancelled(signal)
      rewritten.push(...(await run(documents.slice(i, i + DOCUMENTS_AT_ONCE))))
    }
    return rewritten
  }
}

/** Scripts of updates: each runs over the document that is found, or over the upsert. */

import { EngineError, IllegalArgumentError } from '../../util/errors.ts'
import { jsonValueOf, writeJson } from '../../util/json/json-writer.ts'
import type { Long } from '../../util/long.ts'
import type { ScriptRequest } from '../api/scripts.ts'
import type { Node } from '../node/node.ts'
import type { ResolvedScript } from '../node/scripts.ts'

/** The document that a script runs over. */
export interface ScriptedDocument {
  readonly index: string
  readonly id: string
  readonly routing: string | null
  /** Null: there is none yet, `source` is that of the upsert. */
  readonly version: Long | null
  readonly source: Uint8Array
}

/** The operation that a script chose, with the source that it left. */
export interface ScriptedOutcome {
  readonly op: 'create' | 'index' | 'delete' | 'none'
  readonly source: Uint8Array
}

/** Runs the script of one update, time after time. */
export type UpdateScript = (document: ScriptedDocument) => Promise<ScriptedOutcome>

/**
 * Resolves the script of an update.
 * @throws {EngineError} it is not stored, settings forbid it, it does not compile
 */
export function updateScript(node: Node, request: ScriptRequest): UpdateScript {
  const resolved = resolve(node, request)
  const { id } = request
  const script = {
    source: resolved.source,
    id,
    params: resolved.params === null ? null : writeJson(jsonValueOf(resolved.params)),
    regex: node.scripts.regex,
  }
  return async document => {
    const version = document.version === null ? null : BigInt(document.version)
    const outcome = await node.updates.run({
      kind: 'update',
      script,
      document: { ...document, version },
      now: Date.now(),
    })
    if (outcome.kind === 'done') return outcome
    throw new IllegalArgumentError('failed to execute script', { causedBy: outcome.error })
  }
}

/** `java` is another name for painless here, and here alone. */
function resolve(node: Node, request: ScriptRequest): ResolvedScript {
  const asked =
    request.lang === 'java' ? ({ ...request, lang: 'painless' } as ScriptRequest) : request
  const resolved = node.scripts.resolve(asked, 'update')
  try {
    node.scripts.compile(resolved, 'update')
  } catch (error) {
    if (error instanceof EngineError && error.type === 'script_exception')
      throw new IllegalArgumentError('failed to execute script', { causedBy: error.record })
    throw error
  }
  return resolved
}

/** Scripts of updates: each runs over the document that is found, or over the upsert. */

import type { UpdateRequest } from '../../pipeline/pipeline-messages.ts'
import type { ScriptRequest } from '../../script/script-request.ts'
import { EngineError, IllegalArgumentError } from '../../util/errors.ts'
import { jsonValueOf, writeJson } from '../../util/json/json-writer.ts'
import type { Long } from '../../util/long.ts'
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
  const script = sentScript(node, resolve(node, request), request.id)
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

/** A script as the thread of updates takes it. */
export function sentScript(
  node: Node,
  { source, params }: ResolvedScript,
  id: string | null,
): UpdateRequest['script'] {
  const given = params === null ? null : writeJson(jsonValueOf(params))
  return { source, id, params: given, regex: node.scripts.regex }
}

/**
 * Compiles the script of an update; `java` is another name for painless here, and here alone.
 * @throws {EngineError} it is not stored, settings forbid it, it does not compile
 */
export function compiledUpdate(node: Node, request: ScriptRequest): ResolvedScript {
  const asked =
    request.lang === 'java' ? ({ ...request, lang: 'painless' } as ScriptRequest) : request
  const resolved = node.scripts.resolve(asked, 'update')
  node.scripts.compile(resolved, 'update')
  return resolved
}

function resolve(node: Node, request: ScriptRequest): ResolvedScript {
  try {
    return compiledUpdate(node, request)
  } catch (error) {
    if (error instanceof EngineError && error.type === 'script_exception')
      throw new IllegalArgumentError('failed to execute script', { causedBy: error.record })
    throw error
  }
}

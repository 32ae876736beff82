/** Runs the script of an update over documents, as context `update` has it (contract-scripts S5). */

import { newScriptRun } from '../script/script-run.ts'
import type { ScriptMap, ScriptValue } from '../script/value/script-value.ts'
import { toErrorRecord } from '../util/errors.ts'
import type { UpdatedDocument, UpdateRequest } from './pipeline-messages.ts'
import { readSource } from './read-source.ts'
import { checkSelfReferences } from './self-reference.ts'
import { noSource, paramsOf, updateScriptOf } from './update-scripts.ts'
import { sourceBytes } from './write-source.ts'

/** The document that the script makes of the one that is there, and what is to be done with it. */
export function runUpdate({ script, document, now }: UpdateRequest): UpdatedDocument {
  const { index, id, routing, version, source } = document
  const fields: ScriptMap = readSource(source)
  const op = version === null ? 'create' : 'index'
  const ctx: ScriptMap = new Map<ScriptValue, ScriptValue>([
    ['_source', fields],
    ['op', op],
    ['_now', BigInt(now)],
  ])
  if (version !== null) {
    ctx.set('_index', index)
    ctx.set('_id', id)
    ctx.set('_version', version)
    ctx.set('_routing', routing)
  }
  try {
    updateScriptOf(script).execute([paramsOf(script), ctx], newScriptRun())
    checkSelfReferences(ctx)
  } catch (error) {
    return { kind: 'failed', error: toErrorRecord(error) }
  }
  const chosen = opOf(ctx.get('op') ?? null, op)
  const made = ctx.get('_source') ?? null
  if (made instanceof Map) return { kind: 'done', op: chosen, source: sourceBytes(made) }
  // A document without its source must not be written.
  if (chosen === 'index' || chosen === 'create') return { kind: 'failed', error: noSource(made) }
  return { kind: 'done', op: chosen, source }
}

/** The operation of `ctx.op`; any unknown one is `none`. */
function opOf(
  value: ScriptValue,
  usual: 'create' | 'index',
): 'create' | 'index' | 'delete' | 'none' {
  if (value === usual) return usual
  return value === 'delete' && usual === 'index' ? 'delete' : 'none'
}

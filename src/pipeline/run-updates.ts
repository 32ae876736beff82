/** Runs the script of an update over documents, as context `update` has it (contract-scripts S5). */

import { SCRIPT_CONTEXTS } from '../script/context/script-contexts.ts'
import { compilePainless, type PainlessScript } from '../script/painless/compile-painless.ts'
import { newScriptRun } from '../script/script-run.ts'
import { classNameOf, type ScriptMap, type ScriptValue } from '../script/value/script-value.ts'
import { UnmodifiableMap } from '../script/value/unmodifiable.ts'
import { type ErrorRecord, toErrorRecord } from '../util/errors.ts'
import type { UpdatedDocument, UpdateRequest } from './pipeline-messages.ts'
import { readSource } from './read-source.ts'
import { checkSelfReferences } from './self-reference.ts'
import { sourceText } from './write-source.ts'

/** Compiled scripts that the thread keeps, the least recently used goes first. */
const KEPT_SCRIPTS = 100

const compiled = new Map<string, PainlessScript>()
const CONTEXT = SCRIPT_CONTEXTS.get('update')!

/** The document that the script makes of the one that is there, and what is to be done with it. */
export function runUpdate({ script, document, now }: UpdateRequest): UpdatedDocument {
  const { index, id, routing, version, source } = document
  const fields: ScriptMap = readSource(source, 0, source.length)
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
  const { params } = script
  const given = params === null ? new Map() : readSource(params, 0, params.length)
  try {
    scriptOf(script).execute([new UnmodifiableMap(given), ctx], newScriptRun())
    checkSelfReferences(ctx)
  } catch (error) {
    return { kind: 'failed', error: toErrorRecord(error) }
  }
  const chosen = opOf(ctx.get('op') ?? null, op)
  const made = ctx.get('_source') ?? null
  if (made instanceof Map) return { kind: 'done', op: chosen, source: encode(made) }
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

function noSource(made: ScriptValue): ErrorRecord {
  const type = made === null ? 'null' : classNameOf(made)
  return {
    type: 'illegal_argument_exception',
    reason: `the script left [_source] of type [${type}]; it must be a map`,
  }
}

function scriptOf({ source, id, regex }: UpdateRequest['script']): PainlessScript {
  const key = JSON.stringify([id, source])
  const known = compiled.get(key)
  compiled.delete(key)
  const script = known ?? compilePainless(source, CONTEXT, { ...regex, functions: new Map() }, id)
  compiled.set(key, script)
  if (compiled.size > KEPT_SCRIPTS) compiled.delete(compiled.keys().next().value!)
  return script
}

function encode(source: ScriptMap): Uint8Array {
  return new TextEncoder().encode(sourceText(source))
}

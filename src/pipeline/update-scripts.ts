/** The scripts of updates, compiled once on this thread. */
import { SCRIPT_CONTEXTS } from '../script/context/script-contexts.ts'
import { compilePainless, type PainlessScript } from '../script/painless/compile-painless.ts'
import { classNameOf, type ScriptMap, type ScriptValue } from '../script/value/script-value.ts'
import { UnmodifiableMap } from '../script/value/unmodifiable.ts'
import type { ErrorRecord } from '../util/errors.ts'
import type { UpdateRequest } from './pipeline-messages.ts'
import { readSource } from './read-source.ts'

/** Compiled scripts that the thread keeps, the least recently used goes first. */
const KEPT_SCRIPTS = 100

const compiled = new Map<string, PainlessScript>()
const CONTEXT = SCRIPT_CONTEXTS.get('update')!

/**
 * Compiles the script of an update.
 * @throws {EngineError} `script_exception`
 */
export function updateScriptOf({ source, id, regex }: UpdateRequest['script']): PainlessScript {
  const key = JSON.stringify([id, source])
  const known = compiled.get(key)
  compiled.delete(key)
  const script = known ?? compilePainless(source, CONTEXT, { ...regex, functions: new Map() }, id)
  compiled.set(key, script)
  if (compiled.size > KEPT_SCRIPTS) compiled.delete(compiled.keys().next().value!)
  return script
}

/** The parameters of such a script, which it cannot change. */
export function paramsOf({ params }: UpdateRequest['script']): ScriptMap {
  const given: ReadonlyMap<ScriptValue, ScriptValue> =
    params === null ? new Map() : readSource(params)
  return new UnmodifiableMap(given as ScriptMap)
}

/** The error of a script after which a document would have no source. */
export function noSource(made: ScriptValue): ErrorRecord {
  const type = made === null ? 'null' : classNameOf(made)
  return {
    type: 'illegal_argument_exception',
    reason: `the script left [_source] of type [${type}]; it must be a map`,
  }
}

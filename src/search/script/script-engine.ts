/**
 * The compilers and adapters that run a search's scripts, loaded when the first one needs them: the calling
 * thread awaits `loadScriptEngine` before it prepares a search, a search thread before it takes one.
 */
import { assert } from '../../util/assert.ts'
import type { ScriptEngine } from './leaf-script.ts'

let engine: ScriptEngine | null = null

/** Loads the engine into this thread. */
export async function loadScriptEngine(): Promise<void> {
  engine ??= (await import('./open-script.ts')).SCRIPT_ENGINE
}

/** The engine of this thread, which was loaded before. */
export function scriptEngine(): ScriptEngine {
  assert(engine !== null, 'the script engine is not loaded')
  return engine
}

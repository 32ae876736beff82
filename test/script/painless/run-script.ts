/** Runs sources of painless as a context would, for tests. */
import { expect } from 'vitest'
import {
  compilePainless,
  type PainlessScript,
} from '../../../src/script/painless/compile-painless.ts'
import type { Member, Typed } from '../../../src/script/painless/library/class-type.ts'
import type { PainlessSettings } from '../../../src/script/painless/painless-settings.ts'
import { ScriptRun } from '../../../src/script/script-run.ts'
import { readValue } from '../../../src/script/value/read-value.ts'
import type { ScriptValue } from '../../../src/script/value/script-value.ts'
import { textOfValue } from '../../../src/script/value/value-text.ts'
import { jsonOfValue } from '../../../src/script/value/write-value.ts'
import { encodeUtf8 } from '../../../src/util/bytes.ts'
import { EngineError, type ErrorRecord } from '../../../src/util/errors.ts'

export const SETTINGS: PainlessSettings = {
  regex: 'limited',
  regexLimitFactor: 6,
  functions: new Map(),
}

/** Limits that no test reaches unless it means to. */
export function freeRun(maxBytes: number = 32 << 20): ScriptRun {
  return new ScriptRun({ deadline: Infinity, maxBytes, isCancelled: () => false })
}

/** A script with `params` and `ctx`. */
export function compile(source: string, returns = 'def'): PainlessScript {
  const variables = [
    { name: 'params', type: 'Map' },
    { name: 'ctx', type: 'Map' },
  ]
  return compilePainless(source, { variables, returns }, SETTINGS)
}

/** The value of a source, in the form of the type. */
export function run(source: string, params = '{}', returns = 'def', ctx = '{}'): Typed {
  const variables = [valueFrom(params), valueFrom(ctx)]
  return compile(source, returns).execute(variables, freeRun())
}

/** The value of JSON. */
export function valueFrom(json: string): ScriptValue {
  return readValue(encodeUtf8(json))
}

/** The value of a source, as Java prints it. */
export function text(source: string, params = '{}'): string {
  return textOfValue(run(source, params) as ScriptValue, freeRun())
}

/** `ctx` after a source ran on it. */
export function changed(source: string, ctx: string, params = '{}'): unknown {
  const map = valueFrom(ctx)
  compile(source, 'void').execute([valueFrom(params), map], freeRun())
  return jsonOfValue(map)
}

/** The error of a source that fails. */
export function failure(source: string, params = '{}', ctx = '{}', returns = 'def'): ErrorRecord {
  try {
    run(source, params, returns, ctx)
  } catch (error) {
    if (error instanceof EngineError) return error.record
    throw error
  }
  return expect.fail(`${source} did not fail`)
}

/** Type and reason of what made a source fail. */
export function cause(source: string, params = '{}', returns = 'def'): string {
  const record = failure(source, params, '{}', returns)
  const by = record.causedBy ?? record
  return `${by.type}: ${by.reason}`
}

/** A function of a context with one parameter, whose result is of the same type. */
export function constantFunction(type: string, of: (input: never) => Typed): Member {
  return { parameters: [type], returns: type, call: (_run, _receiver, input) => of(input as never) }
}

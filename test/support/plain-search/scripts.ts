/** Scripts of random requests. */

import { nodeToJson } from '../../../src/schema/json-conversion.ts'
import type { ScriptPlan } from '../../../src/search/script/script-plan.ts'

/** A script as a request has it. */
export function scriptBody({ lang, source, params }: ScriptPlan): object {
  return { lang, source, params: paramsOf(params) }
}

function paramsOf(params: ScriptPlan['params']): object {
  const value = params === null ? null : nodeToJson(params)
  return value instanceof Map ? Object.fromEntries(value) : {}
}

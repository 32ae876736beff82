import type { ScriptRequest } from '../../../script/script-request.ts'
import type { JsonObjectNode } from '../../../util/json/json-tree.ts'
import { parsingError } from '../parse-error.ts'
import { parseScript } from '../parse-script.ts'
import { VECTOR_SCRIPTS, vectorFunctionOf } from '../query/vector-score.ts'
import { scriptPlan } from '../script-plan.ts'
import type { ParsedFunction } from './score-function-parser.ts'

/** `script_score`: what a script gives. */
export function scriptScoreParser(node: JsonObjectNode): ParsedFunction {
  let script: ScriptRequest | null = null
  for (const entry of node.entries) {
    if (entry.key !== 'script')
      throw parsingError(entry, `script_score query does not support [${entry.key}]`)
    script = parseScript(entry.value)
  }
  if (script === null) throw parsingError(node, "script_score requires 'script' field")
  const asked = script
  return context =>
    asked.lang === VECTOR_SCRIPTS
      ? vectorFunctionOf(asked, context)
      : { kind: 'script', script: scriptPlan(asked, 'score', context) }
}

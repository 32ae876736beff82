/** Scripts of pipelines as the engine reads them: compiled to find their faults, run elsewhere. */

import type { ScriptCompiler } from '../../pipeline/script-compiler.ts'
import type { ScriptValue } from '../../script/value/script-value.ts'
import { jsonOfValue } from '../../script/value/write-value.ts'
import { EngineError } from '../../util/errors.ts'
import { parseJsonTree } from '../../util/json/json-tree.ts'
import { writeJson } from '../../util/json/json-writer.ts'
import { parseScript } from '../dsl/parse-script.ts'
import type { Node } from '../node/node.ts'

/** Compiles each script of a definition for its context. */
export function checkedScripts(node: Node): ScriptCompiler {
  const check = (script: ScriptValue, context: string): string => {
    const request = parseScript(parseJsonTree(writeJson(jsonOfValue(script))))
    const resolved = node.scripts.resolve(request, context)
    node.scripts.compile(resolved, context)
    return resolved.source
  }
  return {
    condition: script => ({
      source: check(script, 'processor_conditional'),
      test: runsElsewhere,
    }),
    script(script) {
      check(script, 'ingest')
      return runsElsewhere
    },
  }
}

function runsElsewhere(): never {
  throw new EngineError({
    type: 'illegal_state_exception',
    reason: 'scripts of pipelines run on the thread of pipelines',
  })
}

import { compileError } from '../../../../script/script-exception.ts'
import type { ScriptRequest } from '../../../../script/script-request.ts'
import { MAX_CALLING_THREAD_MILLIS, newScriptRun } from '../../../../script/script-run.ts'
import { valueOfNode } from '../../../../script/value/read-value.ts'
import type { ScriptMap, ScriptValue } from '../../../../script/value/script-value.ts'
import { UnmodifiableMap } from '../../../../script/value/unmodifiable.ts'
import { jsonOfValue } from '../../../../script/value/write-value.ts'
import { assert } from '../../../../util/assert.ts'
import { parseScript } from '../../../dsl/parse-script.ts'
import type { RequestProcessorType } from '../search-processor.ts'
import { nodeOf } from '../search-source.ts'
import { SearchSourceMap } from '../search-source-map.ts'

/** The keys of a script object. */
const KEYS = ['id', 'source', 'inline', 'lang', 'params', 'options']

/** `script`: a program over the numbers and flags of the search's body. */
export const SCRIPT: RequestProcessorType = {
  name: 'script',
  parse(config, setup) {
    const script: ScriptMap = new Map<ScriptValue, ScriptValue>()
    for (const key of KEYS) {
      const value = config.value(key)
      if (value !== null) script.set(key, value)
    }
    const request = parseScript(nodeOf(jsonOfValue(script)))
    checkStatements(request)
    setup.checkScript(request)
    return (call, { scripts }) => {
      const resolved = scripts.resolve(request, 'search')
      const compiled = scripts.compile(resolved, 'search')
      assert(compiled.lang === 'painless', 'the context has no other language')
      const params = resolved.params === null ? new Map() : valueOfNode(resolved.params)
      const source = new SearchSourceMap(call)
      compiled.script.execute(
        [new UnmodifiableMap(params as ScriptMap), new Map([['_source', source]])],
        newScriptRun(MAX_CALLING_THREAD_MILLIS),
      )
      return source.changed()
    }
  },
}

/** @throws {EngineError} `script_exception`: a source that does nothing, as the real server has it */
function checkStatements({ source, lang }: ScriptRequest): void {
  if (source?.trim() === '')
    throw compileError({
      lang: lang ?? 'painless',
      source,
      offset: 0,
      cause: {
        type: 'illegal_argument_exception',
        reason:
          'invalid function definition: found no statements for function [execute] with [1] parameters',
      },
    })
}

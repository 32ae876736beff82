/** Scripts of processors in painless: conditions over a document that they cannot change, and programs over it. */

import { SCRIPT_CONTEXTS } from '../script/context/script-contexts.ts'
import { compileInContext } from '../script/painless/compile-in-context.ts'
import type { PainlessScript } from '../script/painless/compile-painless.ts'
import { newScriptRun } from '../script/script-run.ts'
import { readOnly } from '../script/value/read-only.ts'
import { UnmodifiableMap } from '../script/value/unmodifiable.ts'
import { EngineError } from '../util/errors.ts'
import type { PipelineScripts } from './pipeline-messages.ts'
import { readProcessorScript } from './processor-script.ts'
import type { ScriptCompiler } from './script-compiler.ts'

const NO_MUTATION = 'Mutating ingest documents in conditionals is not supported'

/** Compiles scripts as the metadata and the settings of a generation have them. */
export function painlessScripts(scripts: PipelineScripts): ScriptCompiler {
  const compile = (
    script: Parameters<ScriptCompiler['script']>[0],
    context: string,
  ): {
    readonly run: PainlessScript
    readonly params: UnmodifiableMap
    readonly source: string
  } => {
    const { source: inline, id, params } = readProcessorScript(script)
    const source = inline ?? storedSource(scripts, id!)
    const run = compileInContext(source, SCRIPT_CONTEXTS.get(context)!, scripts.regex, id)
    return { run, params: new UnmodifiableMap(params), source }
  }
  return {
    condition(script) {
      const { run, params, source } = compile(script, 'processor_conditional')
      return {
        source,
        test: ({ fields }) =>
          run.execute([params, readOnly(fields, NO_MUTATION)], newScriptRun()) === true,
      }
    },
    script(script) {
      const { run, params } = compile(script, 'ingest')
      return ({ fields }) => {
        run.execute([params, fields], newScriptRun())
      }
    },
  }
}

function storedSource({ stored }: PipelineScripts, id: string): string {
  const source = stored.get(id)
  if (source !== undefined) return source
  throw new EngineError({
    type: 'resource_not_found_exception',
    reason: `unable to find script [${id}] in cluster state`,
  })
}

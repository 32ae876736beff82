import type {
  BucketVariables,
  PipelineScripts,
} from '../../aggregation/pipeline/pipeline-scripts.ts'
import { bindToNumbers } from '../../script/expression/compile-expression.ts'
import type { ScriptRequest } from '../../script/script-request.ts'
import { newReduceRun } from '../../script/script-run.ts'
import { toDouble } from '../../script/value/java-numbers.ts'
import { valueOfNode } from '../../script/value/read-value.ts'
import { ScriptArray } from '../../script/value/script-array.ts'
import { doubleValue, type ScriptMap, type ScriptValue } from '../../script/value/script-value.ts'
import { UnmodifiableMap } from '../../script/value/unmodifiable.ts'
import { assert } from '../../util/assert.ts'
import type { Node } from '../node/node.ts'

/** The scripts of pipelines, run on the calling thread: each for a second at most, all buckets together. */
export function pipelineScripts(node: Node): PipelineScripts {
  return {
    number(request) {
      const run = bucketFunction(node, request, 'bucket_aggregation')
      return variables => {
        const result = run(variables)
        return result === null ? null : (toDouble(result) ?? Number.NaN)
      }
    },
    selector(request) {
      const run = bucketFunction(node, request, 'aggregation_selector')
      return variables => {
        const result = run(variables)
        return typeof result === 'boolean' ? result : toDouble(result) === 1
      }
    },
    window(request) {
      const { script, params } = painless(node, request, 'moving-function')
      const run = newReduceRun()
      return values => {
        run.restart()
        run.step()
        const inputs = [new UnmodifiableMap(params), new ScriptArray('double', [...values])]
        return Number(script.execute(inputs, run))
      }
    },
  }
}

/** A function of a bucket's numbers beside the parameters of the request. */
function bucketFunction(
  node: Node,
  request: ScriptRequest,
  context: string,
): (variables: BucketVariables) => ScriptValue {
  const resolved = node.scripts.resolve(request, context)
  const compiled = node.scripts.compile(resolved, context)
  const own = paramsOf(resolved.params)
  const withOwn = (variables: BucketVariables): ScriptMap => {
    const all: ScriptMap = new Map(own)
    for (const [name, value] of variables) all.set(name, value === null ? null : doubleValue(value))
    return all
  }
  if (compiled.lang === 'expression') {
    const compute = bindToNumbers(compiled.expression)
    return variables => doubleValue(compute(withOwn(variables)))
  }
  assert(compiled.lang === 'painless', 'templates have a context of their own')
  const { script } = compiled
  const run = newReduceRun()
  return variables => {
    run.restart()
    run.step()
    return script.execute([new UnmodifiableMap(withOwn(variables))], run) as ScriptValue
  }
}

function painless(
  node: Node,
  request: ScriptRequest,
  context: string,
): {
  readonly script: Extract<ReturnType<Node['scripts']['compile']>, { lang: 'painless' }>['script']
  readonly params: ScriptMap
} {
  const resolved = node.scripts.resolve(request, context)
  const compiled = node.scripts.compile(resolved, context)
  assert(compiled.lang === 'painless', 'the context has no other language')
  return { script: compiled.script, params: paramsOf(resolved.params) }
}

function paramsOf(params: Parameters<typeof valueOfNode>[0] | null): ScriptMap {
  return params === null ? new Map() : (valueOfNode(params) as ScriptMap)
}

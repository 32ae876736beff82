/** The scripts of a `scripted_metric`: on documents, and on what is left of them. */
import { newReduceRun, type ScriptRun } from '../../script/script-run.ts'
import { toDouble } from '../../script/value/java-numbers.ts'
import { valueOfNode } from '../../script/value/read-value.ts'
import type { ScriptMap, ScriptValue } from '../../script/value/script-value.ts'
import { UnmodifiableMap } from '../../script/value/unmodifiable.ts'
import { jsonOfValue } from '../../script/value/write-value.ts'
import type { Leaf } from '../../segment/leaf.ts'
import type {
  MetricLeaf,
  MetricResultValue,
  MetricRunner,
  MetricScripts,
  ScriptEngine,
} from './leaf-script.ts'
import { type PackedValue, packValue, unpackValue } from './packed-value.ts'
import type { ScriptPlan } from './script-plan.ts'

/** Runs the scripts of one aggregation. */
export class ScriptedMetric implements MetricRunner {
  readonly #scripts: MetricScripts
  readonly #engine: ScriptEngine
  #reducing: ScriptRun | null = null

  constructor(scripts: MetricScripts, engine: ScriptEngine) {
    this.#scripts = scripts
    this.#engine = engine
  }

  /** A new state, which `init` has filled. */
  init(run: ScriptRun): ScriptMap {
    const state: ScriptMap = new Map()
    const { init } = this.#scripts
    if (init !== null) this.#call(init, state, run)
    return state
  }

  /** The script of documents on a leaf. */
  leaf(leaf: Leaf, run: ScriptRun): MetricLeaf {
    let score = 0
    let state: ScriptMap = new Map()
    const script = this.#engine.open(this.#scripts.map, leaf, {
      run,
      score: () => score,
      value: null,
      state: () => state,
      params: new Map(),
    })
    return {
      collect(docId, ownScore, of) {
        score = ownScore
        state = of as ScriptMap
        script.value(docId)
      },
    }
  }

  /** The combined form of a state. */
  combine(state: unknown, run: ScriptRun): PackedValue {
    return packValue(this.#call(this.#scripts.combine, state as ScriptMap, run))
  }

  /** The result of what is left of all states. */
  reduce(states: readonly PackedValue[]): MetricResultValue {
    // Of all buckets together.
    const run = (this.#reducing ??= newReduceRun())
    const result = this.#call(this.#scripts.reduce, states.map(unpackValue), run)
    const number = toDouble(result)
    return { json: jsonOfValue(result), number: number ?? Number.NaN }
  }

  #call(plan: ScriptPlan, input: ScriptValue, run: ScriptRun): ScriptValue {
    const params = plan.params === null ? new Map() : (valueOfNode(plan.params) as ScriptMap)
    run.restart()
    run.step()
    return this.#engine
      .compiled(plan)
      .execute([new UnmodifiableMap(params), input], run) as ScriptValue
  }
}

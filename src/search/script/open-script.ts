/** Compiles scripts of searches on the thread at hand, and opens them on leaves. */
import { EMITTED_VALUES } from '../../script/context/emitted-values.ts'
import { SCORED_DOCUMENT } from '../../script/context/scored-document.ts'
import { SCRIPT_CONTEXTS } from '../../script/context/script-contexts.ts'
import { bindExpression, readExpression } from '../../script/expression/compile-expression.ts'
import { compileInContext, variablesOf } from '../../script/painless/compile-in-context.ts'
import type { PainlessScript } from '../../script/painless/compile-painless.ts'
import type { Typed } from '../../script/painless/library/class-type.ts'
import { EmittedValues } from '../../script/painless/library/emit-functions.ts'
import { ExplanationValue } from '../../script/painless/library/explanation-class.ts'
import { IntervalValue } from '../../script/painless/library/interval-class.ts'
import type { ScriptRun } from '../../script/script-run.ts'
import { toDouble } from '../../script/value/java-numbers.ts'
import { valueOfNode } from '../../script/value/read-value.ts'
import { doubleValue, type ScriptMap, type ScriptValue } from '../../script/value/script-value.ts'
import { UnmodifiableMap } from '../../script/value/unmodifiable.ts'
import type { Leaf } from '../../segment/leaf.ts'
import { assert } from '../../util/assert.ts'
import { EmittedLeafValues } from './emitted-values.ts'
import { LeafDoc } from './leaf-doc.ts'
import { LeafExpression } from './leaf-expression.ts'
import type { LeafScript, ScriptEngine, ScriptInputs } from './leaf-script.ts'
import { ScoredDocument } from './scored-document.ts'
import type { ScriptField } from './script-field.ts'
import type { ScriptPlan } from './script-plan.ts'
import { scriptedFrequencies } from './scripted-frequencies.ts'
import { ScriptedMetric } from './scripted-metric.ts'
import { LeafScriptedValues } from './scripted-values.ts'

/** Compiled scripts that a thread keeps. */
const MAX_KEPT = 256

const kept = new Map<string, PainlessScript>()

function compiled(plan: ScriptPlan): PainlessScript {
  const { context, source, name, regex } = plan
  const key = JSON.stringify([context, source, name, regex])
  let script = kept.get(key)
  // The one that was used last stands last.
  if (script !== undefined) kept.delete(key)
  else script = compileInContext(source, SCRIPT_CONTEXTS.get(context)!, regex, name)
  kept.set(key, script)
  if (kept.size > MAX_KEPT) kept.delete(kept.keys().next().value!)
  return script
}

/** The engine of the thread that loads this module. */
export const SCRIPT_ENGINE: ScriptEngine = {
  open: (plan, leaf, inputs, explains = false) =>
    plan.lang === 'painless'
      ? new PainlessLeafScript(plan, leaf, inputs, explains)
      : new ExpressionLeafScript(plan, leaf, inputs),
  values: (script, leaf, run) =>
    script.derived === undefined
      ? new LeafScriptedValues(script, leaf, run, SCRIPT_ENGINE)
      : new EmittedLeafValues(script.derived, leaf.ord),
  metric: scripts => new ScriptedMetric(scripts, SCRIPT_ENGINE),
  intervalFilter(plan, run) {
    const script = compiled(plan)
    const interval = new IntervalValue()
    return (start, end, gaps) => {
      interval.start = start
      interval.end = end
      interval.gaps = gaps
      run.restart()
      run.step()
      return script.execute([interval], run) as boolean
    }
  },
  frequencies: ({ script, weightScript, terms }, run) =>
    scriptedFrequencies(
      compiled(script),
      weightScript === null ? null : compiled(weightScript),
      terms,
      run,
    ),
  number(plan, params, run) {
    const given = { run, score: null, value: null, params }
    return (
      toDouble(compiled(plan).execute([paramsOf(plan, given)], run) as ScriptValue) ?? Number.NaN
    )
  },
  compiled,
}

/** Parameters of the request and of the context. */
function paramsOf({ params }: ScriptPlan, inputs: ScriptInputs): UnmodifiableMap {
  const own = params === null ? new Map<ScriptValue, ScriptValue>() : valueOfNode(params)
  return new UnmodifiableMap(new Map([...(own as ScriptMap), ...inputs.params]))
}

/** The fields of a plan, by name. */
function fieldFinder({ fields }: ScriptPlan): (name: string) => ScriptField | null {
  const byName = new Map(fields.map(({ name, field }) => [name, field]))
  return name => byName.get(name) ?? null
}

class PainlessLeafScript implements LeafScript {
  readonly #script: PainlessScript
  readonly #doc: LeafDoc
  readonly #variables: Typed[]
  readonly #run: ScriptRun
  /** Index of `_score` in the variables; −1: the script does not read it. */
  readonly #scoreAt: number
  readonly #score: () => number
  readonly #valueAt: number
  readonly #value: () => ScriptValue
  readonly #stateAt: number
  readonly #state: () => ScriptValue
  readonly #scored: ScoredDocument | null
  readonly #emitted: EmittedValues | null
  readonly #holder: ExplanationValue | null

  constructor(plan: ScriptPlan, leaf: Leaf, inputs: ScriptInputs, explains: boolean) {
    this.#script = compiled(plan)
    this.#doc = new LeafDoc(leaf, fieldFinder(plan))
    this.#run = inputs.run
    this.#score = inputs.score ?? (() => 0)
    this.#value = inputs.value ?? (() => null)
    this.#holder = explains ? new ExplanationValue() : null
    const { uses } = this.#script
    const variables = variablesOf(SCRIPT_CONTEXTS.get(plan.context)!)
    const at = (name: string): number =>
      uses.has(name) ? variables.findIndex(each => each.name === name) : -1
    this.#scoreAt = at('_score')
    this.#valueAt = at('_value')
    this.#stateAt = at('state')
    this.#state = inputs.state ?? (() => null)
    const isScored = plan.context === 'score'
    this.#scored = isScored ? new ScoredDocument(plan, leaf, this.#doc, inputs.run) : null
    this.#emitted = plan.context === 'derived_field' ? new EmittedValues() : null
    const values: Readonly<Record<string, Typed>> = {
      params: paramsOf(plan, inputs),
      doc: this.#doc,
      _score: 0,
      explanation: this.#holder,
      [SCORED_DOCUMENT]: this.#scored,
      [EMITTED_VALUES]: this.#emitted,
    }
    this.#variables = variables.map(({ name }) => values[name] ?? null)
  }

  get explanation(): string | null {
    return this.#holder?.description ?? null
  }

  number(docId: number): number {
    const result = this.#execute(docId)
    return typeof result === 'number' ? result : (toDouble(result) ?? 0)
  }

  holds(docId: number): boolean {
    return this.#execute(docId) as boolean
  }

  value(docId: number): ScriptValue {
    const result = this.#execute(docId) as ScriptValue
    return this.#emitted === null ? result : [...this.#emitted.values]
  }

  #execute(docId: number): Typed {
    const run = this.#run
    run.restart()
    this.#doc.moveTo(docId)
    this.#scored?.moveTo(docId)
    this.#emitted?.clear()
    if (this.#scoreAt >= 0) this.#variables[this.#scoreAt] = this.#score()
    if (this.#valueAt >= 0) this.#variables[this.#valueAt] = this.#value()
    if (this.#stateAt >= 0) this.#variables[this.#stateAt] = this.#state()
    // Counts as a step, so that scripts without a loop look at the clock now and then.
    run.step()
    return this.#script.execute(this.#variables, run)
  }
}

class ExpressionLeafScript implements LeafScript {
  readonly explanation: string | null = null
  readonly #fields: LeafExpression
  readonly #run: ScriptRun
  readonly #of: () => number

  constructor(plan: ScriptPlan, leaf: Leaf, inputs: ScriptInputs) {
    const { score, value, run } = inputs
    this.#run = run
    this.#fields = new LeafExpression(leaf, fieldFinder(plan))
    this.#of = bindExpression(readExpression(plan.source), paramsOf(plan, inputs), {
      field: name => this.#fields.field(name),
      score,
      value: value === null ? null : () => numberOf(value()),
    })
  }

  number(docId: number): number {
    this.#run.restart()
    this.#run.step()
    this.#fields.moveTo(docId)
    return this.#of()
  }

  holds(docId: number): boolean {
    return this.number(docId) !== 0
  }

  value(docId: number): ScriptValue {
    return doubleValue(this.number(docId))
  }
}

function numberOf(value: ScriptValue): number {
  const number = typeof value === 'boolean' ? Number(value) : toDouble(value)
  assert(number !== null, 'expressions take the values of numbers alone')
  return number
}

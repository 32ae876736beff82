/** Scripts of searches as scorers, sorts and aggregations run them, whatever their language. */
import type { PainlessScript } from '../../script/painless/compile-painless.ts'
import type { ScriptRun } from '../../script/script-run.ts'
import type { ScriptValue } from '../../script/value/script-value.ts'
import type { Leaf } from '../../segment/leaf.ts'
import type { JsonValue } from '../../util/json/json-value.ts'
import type { ScoredTerms } from '../similarity/scored-terms.ts'
import type { PackedValue } from './packed-value.ts'
import type { ScriptPlan } from './script-plan.ts'
import type { ValueScript } from './value-script.ts'

/** Inputs of a script beside the document's fields. */
export interface ScriptInputs {
  /** Limits of the executions. */
  readonly run: ScriptRun
  /** `_score` of the document at hand; null: it has none, which reads as 0. */
  readonly score: (() => number) | null
  /** `_value`; null: the context has none. */
  readonly value: (() => ScriptValue) | null
  /** `state` of the document at hand; absent: the context has none. */
  readonly state?: () => ScriptValue
  /** Parameters beside those of the request. */
  readonly params: ReadonlyMap<string, ScriptValue>
}

/** Only limits: a script that reads fields alone. */
export function inputsOf(run: ScriptRun, score: (() => number) | null = null): ScriptInputs {
  return { run, score, value: null, params: NO_PARAMS }
}

const NO_PARAMS: ReadonlyMap<string, ScriptValue> = new Map()

/**
 * A script on one leaf, which runs on documents in any order. Each member fits contexts with such a result.
 * Each throws an `EngineError` (`script_exception`, `circuit_breaking_exception`).
 */
export interface LeafScript {
  /** The result as a double. */
  number(docId: number): number
  holds(docId: number): boolean
  /** The result as a value: of a derived field the list of what was emitted, of other contexts without one null. */
  value(docId: number): ScriptValue
  /** The words that the last execution gave its score; null: none. Only where `explains` was asked for. */
  readonly explanation: string | null
}

/** The values that a script gives the documents of a leaf, in any order, for an aggregation. */
export interface ScriptedValues {
  /** Ascending. @throws {EngineError} a result is no number, date or boolean */
  numbers(docId: number, score: number): readonly number[]
  texts(docId: number, score: number): readonly string[]
}

/** The scripts of a `scripted_metric`. */
export interface MetricScripts {
  /** Null: states begin empty. */
  readonly init: ScriptPlan | null
  readonly map: ScriptPlan
  readonly combine: ScriptPlan
  readonly reduce: ScriptPlan
}

/** The script of documents on a leaf. */
export interface MetricLeaf {
  collect(docId: number, score: number, state: unknown): void
}

/** A value that a script reduced states to: as it prints, and as a number, NaN where it is none. */
export interface MetricResultValue {
  readonly json: JsonValue
  readonly number: number
}

/** Runs the scripts of a `scripted_metric`; states are known to it alone. */
export interface MetricRunner {
  init(run: ScriptRun): unknown
  leaf(leaf: Leaf, run: ScriptRun): MetricLeaf
  combine(state: unknown, run: ScriptRun): PackedValue
  reduce(states: readonly PackedValue[]): MetricResultValue
}

/** Whether an interval counts, with how many positions in it its parts do not cover. */
export type IntervalFilter = (start: number, end: number, gaps: number) => boolean

/** Scripts of a similarity, with the statistics that they read. */
export interface BoundScripts {
  readonly script: ScriptPlan
  /** Null: every weight is 1. */
  readonly weightScript: ScriptPlan | null
  readonly terms: ScoredTerms
}

/** What scripts of a similarity make of a node's terms. */
export interface ScriptedFrequencies {
  /** By term; what a score is made of beside frequency and length. */
  readonly weights: readonly number[]
  /**
   * The score of a frequency, float32, 0 or more.
   * @param length of the document, tokens
   * @throws {EngineError} a script fails, or the score is less than 0
   */
  score(freq: number, length: number): number
  /** The same, which may be less than 0 or not a number. */
  anyScore(freq: number, length: number): number
}

/** The exports of `open-script.ts`. */
export interface ScriptEngine {
  /**
   * @param leaf     with the script's sections
   * @param explains whether a score script may word its explanation
   */
  open(plan: ScriptPlan, leaf: Leaf, inputs: ScriptInputs, explains?: boolean): LeafScript
  /** @param leaf with the script's sections */
  values(script: ValueScript, leaf: Leaf, run: ScriptRun): ScriptedValues
  metric(scripts: MetricScripts): MetricRunner
  /** A filter of intervals of positions; both ends are included. */
  intervalFilter(plan: ScriptPlan, run: ScriptRun): IntervalFilter
  /** Scores of frequencies by scripts of a similarity. */
  frequencies(similarity: BoundScripts, run: ScriptRun): ScriptedFrequencies
  /** The number that a script makes of parameters, those of its own beside the given ones. */
  number(plan: ScriptPlan, params: ReadonlyMap<string, ScriptValue>, run: ScriptRun): number
  /** The compiled form of a script in painless that reads no document. */
  compiled(plan: ScriptPlan): PainlessScript
}

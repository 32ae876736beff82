/** One kind of score function: a file for each beside this one, and a line in `score-functions.ts`. */
import type { SectionKind } from '../../../codec/directory/format.ts'
import type { ScriptRun } from '../../../script/script-run.ts'
import type { Leaf } from '../../../segment/leaf.ts'
import type { Explanation } from '../explanation.ts'
import type { ScoreFunction } from './score-function.ts'

/** Inputs of functions beside the leaf. */
export interface FunctionInputs {
  /** Limits of the executions of scripts. */
  readonly scripts: ScriptRun
  /** The score of the query for the document at hand, float32. */
  readonly score: () => number
}

/** A function opened on a leaf. */
export interface LeafFunction {
  /**
   * A document's value, in double.
   * @throws {EngineError} the document has no value, or its score were negative
   */
  score(docId: number): number
  /** No value of the leaf is above it; Infinity: none is known, or some document has an error. */
  readonly maxScore: number
  /**
   * @param query explains the score of the query for the document
   * @param name  the function's; null: none
   */
  explain(docId: number, query: Explanation, name: string | null): Explanation
}

/** Operations on functions of one kind. */
export interface ScoreFunctionType<F extends ScoreFunction> {
  /** The function as a query's description prints it. */
  text(of: F): string
  /** Sections that it reads, by field; an empty name for those of the whole segment. */
  sections(of: F): readonly (readonly [field: string, kind: SectionKind])[]
  open(of: F, leaf: Leaf, inputs: FunctionInputs): LeafFunction
}

/** One kind of score function: a file for each beside this one, and a line in `score-functions.ts`. */
import type { SectionKind } from '../../../codec/directory/format.ts'
import type { Leaf } from '../../../segment/leaf.ts'
import type { Explanation } from '../explanation.ts'
import type { ScoreFunction } from './score-function.ts'

/** A function opened on a leaf. */
export interface LeafFunction {
  /**
   * A document's value, in double.
   * @throws {EngineError} the document has no value, or its score were negative
   */
  score(docId: number): number
  explain(docId: number): Explanation
}

/** Operations on functions of one kind. */
export interface ScoreFunctionType<F extends ScoreFunction> {
  /** The function as a query's description prints it. */
  text(of: F): string
  /** Sections that it reads, by field; an empty name for those of the whole segment. */
  sections(of: F): readonly (readonly [field: string, kind: SectionKind])[]
  open(of: F, leaf: Leaf): LeafFunction
}

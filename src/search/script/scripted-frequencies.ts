import { SCRIPT_CONTEXTS } from '../../script/context/script-contexts.ts'
import type { PainlessScript } from '../../script/painless/compile-painless.ts'
import {
  SimilarityDoc,
  SimilarityField,
  SimilarityQuery,
  SimilarityTerm,
} from '../../script/painless/library/similarity-classes.ts'
import type { ScriptRun } from '../../script/script-run.ts'
import { IllegalArgumentError } from '../../util/errors.ts'
import { floatText } from '../../util/json/float-text.ts'
import type { ScoredTerms } from '../similarity/scored-terms.ts'
import type { ScriptedFrequencies } from './leaf-script.ts'

/** Names of the variables of `similarity` in the order in which an execution passes them. */
const VARIABLES = SCRIPT_CONTEXTS.get('similarity')!.variables.map(({ name }) => name)
const WEIGHT_VARIABLES = SCRIPT_CONTEXTS.get('similarity_weight')!.variables.map(({ name }) => name)

/**
 * Scores frequencies by scripts.
 * @param weightScript null: every weight is 1
 * @throws {EngineError} the weight's script fails
 */
export function scriptedFrequencies(
  script: PainlessScript,
  weightScript: PainlessScript | null,
  { boost, field: counts, terms }: ScoredTerms,
  run: ScriptRun,
): ScriptedFrequencies {
  const query = new SimilarityQuery()
  query.boost = boost
  const field = Object.assign(new SimilarityField(), counts)
  const doc = new SimilarityDoc()
  const execute = (
    compiled: PainlessScript,
    names: readonly string[],
    weight: number,
    term: SimilarityTerm,
  ): number => {
    const values: Readonly<Record<string, unknown>> = { weight, query, field, term, doc }
    run.restart()
    run.step()
    return compiled.execute(names.map(name => values[name]) as never, run) as number
  }
  const weighed = terms.map(each => {
    const term = Object.assign(new SimilarityTerm(), each)
    const weight =
      weightScript === null ? 1 : execute(weightScript, WEIGHT_VARIABLES, Number.NaN, term)
    return { term, weight }
  })
  const anyScore = (freq: number, length: number): number => {
    doc.freq = freq
    doc.length = length
    let sum = 0
    for (const { term, weight } of weighed)
      sum = Math.fround(sum + Math.fround(execute(script, VARIABLES, weight, term)))
    return sum
  }
  return {
    weights: weighed.map(({ weight }) => weight),
    anyScore,
    score(freq, length) {
      const sum = anyScore(freq, length)
      if (sum >= 0) return sum
      throw new IllegalArgumentError(
        `Similarities must not produce negative scores, but got: ${floatText(sum)}`,
      )
    },
  }
}

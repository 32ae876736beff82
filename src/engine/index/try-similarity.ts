/**
 * Scripts of a similarity, tried before an index has it: on the statistics that the real server makes up,
 * scores must not be below 0, nor fall as frequencies rise, nor rise as documents get longer.
 */
import { MAX_CALLING_THREAD_MILLIS, newDocumentRun } from '../../script/script-run.ts'
import { scriptEngine } from '../../search/script/script-engine.ts'
import type { ScriptPlan } from '../../search/script/script-plan.ts'
import { explainScripts } from '../../search/weight/explain-scripts.ts'
import { countOf, type Explanation } from '../../search/weight/explanation.ts'
import { IllegalArgumentError } from '../../util/errors.ts'
import { floatText } from '../../util/json/float-text.ts'

const TERMS = {
  boost: 2,
  field: { docCount: 1100, sumDocFreq: 2000, sumTotalTermFreq: 3000 },
  terms: [{ docFreq: 100, totalTermFreq: 130 }],
}
/** Tokens of the document whose frequencies are tried. */
const LENGTH = 20
const STEPS = 10

/**
 * Tries the scripts of a similarity, whose engine is loaded.
 * @param weightScript null: every weight is 1
 * @throws {EngineError} `illegal_argument_exception`: scores that no search could rank by;
 *   `script_exception`: a script fails
 */
export function trySimilarity(script: ScriptPlan, weightScript: ScriptPlan | null): void {
  const similarity = { kind: 'scripted', script, weightScript, terms: TERMS } as const
  const run = newDocumentRun(MAX_CALLING_THREAD_MILLIS)
  const { anyScore } = scriptEngine().frequencies(similarity, run)
  const shown = (freq: number, length: number): string =>
    printed(explainScripts(similarity, countOf(freq, 'term freq'), length), '')
  for (let freq = 1; freq <= STEPS; freq++)
    if (anyScore(freq, LENGTH) < 0)
      throw new IllegalArgumentError(
        `Similarities should not return negative scores:\n${shown(freq, LENGTH)}`,
      )
  for (let freq = 1, before = 0; freq <= STEPS; freq++) {
    const score = anyScore(freq, LENGTH)
    if (score < before)
      throw new IllegalArgumentError(
        'Similarity scores should not decrease when term frequency increases:\n' +
          `${shown(freq - 1, LENGTH)}\n${shown(freq, LENGTH)}`,
      )
    before = score
  }
  for (let length = 1, before = Number.POSITIVE_INFINITY; length <= STEPS; length++) {
    const score = anyScore(1, length)
    if (score > before)
      throw new IllegalArgumentError(
        'Similarity scores should not increase when norm increases:\n' +
          `${shown(1, length - 1)}\n${shown(1, length)}`,
      )
    before = score
  }
}

/** An explanation as lines, each step below the one that it is part of. */
function printed(explanation: Explanation, indent: string): string {
  const { value, isInteger, description, details } = explanation
  const number = isInteger ? String(value) : floatText(value)
  const below = details.map(each => printed(each, `${indent}  `)).join('')
  return `${indent}${number} = ${description}\n${below}`
}

/** The total table of kinds of score functions: one without an entry does not compile. */
import { decayFunction } from './decay.ts'
import { fieldValueFunction } from './field-value.ts'
import { oneFunction } from './one.ts'
import { randomFunction } from './random.ts'
import type { ScoreFunction } from './score-function.ts'
import type { ScoreFunctionType } from './score-function-type.ts'
import { scriptFunction } from './script.ts'
import { vectorFunction } from './vector.ts'

const SCORE_FUNCTIONS: {
  readonly [K in ScoreFunction['kind']]: ScoreFunctionType<Extract<ScoreFunction, { kind: K }>>
} = {
  one: oneFunction,
  fieldValue: fieldValueFunction,
  random: randomFunction,
  decay: decayFunction,
  script: scriptFunction,
  vector: vectorFunction,
}

/** The table entry of a function's kind, typed to take that function. */
export function functionTypeOf({ kind }: ScoreFunction): ScoreFunctionType<ScoreFunction> {
  return SCORE_FUNCTIONS[kind] as ScoreFunctionType<ScoreFunction>
}

/** The table of functions of `function_score` by name. */
import { decayParser } from './decay.ts'
import { fieldValueFactorParser } from './field-value-factor.ts'
import { randomScoreParser } from './random-score.ts'
import type { ScoreFunctionParser } from './score-function-parser.ts'

/** Null: a function of the real API that is not built yet. */
export const SCORE_FUNCTION_PARSERS: { readonly [name: string]: ScoreFunctionParser | null } = {
  exp: decayParser('exp'),
  field_value_factor: fieldValueFactorParser,
  gauss: decayParser('gauss'),
  linear: decayParser('linear'),
  random_score: randomScoreParser,
  script_score: null,
}

/** The table of functions of `function_score` by name. */
import { decayParser } from './decay.ts'
import { fieldValueFactorParser } from './field-value-factor.ts'
import { randomScoreParser } from './random-score.ts'
import type { ScoreFunctionParser } from './score-function-parser.ts'
import { scriptScoreParser } from './script-score.ts'

export const SCORE_FUNCTION_PARSERS: { readonly [name: string]: ScoreFunctionParser } = {
  exp: decayParser('exp'),
  field_value_factor: fieldValueFactorParser,
  gauss: decayParser('gauss'),
  linear: decayParser('linear'),
  random_score: randomScoreParser,
  script_score: scriptScoreParser,
}

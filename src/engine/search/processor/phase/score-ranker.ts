import { javaText } from '../../../../script/value/java-text.ts'
import type { ScriptMap } from '../../../../script/value/script-value.ts'
import { IllegalArgumentError } from '../../../../util/errors.ts'
import type { PhaseProcessorType } from '../search-processor.ts'
import { readTechnique, readWeights } from './techniques.ts'

const DEFAULT_RANK_CONSTANT = 60
const MAX_RANK_CONSTANT = 10_000

/** `score-ranker-processor`: documents score by their ranks (reciprocal rank fusion). */
export const SCORE_RANKER: PhaseProcessorType = {
  name: 'score-ranker-processor',
  parse(config) {
    const combination = readTechnique(config, 'combination', 'rrf')
    const rankConstant = rankConstantOf(combination?.clause)
    if (combination !== null && combination.name !== 'rrf')
      throw new IllegalArgumentError('provided combination technique is not supported')
    return { kind: 'rank', rankConstant, weights: readWeights(combination?.parameters ?? null) }
  },
}

function rankConstantOf(clause: ScriptMap | undefined): number {
  const given = clause?.get('rank_constant')
  if (given === undefined) return DEFAULT_RANK_CONSTANT
  const text = given === null ? 'null' : javaText(given)
  const value = Number(text)
  if (!/^[+-]?\d+$/.test(text) || (value | 0) !== value)
    throw new IllegalArgumentError('parameter [rank_constant] must be an integer')
  if (value >= 1 && value <= MAX_RANK_CONSTANT) return value
  throw new IllegalArgumentError(
    `rank constant must be in the interval between 1 and 10000, submitted rank constant: ${value}`,
  )
}

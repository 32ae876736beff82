import type { ScriptMap } from '../../../../script/value/script-value.ts'
import { IllegalArgumentError } from '../../../../util/errors.ts'
import type { NormalizedScoring } from '../../hybrid/hybrid-scoring.ts'
import type { PhaseProcessorType } from '../search-processor.ts'
import { checkBoundsParameters, readBounds, unrecognized } from './score-bounds.ts'
import { readTechnique, readWeights } from './techniques.ts'

type Technique = NormalizedScoring['technique']
type Combination = NormalizedScoring['combination']

const MEANS: readonly Combination[] = ['arithmetic_mean', 'geometric_mean', 'harmonic_mean']

/** The combinations that go with each technique. */
const COMBINATIONS: Readonly<Record<Technique, readonly Combination[]>> = {
  min_max: MEANS,
  l2: MEANS,
  z_score: ['arithmetic_mean'],
}

/** A combination that is another processor's, which this one names when it refuses it. */
const RANKS = 'rrf'

/** `normalization-processor`: scores are scaled, then combined by a mean. */
export const NORMALIZATION: PhaseProcessorType = {
  name: 'normalization-processor',
  parse(config) {
    const normalization = readTechnique(config, 'normalization', 'min_max')
    const technique = techniqueOf(normalization?.name ?? 'min_max')
    const parameters = normalization?.parameters ?? null
    checkParameters(technique, parameters)
    const lowerBounds = readBounds(parameters, 'lower_bounds')
    const upperBounds = readBounds(parameters, 'upper_bounds')
    const means = readTechnique(config, 'combination', 'arithmetic_mean')
    const name = means?.name ?? 'arithmetic_mean'
    if (name !== RANKS && !MEANS.includes(name as Combination))
      throw new IllegalArgumentError('provided combination technique is not supported')
    const weights = readWeights(means?.parameters ?? null)
    const combination = COMBINATIONS[technique].find(each => each === name)
    if (combination === undefined)
      throw new IllegalArgumentError(
        `provided combination technique ${name} is not supported for normalization technique ` +
          `${technique}. Supported techniques are: ${COMBINATIONS[technique].join(', ')}`,
      )
    return { kind: 'normalization', technique, lowerBounds, upperBounds, combination, weights }
  },
}

function techniqueOf(name: string): Technique {
  if (Object.hasOwn(COMBINATIONS, name)) return name as Technique
  throw new IllegalArgumentError('provided normalization technique is not supported')
}

/** Bounds are of `min_max` alone; the other techniques have no parameters. */
function checkParameters(technique: Technique, parameters: ScriptMap | null): void {
  if (technique === 'min_max') checkBoundsParameters(parameters)
  else if (parameters !== null && parameters.size > 0) throw unrecognized()
}

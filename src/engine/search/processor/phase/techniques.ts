/** The parts of a hybrid scoring that its processors read alike. */
import { ProcessorConfig } from '../../../../pipeline/processor-config.ts'
import { javaText } from '../../../../script/value/java-text.ts'
import type { ScriptMap, ScriptValue } from '../../../../script/value/script-value.ts'
import { IllegalArgumentError } from '../../../../util/errors.ts'
import { floatText } from '../../../../util/json/float-text.ts'

/** How far the sum of weights may be from 1: a float32. */
const WEIGHTS_DELTA = Math.fround(0.01)

/** A technique with its parameters. */
export interface NamedTechnique {
  readonly name: string
  /** Null: none. */
  readonly parameters: ScriptMap | null
  readonly clause: ScriptMap
}

/**
 * Reads `{"technique": …, "parameters": {…}}`; null without.
 * @param otherwise the technique of a clause that names none
 */
export function readTechnique(
  config: ProcessorConfig,
  key: string,
  otherwise: string,
): NamedTechnique | null {
  const clause = config.optionalMap(key)
  if (clause === null) return null
  const options = new ProcessorConfig(config.type, clause)
  options.tag = config.tag
  const name = options.optionalText('technique') ?? otherwise
  return { name, parameters: options.optionalMap('parameters'), clause }
}

/**
 * The weights among the parameters of a combination, float32; null where there are none.
 * @throws {IllegalArgumentError} another parameter; weights that are no numbers of 0 to 1 with the sum 1
 */
export function readWeights(parameters: ScriptMap | null): readonly number[] | null {
  if (parameters === null || parameters.size === 0) return null
  for (const name of parameters.keys())
    if (name !== 'weights')
      throw new IllegalArgumentError(
        'provided parameter for combination technique is not supported. supported parameters are [weights]',
      )
  const given = parameters.get('weights')
  if (!Array.isArray(given)) throw notNumbers()
  const weights = given.map(weightOf)
  const submitted = `submitted weights: [${weights.map(floatText).join(', ')}]`
  if (weights.some(weight => !(weight >= 0 && weight <= 1)))
    throw new IllegalArgumentError(`all weights must be in range [0.0 ... 1.0], ${submitted}`)
  const sum = weights.reduce((total, weight) => Math.fround(total + weight), 0)
  if (Math.abs(1 - sum) > WEIGHTS_DELTA)
    throw new IllegalArgumentError(
      `sum of weights for combination must be equal to 1.0, ${submitted}`,
    )
  return weights
}

function weightOf(value: ScriptValue): number {
  const number = value === null || typeof value === 'string' ? Number.NaN : Number(javaText(value))
  if (Number.isNaN(number)) throw notNumbers()
  return Math.fround(number)
}

function notNumbers(): IllegalArgumentError {
  return new IllegalArgumentError('parameter [weights] must be a collection of numbers')
}

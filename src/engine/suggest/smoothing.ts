import type { Smoothing } from '../../search/suggest/word-scorer.ts'
import { IllegalArgumentError } from '../../util/errors.ts'
import type { JsonNode, JsonObjectNode } from '../../util/json/json-tree.ts'
import { isScalar, readNumber } from '../dsl/json-scalars.ts'
import { parsingError, tokenName } from '../dsl/parse-error.ts'

/** The model where a request says none; its discount is a float32. */
export const DEFAULT_SMOOTHING: Smoothing = { kind: 'stupidBackoff', discount: Math.fround(0.4) }

/**
 * Reads a smoothing model: `{ stupid_backoff: { discount } }` and the like. The real server knows `linear` alone,
 * its documentation calls the same model linear interpolation, and the contract takes that for its name.
 * @throws {EngineError} 400
 */
export function readSmoothing(node: JsonObjectNode): Smoothing {
  let model: Smoothing | null = null
  for (const { key, value } of node.entries) {
    if (value.kind !== 'object')
      throw parsingError(
        value,
        `[smoothing] unknown token [${tokenName(value.kind)}] after [${key}]`,
      )
    if (key === 'stupid_backoff')
      model = { kind: 'stupidBackoff', discount: 0.4, ...one(key, value, 'discount') }
    else if (key === 'laplace') model = { kind: 'laplace', alpha: 0.5, ...one(key, value, 'alpha') }
    else if (key === 'linear' || key === 'linear_interpolation') model = linear(value)
    else throw new IllegalArgumentError(`suggester[phrase] doesn't support object field [${key}]`)
  }
  return model ?? DEFAULT_SMOOTHING
}

/** The one number that a model has. */
function one<Key extends string>(
  model: string,
  node: JsonObjectNode,
  key: Key,
): { readonly [K in Key]?: number } {
  const numbers = readNumbers(model, node, [key])
  return numbers as { readonly [K in Key]?: number }
}

function linear(node: JsonObjectNode): Smoothing {
  const names = ['trigram_lambda', 'bigram_lambda', 'unigram_lambda'] as const
  const given = readNumbers('linear', node, names)
  const [trigram, bigram, unigram] = names.map(name => given[name] ?? 0) as [number, number, number]
  for (const name of names)
    if ((given[name] ?? 0) < 0) throw new IllegalArgumentError(`${name} must be positive`)
  const sum = trigram + bigram + unigram
  if (Math.abs(sum - 1) > 0.001)
    throw new IllegalArgumentError('linear smoothing lambdas must sum to 1')
  return { kind: 'linear', trigram: trigram / sum, bigram: bigram / sum, unigram: unigram / sum }
}

function readNumbers(
  model: string,
  node: JsonObjectNode,
  names: readonly string[],
): Readonly<Record<string, number>> {
  const numbers: Record<string, number> = {}
  for (const { key, value } of node.entries) {
    checkScalar(model, key, value)
    if (!names.includes(key))
      throw new IllegalArgumentError(
        `suggester[phrase][smoothing][${model}] doesn't support field [${key}]`,
      )
    numbers[key] = readNumber(value)
  }
  return numbers
}

function checkScalar(model: string, key: string, value: JsonNode): void {
  if (isScalar(value)) return
  throw parsingError(value, `[${model}] unknown token [${tokenName(value.kind)}] after [${key}]`)
}

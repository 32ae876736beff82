/** Bounds of scores, one for each sub-query, as `min_max` takes them. */
import { javaText } from '../../../../script/value/java-text.ts'
import type { ScriptMap, ScriptValue } from '../../../../script/value/script-value.ts'
import { IllegalArgumentError } from '../../../../util/errors.ts'
import type { ScoreBound } from '../../hybrid/hybrid-scoring.ts'

/** Sub-queries that a hybrid query may have. */
const MAX_SUB_QUERIES = 5
const MAX_BOUND = 10_000
const MODES: readonly ScoreBound['mode'][] = ['apply', 'clip', 'ignore']

/** Each kind of bounds with the key of its score, and the score of a bound that has none. */
const KINDS = {
  lower_bounds: { scoreKey: 'min_score', score: 0 },
  upper_bounds: { scoreKey: 'max_score', score: 1 },
} as const

/** The parameter that holds the bounds of one side. */
export type BoundsKey = keyof typeof KINDS

/**
 * Refuses parameters that are no bounds.
 * @throws {IllegalArgumentError}
 */
export function checkBoundsParameters(parameters: ScriptMap | null): void {
  for (const [name, value] of parameters ?? []) {
    const kind =
      typeof name === 'string' && Object.hasOwn(KINDS, name) ? KINDS[name as BoundsKey] : null
    if (kind === null) throw unrecognized()
    const items = Array.isArray(value) ? value : [value]
    for (const item of items)
      if (
        !(item instanceof Map) ||
        [...item.keys()].some(key => key !== 'mode' && key !== kind.scoreKey)
      )
        throw unrecognized()
  }
}

/** The refusal of parameters that a technique does not have. */
export function unrecognized(): IllegalArgumentError {
  return new IllegalArgumentError('unrecognized parameters in normalization technique')
}

/**
 * Reads the bounds of one side, whose parameters have been checked; null without.
 * @throws {IllegalArgumentError} no list, too many; a mode or a score that cannot be
 */
export function readBounds(
  parameters: ScriptMap | null,
  key: BoundsKey,
): readonly ScoreBound[] | null {
  const given = parameters?.get(key)
  if (given === undefined) return null
  if (!Array.isArray(given)) throw new IllegalArgumentError(`${key} must be a List`)
  if (given.length > MAX_SUB_QUERIES)
    throw new IllegalArgumentError(
      `${key} size ${given.length} should be less than or equal to ${MAX_SUB_QUERIES}`,
    )
  const { scoreKey, score } = KINDS[key]
  return given.map(item => {
    const bound = item as ScriptMap
    return { mode: modeOf(bound.get('mode')), score: boundOf(bound.get(scoreKey), scoreKey, score) }
  })
}

function modeOf(value: ScriptValue | undefined): ScoreBound['mode'] {
  const text = value === undefined || value === null ? '' : javaText(value)
  if (text.trim() === '') return 'apply'
  const mode = MODES.find(each => each === text.toLowerCase())
  if (mode !== undefined) return mode
  throw new IllegalArgumentError(`invalid mode: ${text}, valid values are: ${MODES.join(', ')}`)
}

/** A float32 within the limits. */
function boundOf(value: ScriptValue | undefined, name: string, otherwise: number): number {
  if (value === undefined || value === null) return otherwise
  const text = javaText(value).trim()
  if (!/^[+-]?((\d+\.?\d*|\.\d+)([eE][+-]?\d+)?[fFdD]?|NaN|Infinity)$/.test(text))
    throw new IllegalArgumentError(`invalid format for ${name}: must be a valid float value`)
  const score = Math.fround(Number(text.replace(/[fFdD]$/, '')))
  if (Math.abs(score) <= MAX_BOUND) return score
  throw new IllegalArgumentError(
    `${name} must be a valid finite number between -10000.000000 and 10000.000000`,
  )
}

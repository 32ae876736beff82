/** How often a failed action is tried again, and after which pause. */
import { readNumber, readText } from '../../../engine/dsl/json-scalars.ts'
import { IllegalArgumentError } from '../../../util/errors.ts'
import type { JsonNode } from '../../../util/json/json-tree.ts'
import type { JsonRecord } from '../../../util/json/json-value.ts'
import { entriesOf, given, type Measure, readDuration, require } from './read-fields.ts'

/** How pauses grow. */
type Backoff = 'exponential' | 'constant' | 'linear'

/** Pauses by the number of the retry, from 1: twice the one before, one more each time, always the same. */
const BACKOFFS: Readonly<Record<Backoff, (retry: number, delay: number) => number>> = {
  exponential: (retry, delay) => 2 ** (retry - 1) * delay,
  constant: (_retry, delay) => delay,
  linear: (retry, delay) => retry * delay,
}

/** Retries of an action. */
export interface ActionRetry {
  readonly count: number
  readonly backoff: Backoff
  readonly delay: Measure
}

/** Of an action that says nothing. */
export const DEFAULT_RETRY: ActionRetry = {
  count: 3,
  backoff: 'exponential',
  delay: { text: '1m', value: 60_000 },
}

/**
 * Reads `retry`; unknown keys are passed over, as the reference server does.
 * @throws {EngineError} `illegal_argument_exception`, `parsing_exception`
 */
export function parseRetry(node: JsonNode): ActionRetry {
  let count: number | null = null
  let { backoff, delay } = DEFAULT_RETRY
  for (const { key, value } of entriesOf(node)) {
    if (key === 'count') count = Math.trunc(readNumber(value))
    else if (key === 'backoff') backoff = readBackoff(value)
    else if (key === 'delay') delay = readDuration(value, 'delay')
  }
  const retries = given<number>(count, 'ActionRetry count is null')
  require(retries >= 0, 'Count for ActionRetry must be a non-negative number')
  return { count: retries, backoff, delay }
}

function readBackoff(node: JsonNode): Backoff {
  const text = readText(node).toUpperCase()
  const name = (Object.keys(BACKOFFS) as Backoff[]).find(each => each.toUpperCase() === text)
  if (name !== undefined) return name
  throw new IllegalArgumentError(
    'No enum constant ' +
      `org.opensearch.indexmanagement.spi.indexstatemanagement.model.ActionRetry.Backoff.${text}`,
  )
}

/** The retries as they are printed. */
export function printRetry({ count, backoff, delay }: ActionRetry): JsonRecord {
  return { count, backoff, delay: delay.text }
}

/** Milliseconds between a failure and the retry of that number, which counts from 1. */
export function pauseBefore({ backoff, delay }: ActionRetry, retry: number): number {
  return BACKOFFS[backoff](retry, delay.value)
}

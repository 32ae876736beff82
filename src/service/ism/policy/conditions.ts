/** Conditions of transitions, a line of the table each. */
import { readBoolean, readInteger, readNumber, readText } from '../../../engine/dsl/json-scalars.ts'
import { IllegalArgumentError } from '../../../util/errors.ts'
import type { JsonNode } from '../../../util/json/json-tree.ts'
import type { JsonRecord } from '../../../util/json/json-value.ts'
import { type Cron, checkCron, nextExecution } from './cron.ts'
import {
  entriesOf,
  given,
  type Measure,
  readDuration,
  readFields,
  readSize,
  require,
} from './read-fields.ts'

/** The facts that conditions are held against, all times in milliseconds since 1970. */
export interface ConditionFacts {
  readonly now: number
  readonly createdAt: number
  /** Null: no condition asked for it. */
  readonly docCount: number | null
  readonly sizeInBytes: number | null
  /** When the name went on to another index; null: it did not. */
  readonly rolledOverAt: number | null
  readonly aliasCount: number
  /** When the index came to its state, and when it began to look for the next one. */
  readonly stateStartedAt: number
  readonly transitionStartedAt: number
}

/** A condition, by its name. */
export type Condition =
  | { readonly kind: 'min_index_age' | 'min_rollover_age' | 'min_state_age'; readonly age: Measure }
  | { readonly kind: 'min_doc_count'; readonly count: number }
  | { readonly kind: 'min_size'; readonly size: Measure }
  | { readonly kind: 'cron'; readonly cron: Cron }
  | { readonly kind: 'no_alias'; readonly hasNone: boolean }

/**
 * Reads `conditions`, of which there is one.
 * @throws {EngineError} `illegal_argument_exception`, `parsing_exception`
 */
export function parseCondition(node: JsonNode): Condition {
  const found: Condition[] = []
  const age = (kind: 'min_index_age' | 'min_rollover_age' | 'min_state_age') => (value: JsonNode) =>
    found.push({ kind, age: readDuration(value, kind) })
  readFields(node, 'Conditions', {
    min_index_age: age('min_index_age'),
    min_rollover_age: age('min_rollover_age'),
    min_state_age: age('min_state_age'),
    min_doc_count: value => {
      const count = Math.trunc(readNumber(value))
      require(count > 0, 'Transition doc count condition must be greater than 0')
      found.push({ kind: 'min_doc_count', count })
    },
    min_size: value => {
      const size = readSize(value, 'min_size')
      require(size.value > 0, 'Transition size condition must be greater than 0')
      found.push({ kind: 'min_size', size })
    },
    cron: value => found.push({ kind: 'cron', cron: parseCron(value) }),
    no_alias: value => found.push({ kind: 'no_alias', hasNone: readBoolean(value) }),
  })
  const [condition, second] = found
  if (condition === undefined || second !== undefined)
    throw new IllegalArgumentError('Cannot provide more than one Transition condition')
  return condition
}

/** `{"cron": {"expression", "timezone"}}`. */
function parseCron(node: JsonNode): Cron {
  const [schedule] = entriesOf(node)
  if (schedule?.key !== 'cron') throw new IllegalArgumentError('Unknown schedule type found.')
  let expression: string | null = null
  let timezone: string | null = null
  for (const { key, value } of entriesOf(schedule.value)) {
    if (key === 'expression') expression = readText(value)
    else if (key === 'timezone') timezone = readText(value)
    else if (key !== 'schedule_delay' || readInteger(value) !== 0)
      throw new IllegalArgumentError(`[${key}] is not supported yet`)
  }
  const cron = {
    expression: given(expression, 'cron [expression] is missing'),
    timezone: given(timezone, 'cron [timezone] is missing'),
  }
  checkCron(cron)
  return cron
}

/** The condition as it is printed. */
export function printCondition(condition: Condition): JsonRecord {
  switch (condition.kind) {
    case 'min_index_age':
    case 'min_rollover_age':
    case 'min_state_age':
      return { [condition.kind]: condition.age.text }
    case 'min_doc_count':
      return { min_doc_count: condition.count }
    case 'min_size':
      return { min_size: condition.size.text }
    case 'cron':
      return { cron: { cron: { ...condition.cron } } }
    case 'no_alias':
      return { no_alias: condition.hasNone }
  }
}

/** Whether a condition needs the documents and the size of the index. */
export function asksForStats({ kind }: Condition): boolean {
  return kind === 'min_doc_count' || kind === 'min_size'
}

/** Whether a condition hangs on the time alone, and not on the index as it is now. */
export function hangsOnTime({ kind }: Condition): boolean {
  return kind === 'min_index_age' || kind === 'min_state_age' || kind === 'cron'
}

/** Whether a condition holds. */
export function isMet(condition: Condition, facts: ConditionFacts): boolean {
  switch (condition.kind) {
    case 'min_index_age':
      return facts.now - facts.createdAt >= condition.age.value
    case 'min_state_age':
      return facts.now - facts.stateStartedAt >= condition.age.value
    case 'min_rollover_age':
      return facts.rolledOverAt !== null && facts.now - facts.rolledOverAt >= condition.age.value
    case 'min_doc_count':
      return facts.docCount !== null && facts.docCount >= condition.count
    case 'min_size':
      return facts.sizeInBytes !== null && facts.sizeInBytes >= condition.size.value
    case 'cron':
      return nextExecution(condition.cron, facts.transitionStartedAt) <= facts.now
    case 'no_alias':
      return condition.hasNone === (facts.aliasCount === 0)
  }
}

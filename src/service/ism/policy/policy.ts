/** A policy: the states that an index goes through, what is done in each, and when the next one comes. */
import { readInteger, readNumber, readText } from '../../../engine/dsl/json-scalars.ts'
import { EngineError, IllegalArgumentError } from '../../../util/errors.ts'
import type { JsonNode } from '../../../util/json/json-tree.ts'
import type { JsonRecord } from '../../../util/json/json-value.ts'
import { matchesWildcard } from '../../../util/wildcard.ts'
import { ACTION_TYPES, type ActionName, actionNameOf } from '../actions.ts'
import { type ActionRetry, DEFAULT_RETRY, parseRetry, printRetry } from './action-retry.ts'
import { type Condition, parseCondition, printCondition } from './conditions.ts'
import { type PolicyMessage, parsePolicyMessage, printPolicyMessage } from './message.ts'
import {
  entriesOf,
  given,
  itemsOf,
  type Measure,
  readDuration,
  readFields,
  require,
  wrongToken,
} from './read-fields.ts'

/** The version of the form that policies are kept in, as the reference server counts it. */
export const SCHEMA_VERSION = 27
/** Of a policy as it was sent. */
const GIVEN_SCHEMA_VERSION = 1

/** Something that is done in a state. */
export interface Action {
  readonly name: ActionName
  /** As its kind reads it. */
  readonly config: unknown
  readonly retry: ActionRetry
  readonly timeout: Measure | null
}

/** The way to another state; null: nothing is waited for. */
export interface Transition {
  readonly stateName: string
  readonly condition: Condition | null
}

/** A state. */
export interface State {
  readonly name: string
  readonly actions: readonly Action[]
  readonly transitions: readonly Transition[]
}

/** Which new indices a policy takes on: those of a pattern, none of which begins with `-` and matches. */
export interface IsmTemplate {
  readonly indexPatterns: readonly string[]
  readonly priority: number
  readonly lastUpdatedTime: number
}

/** A policy. */
export interface Policy {
  readonly id: string
  readonly description: string
  readonly lastUpdatedTime: number
  readonly schemaVersion: number
  readonly errorNotification: PolicyMessage | null
  readonly defaultState: string
  /** In the order that they were given. */
  readonly states: readonly State[]
  readonly templates: readonly IsmTemplate[] | null
}

/**
 * Reads `{"policy": {…}}`.
 * @param now milliseconds since 1970
 * @throws {EngineError} `illegal_argument_exception`, `parsing_exception`
 */
export function parsePolicyBody(body: JsonNode, id: string, now: number): Policy {
  const [entry, second] = entriesOf(body)
  if (entry === undefined) throw wrongEnd(body, 'FIELD_NAME', 'END_OBJECT')
  const policy = parsePolicy(entry.value, id, now)
  if (second !== undefined) throw wrongEnd(body, 'END_OBJECT', 'FIELD_NAME')
  return { ...policy, lastUpdatedTime: now }
}

function wrongEnd({ line, col }: JsonNode, expected: string, found: string): EngineError {
  return new EngineError({
    type: 'parsing_exception',
    reason: `Failed to parse object: expecting token of type [${expected}] but found [${found}]`,
    extra: { line, col },
  })
}

/**
 * Reads a policy, as it is sent and as it is printed.
 * @throws {EngineError} `illegal_argument_exception`, `parsing_exception`
 */
export function parsePolicy(node: JsonNode, id: string, now: number): Policy {
  let description: string | null = null
  let defaultState: string | null = null
  let errorNotification: PolicyMessage | null = null
  let lastUpdatedTime = now
  let schemaVersion = GIVEN_SCHEMA_VERSION
  let states: readonly State[] = []
  let templates: readonly IsmTemplate[] | null = null
  readFields(node, 'Policy', {
    schema_version: value => {
      schemaVersion = Math.trunc(readNumber(value))
    },
    last_updated_time: value => {
      lastUpdatedTime = Math.trunc(readNumber(value))
    },
    policy_id: () => {},
    user: () => {},
    description: value => {
      description = readText(value)
    },
    error_notification: value => {
      if (value.kind !== 'null')
        errorNotification = parsePolicyMessage(value, 'ErrorNotification', 'ErrorNotification')
    },
    default_state: value => {
      defaultState = readText(value)
    },
    states: value => {
      states = itemsOf(value).map(parseState)
    },
    ism_template: value => {
      templates = parseTemplates(value, now)
    },
  })
  const policy = {
    id,
    description: given<string>(description, 'description is null'),
    lastUpdatedTime,
    schemaVersion,
    errorNotification,
    defaultState: given<string>(defaultState, 'default_state is null'),
    states,
    templates,
  }
  checkStates(policy)
  return policy
}

function checkStates({ states, defaultState }: Policy): void {
  const names = new Set(states.map(({ name }) => name))
  for (const { name, transitions } of states)
    for (const { stateName } of transitions)
      require(names.has(
        stateName,
      ), `Policy contains a transition in state=${name} pointing to a nonexistent state=${stateName}`)
  require(names.size === states.length, 'Policy cannot have duplicate state names')
  require(states.length > 0, 'Policy must contain at least one State')
  require(names.has(defaultState), 'Policy must have a valid default state')
}

function parseState(node: JsonNode): State {
  let found: string | null = null
  let actions: readonly Action[] = []
  let transitions: readonly Transition[] = []
  readFields(node, 'State', {
    name: value => {
      found = readText(value)
    },
    actions: value => {
      actions = itemsOf(value).map(parseAction)
    },
    transitions: value => {
      transitions = itemsOf(value).map(parseTransition)
    },
  })
  const name = given<string>(found, 'State name is null')
  require(name.trim() !== '', 'State must contain a valid name')
  const end = actions.findIndex(action => action.name === 'delete')
  require(end < 0 ||
    end === actions.length - 1, `State=${name} must not contain an action after a delete action`)
  require(end < 0 ||
    transitions.length === 0, `State=${name} cannot contain transitions if using delete action`)
  return { name, actions, transitions }
}

function parseAction(node: JsonNode): Action {
  let retry = DEFAULT_RETRY
  let timeout: Measure | null = null
  let action: { name: ActionName; config: unknown } | null = null
  for (const { key, value } of entriesOf(node)) {
    if (key === 'timeout') timeout = parseTimeout(value)
    else if (key === 'retry') retry = parseRetry(value)
    else {
      const name = actionNameOf(key)
      entriesOf(value)
      action = { name, config: ACTION_TYPES[name].parse(value) }
    }
  }
  const { name, config } = given<{ name: ActionName; config: unknown }>(
    action,
    'Action inside state is null',
  )
  return { name, config, retry, timeout }
}

const TOKENS: Readonly<Record<JsonNode['kind'], string>> = {
  object: 'START_OBJECT',
  array: 'START_ARRAY',
  string: 'VALUE_STRING',
  number: 'VALUE_NUMBER',
  boolean: 'VALUE_BOOLEAN',
  null: 'VALUE_NULL',
}

function parseTimeout(node: JsonNode): Measure {
  if (node.kind === 'string') return readDuration(node, 'timeout')
  throw new IllegalArgumentError(`Invalid token: [${TOKENS[node.kind]}] for ActionTimeout`)
}

function parseTransition(node: JsonNode): Transition {
  let stateName: string | null = null
  let condition: Condition | null = null
  readFields(node, 'Transition', {
    state_name: value => {
      stateName = readText(value)
    },
    conditions: value => {
      condition = parseCondition(value)
    },
  })
  return { stateName: given<string>(stateName, 'Transition state name is null'), condition }
}

function parseTemplates(node: JsonNode, now: number): readonly IsmTemplate[] | null {
  if (node.kind === 'null') return null
  if (node.kind === 'object') return [parseTemplate(node, now)]
  if (node.kind === 'array') return node.items.map(item => parseTemplate(item, now))
  throw wrongToken(node, 'START_ARRAY')
}

function parseTemplate(node: JsonNode, now: number): IsmTemplate {
  let indexPatterns: readonly string[] = []
  let priority = 0
  let lastUpdatedTime = now
  readFields(node, 'ISMTemplate', {
    index_patterns: value => {
      indexPatterns = itemsOf(value).map(readText)
    },
    priority: value => {
      priority = value.kind === 'null' ? 0 : readInteger(value)
    },
    last_updated_time: value => {
      lastUpdatedTime = Math.trunc(readNumber(value))
    },
  })
  require(priority >= 0, 'Requires priority to be >= 0')
  require(indexPatterns.length > 0, 'Requires at least one index pattern')
  return { indexPatterns, priority, lastUpdatedTime }
}

/** The policy as it is printed. */
export function printPolicy(policy: Policy): JsonRecord {
  const { errorNotification, templates } = policy
  return {
    policy_id: policy.id,
    description: policy.description,
    last_updated_time: policy.lastUpdatedTime,
    schema_version: policy.schemaVersion,
    error_notification: errorNotification === null ? null : printPolicyMessage(errorNotification),
    default_state: policy.defaultState,
    states: policy.states.map(printState),
    ism_template: templates?.map(template => ({
      index_patterns: template.indexPatterns,
      priority: template.priority,
      last_updated_time: template.lastUpdatedTime,
    })),
  }
}

function printState({ name, actions, transitions }: State): JsonRecord {
  return {
    name,
    actions: actions.map(action => ({
      timeout: action.timeout?.text,
      retry: printRetry(action.retry),
      [action.name]: ACTION_TYPES[action.name].print(action.config),
    })),
    transitions: transitions.map(({ stateName, condition }) => ({
      state_name: stateName,
      conditions: condition === null ? undefined : printCondition(condition),
    })),
  }
}

/** A state of a policy; null: it has none of that name. */
export function stateOf({ states }: Policy, name: string): State | null {
  return states.find(state => state.name === name) ?? null
}

/** Whether a template takes on an index of that name. */
export function takesOn({ indexPatterns }: IsmTemplate, name: string): boolean {
  let isTaken = false
  for (const pattern of indexPatterns) {
    if (!pattern.startsWith('-')) isTaken ||= matchesWildcard(pattern, name)
    else if (matchesWildcard(pattern.slice(1), name)) return false
  }
  return isTaken
}

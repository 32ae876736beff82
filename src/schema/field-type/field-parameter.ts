/**
 * A parameter of a field type: its default, whether a later mapping may change it, and how it is
 * read; and the ways in which most are read.
 */
import { EngineError, IllegalArgumentError } from '../../util/errors.ts'
import type { JsonNode } from '../../util/json/json-tree.ts'
import type { JsonValue } from '../../util/json/json-value.ts'
import { describeNode } from '../json-conversion.ts'
import { mapperParsingError } from '../mapping-errors.ts'

/** One parameter of a field type. */
export interface FieldParameter {
  readonly name: string
  /** As it prints; null: none, the parameter prints only when it was given. */
  readonly default: JsonValue
  readonly updateable: boolean
  /** Printed when given, even with its default. */
  readonly printsDefault: boolean
  /**
   * @returns the value as it prints
   * @throws {EngineError} not a value of the parameter
   */
  readonly parse: (node: JsonNode, field: string, type: string) => JsonValue
}

/** True or false, also as text. */
export function parseBoolean(node: JsonNode, name: string): boolean {
  if (node.kind === 'boolean') return node.value
  const text = describeNode(node)
  if (text === 'true') return true
  if (text === 'false') return false
  throw new IllegalArgumentError(
    `Failed to parse value [${text}] as only [true] or [false] are allowed.`,
    { extra: { parameter: name } },
  )
}

/** An integer of 32 bits, also as text. */
export function parseInteger(node: JsonNode): number {
  const text = describeNode(node)
  if (!/^-?\d{1,10}$/.test(text) || Math.abs(Number(text)) > 2147483647)
    throw new EngineError({
      type: 'number_format_exception',
      reason: `For input string: "${text}"`,
    })
  return Number(text)
}

/** Properties of a parameter beside its value; neither unless it says so. */
interface ParameterOptions {
  readonly updateable?: boolean
  readonly printsDefault?: boolean
}

/** A parameter with a reader of its own; `value` is its default. */
export function parameter(
  name: string,
  value: JsonValue,
  parse: FieldParameter['parse'],
  options: ParameterOptions = {},
): FieldParameter {
  return {
    name,
    default: value,
    updateable: options.updateable ?? false,
    printsDefault: options.printsDefault ?? false,
    parse,
  }
}

/** True or false. */
export function booleanParameter(
  name: string,
  value: boolean,
  options: ParameterOptions = {},
): FieldParameter {
  return parameter(name, value, node => parseBoolean(node, name), options)
}

/** Text that is none of the other kinds; without a default. */
export function textParameter(name: string, updateable: boolean): FieldParameter {
  return parameter(name, null, node => describeNode(node), { updateable })
}

/** An integer of 32 bits, `min` or more. */
export function integerParameter(
  name: string,
  value: number,
  min: number,
  updateable: boolean,
): FieldParameter {
  return parameter(
    name,
    value,
    node => {
      const number = parseInteger(node)
      if (number < min) throw new IllegalArgumentError(`[${name}] must be at least ${min}`)
      return number
    },
    { updateable },
  )
}

/** One of several texts. */
export function choiceParameter(
  name: string,
  value: string,
  choices: readonly string[],
): FieldParameter {
  return parameter(name, value, (node, field) => {
    const text = describeNode(node)
    if (choices.includes(text)) return text
    throw mapperParsingError(
      `Unknown value [${text}] for field [${name}] - accepted values are ` +
        `[${choices.join(', ')}] (field [${field}])`,
    )
  })
}

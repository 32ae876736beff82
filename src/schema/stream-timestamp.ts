/**
 * The metadata field `_data_stream_timestamp`: the mapping of a data stream's backing index names a field of
 * dates by it, of which every document has exactly one value.
 */
import { IllegalArgumentError } from '../util/errors.ts'
import { type JsonNode, jsonEntry } from '../util/json/json-tree.ts'
import type { JsonMap, JsonValue } from '../util/json/json-value.ts'
import { parseBoolean } from './field-type/field-parameter.ts'
import { describeNode } from './json-conversion.ts'
import { mapperParsingError } from './mapping-errors.ts'

/** The field's entry in a mapping. */
export interface StreamTimestamp {
  readonly enabled: boolean
  /** Full path of the field of dates. */
  readonly field: string
}

/** The field of dates where no name is given. */
export const DEFAULT_TIMESTAMP_FIELD = '@timestamp'

/**
 * Reads `{"enabled": true, "timestamp_field": {"name": …}}`.
 * @throws {EngineError} `mapper_parsing_exception`
 */
export function parseStreamTimestamp(node: JsonNode): StreamTimestamp {
  if (node.kind !== 'object')
    throw mapperParsingError('[_data_stream_timestamp] config must be an object')
  let enabled = false
  let field = DEFAULT_TIMESTAMP_FIELD
  for (const { key, value } of node.entries) {
    if (key === 'enabled') enabled = parseBoolean(value, key)
    else if (key === 'timestamp_field') field = nameIn(value)
    else
      throw mapperParsingError(
        'Mapping definition for [_data_stream_timestamp] has unsupported parameters:  ' +
          `[${key} : ${describeNode(value)}]`,
      )
  }
  return { enabled, field }
}

function nameIn(node: JsonNode): string {
  const name = node.kind === 'object' ? jsonEntry(node, 'name')?.value : undefined
  if (name?.kind === 'string') return name.value
  throw mapperParsingError('[timestamp_field] of [_data_stream_timestamp] must have a [name]')
}

/** The field as `GET _mapping` prints it. */
export function printStreamTimestamp({ enabled, field }: StreamTimestamp): JsonMap {
  const printed = new Map<string, JsonValue>([['enabled', enabled]])
  if (field !== DEFAULT_TIMESTAMP_FIELD) printed.set('timestamp_field', new Map([['name', field]]))
  return printed
}

/**
 * The entry after an update: it may be switched on, and stays then.
 * @throws {EngineError} `illegal_argument_exception`
 */
export function mergeStreamTimestamp(
  old: StreamTimestamp | null,
  update: StreamTimestamp | null,
): StreamTimestamp | null {
  if (update === null) return old
  if (old === null || !old.enabled) return update
  const conflicts: string[] = []
  if (!update.enabled) conflicts.push('Cannot update parameter [enabled] from [true] to [false]')
  if (update.field !== old.field)
    conflicts.push(
      `Cannot update parameter [timestamp_field] from [{name=${old.field}}] to [{name=${update.field}}]`,
    )
  if (conflicts.length === 0) return old
  throw new IllegalArgumentError(
    `Mapper for [_data_stream_timestamp] conflicts with existing mapper:\n\t${conflicts.join('\n\t')}`,
  )
}

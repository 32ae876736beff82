/** Reads the body of a request that makes or changes a configuration. */
import { EngineError, IllegalArgumentError } from '../../util/errors.ts'
import type { JsonNode } from '../../util/json/json-tree.ts'
import { BodyReader } from './body-reader.ts'
import type { Config, ConfigType } from './config.ts'
import { CONFIG_TYPES, configTypeOf, namesOf } from './config-types.ts'

/** A request, read. */
export interface ConfigRequest {
  /** Null: none is given. */
  readonly id: string | null
  readonly config: Config
}

/**
 * Reads `{config_id?, config}`; `id` stands in for `config_id`.
 * @param allowed types that a node takes
 * @throws {EngineError} `illegal_argument_exception`, `malformed_u_r_l_exception`; `status_exception` 406:
 *   a type that is unknown or not allowed
 */
export function parseConfigRequest(body: JsonNode, allowed: readonly ConfigType[]): ConfigRequest {
  const reader = new BodyReader(body, 'body')
  const id = reader.optionalText('config_id') ?? reader.optionalText('id') ?? null
  if (id !== null) checkId(id)
  const config = reader.value('config')
  if (config === undefined) throw new IllegalArgumentError('config field absent')
  return { id, config: parseConfig(new BodyReader(config, 'config'), allowed) }
}

/** @throws {EngineError} `illegal_argument_exception` */
export function checkId(id: string): void {
  const wrong = [...new Set(id)].filter(char => !/[A-Za-z0-9+/_-]/.test(char))
  if (wrong.length > 0)
    throw new IllegalArgumentError(`Invalid characters in id : ${wrong.join('')}`)
  if (id === '') throw new IllegalArgumentError('id is null or empty')
  if (Buffer.byteLength(id) > 512)
    throw new IllegalArgumentError(`id is too long, must be no longer than 512 bytes`)
}

function parseConfig(from: BodyReader, allowed: readonly ConfigType[]): Config {
  const name = from.text('name')
  const typeName = from.text('config_type')
  if (name.trim() === '') throw new IllegalArgumentError('name is null or empty')
  const type = configTypeOf(typeName)
  if (type === null) throw notAcceptable('NONE')
  if (!allowed.includes(type)) throw notAcceptable(type)
  const object = from.value(...namesOf(type))
  if (object === undefined)
    throw new IllegalArgumentError(`ConfigType: ${type} and data doesn't match`)
  return {
    name,
    description: from.optionalText('description') ?? '',
    config_type: type,
    is_enabled: from.boolean('is_enabled', true),
    [type]: CONFIG_TYPES[type].parse(new BodyReader(object, type)),
  }
}

function notAcceptable(type: string): EngineError {
  return statusError(406, `NotificationConfig with type ${type} is not acceptable`)
}

/** An error of the type that the reference server has for all that is none of its own. */
export function statusError(status: number, reason: string): EngineError {
  return new EngineError({ type: 'status_exception', reason, status })
}

/** Messages of policies: a template, and the channel that its text is sent to. */

import { readText } from '../../../engine/dsl/json-scalars.ts'
import { parseScript } from '../../../engine/dsl/parse-script.ts'
import { IllegalArgumentError } from '../../../util/errors.ts'
import type { JsonNode } from '../../../util/json/json-tree.ts'
import type { JsonRecord } from '../../../util/json/json-value.ts'
import { jsonValueOf, writeJson } from '../../../util/json/json-writer.ts'
import { entriesOf, given, readFields, require } from './read-fields.ts'

/** A template in Mustache. */
export interface Template {
  readonly source: string
  /** Beside `ctx`; null: none. */
  readonly params: JsonRecord | null
}

/** A message with where it goes. */
export interface PolicyMessage {
  readonly channelId: string
  readonly template: Template
}

/**
 * Reads a template.
 * @param name of what it is for, for the error
 * @throws {EngineError} `illegal_argument_exception`: of another language, or stored: those have none in a policy
 */
export function parseTemplate(node: JsonNode, name: string): Template {
  const { source, lang, params } = parseScript(node, 'mustache')
  if (source === null || lang !== 'mustache')
    throw new IllegalArgumentError(`${name} must be a mustache script`)
  const hasParams = params !== null && params.entries.length > 0
  return { source, params: hasParams ? plainOf(params) : null }
}

/** An object as the documents of policies keep it. */
function plainOf(node: JsonNode): JsonRecord {
  return JSON.parse(new TextDecoder().decode(writeJson(jsonValueOf(node)))) as JsonRecord
}

/** The template as it is printed. */
export function printTemplate({ source, params }: Template): JsonRecord {
  return { source, lang: 'mustache', params: params ?? undefined }
}

/**
 * Reads `{channel, message_template}`.
 * @param name of the object, as `rule` names it too
 * @param rule `ErrorNotification` or `Notification`, as the errors begin
 * @throws {EngineError} `illegal_argument_exception`, `parsing_exception`
 */
export function parsePolicyMessage(node: JsonNode, name: string, rule: string): PolicyMessage {
  let channelId: string | null = null
  let template: Template | null = null
  readFields(node, name, {
    channel: value => {
      if (value.kind !== 'null') channelId = parseChannel(value)
    },
    destination: value => {
      if (value.kind !== 'null')
        throw new IllegalArgumentError('[destination] is not supported yet: name a [channel]')
    },
    message_template: value => {
      template = parseTemplate(value, `${rule} message template`)
    },
  })
  return {
    template: given<Template>(template, `${name} message template is null`),
    channelId: given<string>(channelId, `${rule} must contain a destination or channel`),
  }
}

function parseChannel(node: JsonNode): string {
  let id: string | null = null
  for (const { key, value } of entriesOf(node)) {
    require(key === 'id', `Unexpected field: ${key}, while parsing Channel destination`)
    id = readText(value)
  }
  require(id !== '', 'Channel ID cannot be empty')
  return given<string>(id, 'Channel ID is null')
}

/** The message as it is printed. */
export function printPolicyMessage({ channelId, template }: PolicyMessage): JsonRecord {
  return { channel: { id: channelId }, message_template: printTemplate(template) }
}

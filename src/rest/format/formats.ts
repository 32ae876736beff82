/** The formats beside JSON; the library of each is loaded at its first use. */
import { EngineError } from '../../util/errors.ts'
import { type JsonNode, parseJsonTree } from '../../util/json/json-tree.ts'
import type { BodyFormat } from './body-format.ts'
import type { Transcoder } from './transcoder.ts'

/** Max bytes of JSON that become a response of another format, in one go. */
const MAX_RESPONSE_BYTES = 16 << 20

const TRANSCODERS: Readonly<Record<Exclude<BodyFormat, 'json'>, () => Promise<Transcoder>>> = {
  yaml: async () => (await import('./yaml.ts')).yaml,
  cbor: async () => (await import('./cbor.ts')).cbor,
}

/** The transcoder of a format; null for JSON, which needs none. */
export async function loadTranscoder(name: BodyFormat | null): Promise<Transcoder | null> {
  return name === null || name === 'json' ? null : await TRANSCODERS[name]()
}

/**
 * A request's body as JSON.
 * @throws {EngineError} `content_too_long_exception`; see `Transcoder.toJson`
 */
export async function bodyAsJson(bytes: Uint8Array, name: BodyFormat): Promise<Uint8Array> {
  const format = await loadTranscoder(name)
  if (format === null || bytes.length === 0) return bytes
  if (bytes.length > format.maxRequestBytes)
    throw tooLong(`a body in ${name} of [${bytes.length}] bytes`, format.maxRequestBytes)
  return format.toJson(bytes)
}

/**
 * JSON of a response in another format.
 * @throws {EngineError} `content_too_long_exception`
 */
export function inFormat(json: Uint8Array, format: Transcoder): Uint8Array {
  if (json.length > MAX_RESPONSE_BYTES)
    throw tooLong(`a response in ${format.type} of [${json.length}] bytes`, MAX_RESPONSE_BYTES)
  const tree = parseJsonTree(json)
  const { type, maxResponseDepth: max } = format
  if (isDeeper(tree, max)) throw tooLong(`a response in ${type} of more than [${max}] levels`, max)
  return format.fromJson(tree)
}

/** Whether a tree has more than so many levels; found without recursion. */
function isDeeper(tree: JsonNode, max: number): boolean {
  let level: readonly JsonNode[] = [tree]
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > max) return true
    level = level.flatMap(node =>
      node.kind === 'object'
        ? node.entries.map(({ value }) => value)
        : node.kind === 'array'
          ? node.items
          : [],
    )
  }
  return false
}

function tooLong(what: string, max: number): EngineError {
  return new EngineError({
    type: 'content_too_long_exception',
    reason: `${what} is too long, the limit is [${max}]: use JSON, which has none of its own`,
  })
}

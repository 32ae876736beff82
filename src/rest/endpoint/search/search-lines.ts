/** The lines of a multi-search: for each search a header and a body. */
import { IllegalArgumentError } from '../../../util/errors.ts'
import {
  type JsonEntry,
  type JsonNode,
  type JsonObjectNode,
  parseJsonTree,
} from '../../../util/json/json-tree.ts'
import { objectBody } from '../../endpoint.ts'

const NEWLINE = 10

/** One search: its header, null for an empty line, and its body, null where no line follows. */
export interface SearchLines {
  readonly header: JsonObjectNode | null
  readonly body: JsonNode | null
}

/**
 * Takes a body apart. Empty lines ahead of the first header are passed over. The last header may have no
 * body: no search is made of it, but it is read.
 * @throws {EngineError} the last line does not end; a line is no JSON
 */
export function readSearchLines(bytes: Uint8Array): SearchLines[] {
  if (bytes.length > 0 && bytes[bytes.length - 1] !== NEWLINE)
    throw new IllegalArgumentError('The msearch request must be terminated by a newline [\\n]')
  const found: SearchLines[] = []
  let at = 0
  const line = (): Uint8Array | null => {
    if (at >= bytes.length) return null
    const end = bytes.indexOf(NEWLINE, at)
    const taken = bytes.subarray(at, end)
    at = end + 1
    return taken
  }
  for (let isFirst = true; ; isFirst = false) {
    let header = line()
    while (isFirst && header !== null && isBlank(header)) header = line()
    if (header === null) return found
    const read = isBlank(header) ? null : objectBody(parseJsonTree(header))
    const body = line()
    found.push({ header: read, body: body === null ? null : parseJsonTree(body) })
    if (body === null) return found
  }
}

function isBlank(bytes: Uint8Array): boolean {
  for (const byte of bytes) if (byte > 0x20) return false
  return true
}

/** The value of a header's key, as the URL would have it: lists are joined by commas. */
export function headerText({ key, value }: JsonEntry): string {
  if (value.kind === 'string') return value.value
  if (value.kind === 'number') return value.text
  if (value.kind === 'boolean') return String(value.value)
  if (value.kind === 'array')
    return value.items.map(item => headerText({ key, value: item, line: 0, col: 0 })).join(',')
  if (value.kind === 'null') return ''
  throw new IllegalArgumentError(`key [${key}] of the metadata section must not be an object`)
}

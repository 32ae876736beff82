/**
 * A JSON value as a tree with the location of each part and the text of each number: for request
 * bodies, whose errors name line and column, and whose numbers may be longer than a double holds.
 * `/* … *\/` and `// …` are blanks there, as in OpenSearch's parser.
 * Documents are indexed without trees; their stored sources are read as some for what a hit shows.
 */
import { assert } from '../assert.ts'
import { JSON_LIMITS, JSON_TOKENS, type JsonLimits, JsonReader } from './json-reader.ts'

/** A value and its location; lines and columns count from 1. */
export type JsonNode = JsonObjectNode | JsonArrayNode | JsonScalarNode

/** An object: its entries in document order, names distinct. */
export interface JsonObjectNode {
  readonly kind: 'object'
  readonly line: number
  readonly col: number
  readonly entries: readonly JsonEntry[]
}

/** An array: its items in order. */
export interface JsonArrayNode {
  readonly kind: 'array'
  readonly line: number
  readonly col: number
  readonly items: readonly JsonNode[]
}

/** A string, number, boolean or null. */
export type JsonScalarNode =
  | { readonly kind: 'string'; readonly line: number; readonly col: number; readonly value: string }
  | JsonNumberNode
  | {
      readonly kind: 'boolean'
      readonly line: number
      readonly col: number
      readonly value: boolean
    }
  | { readonly kind: 'null'; readonly line: number; readonly col: number }

/** A number with its text as written (`1.0`, `9007199254740993`) and the nearest double. */
export interface JsonNumberNode {
  readonly kind: 'number'
  readonly line: number
  readonly col: number
  readonly text: string
  readonly value: number
}

/** A field of an object; the location is that of its name. */
export interface JsonEntry {
  readonly key: string
  readonly line: number
  readonly col: number
  readonly value: JsonNode
}

/**
 * Reads one JSON value.
 * @throws {EngineError} `json_parse_exception` with line and column: not JSON, or past a limit;
 *   `json_e_o_f_exception`: it ends too early
 */
export function parseJsonTree(bytes: Uint8Array, limits: JsonLimits = JSON_LIMITS): JsonNode {
  return limits === JSON_LIMITS
    ? readUsual(bytes, null)
    : readTree(new JsonReader(limits), bytes, null, false)
}

/**
 * Reads a JSON value that was read before, as stored sources were: its strings are taken as they are.
 * @throws {EngineError} as `parseJsonTree`, where its structure is damaged
 */
export function parseKnownTree(bytes: Uint8Array): JsonNode {
  return readUsual(bytes, null, true)
}

/**
 * Reads one JSON value, behind which another one is a mistake of its own.
 * @param refused the error of another value
 * @throws {EngineError} that error; as `parseJsonTree`
 */
export function parseSoleTree(bytes: Uint8Array, refused: Refusal): JsonNode {
  return readUsual(bytes, refused)
}

function readUsual(bytes: Uint8Array, refused: Refusal | null, isKnown = false): JsonNode {
  if (bytes.length > REUSED_UP_TO)
    return readTree(new JsonReader(JSON_LIMITS), bytes, refused, isKnown)
  const reader = spare ?? new JsonReader(JSON_LIMITS)
  spare = null
  try {
    return readTree(reader, bytes, refused, isKnown)
  } finally {
    reader.reset(NO_BYTES)
    spare = reader
  }
}

/** Makes the error of a value behind the first. */
type Refusal = (node: JsonNode) => Error

/**
 * A reader that is not in use. Its stacks are ten typed arrays of 10 KB together, which cost more to
 * allocate and to free than the body of a search costs to read.
 */
let spare: JsonReader | null = null

/** Bytes of a body; the reader of a longer one may have grown. */
const REUSED_UP_TO = 2 ** 16
const NO_BYTES = new Uint8Array(0)

function readTree(
  reader: JsonReader,
  bytes: Uint8Array,
  refused: Refusal | null,
  isKnown: boolean,
): JsonNode {
  reader.reset(bytes)
  reader.readsOn = refused !== null
  reader.takesComments = true
  reader.isKnown = isKnown
  // Open containers, innermost last; no recursion, so depth costs no call stack.
  const open: (JsonObjectNode | JsonArrayNode)[] = []
  const names: { key: string; line: number; col: number }[] = []
  let root: JsonNode | null = null
  for (let token = reader.next(); token !== JSON_TOKENS.end; token = reader.next()) {
    const line = reader.line
    const col = reader.column
    let node: JsonNode
    switch (token) {
      case JSON_TOKENS.name:
        names.push({ key: reader.text(), line, col })
        continue
      case JSON_TOKENS.objectEnd:
      case JSON_TOKENS.arrayEnd:
        open.pop()
        continue
      case JSON_TOKENS.objectStart:
        node = { kind: 'object', line, col, entries: [] }
        break
      case JSON_TOKENS.arrayStart:
        node = { kind: 'array', line, col, items: [] }
        break
      case JSON_TOKENS.string:
        node = { kind: 'string', line, col, value: reader.text() }
        break
      case JSON_TOKENS.number: {
        const text = reader.text()
        node = { kind: 'number', line, col, text, value: Number(text) }
        break
      }
      case JSON_TOKENS.null:
        node = { kind: 'null', line, col }
        break
      default:
        node = { kind: 'boolean', line, col, value: token === JSON_TOKENS.true }
    }
    const parent = open.at(-1)
    if (parent === undefined) {
      if (root !== null && refused !== null) throw refused(node)
      root = node
    } else if (parent.kind === 'array') (parent.items as JsonNode[]).push(node)
    else {
      const name = names.pop()
      assert(name !== undefined, 'a value in an object follows a name')
      // Written out: a spread would cost more than reading the value.
      const entry = { key: name.key, line: name.line, col: name.col, value: node }
      ;(parent.entries as JsonEntry[]).push(entry)
    }
    if (node.kind === 'object' || node.kind === 'array') open.push(node)
  }
  assert(root !== null, 'the reader ends only behind a value')
  return root
}

/** The entry with a name, or null. */
export function jsonEntry(node: JsonObjectNode, key: string): JsonEntry | null {
  for (const entry of node.entries) if (entry.key === key) return entry
  return null
}

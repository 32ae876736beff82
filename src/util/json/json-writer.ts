/**
 * Writes response values as JSON bytes, in OpenSearch's two layouts: compact, or pretty (`"key" :
 * value`, two blanks a level, `{ }` and `[ ]` if empty, a newline at the end).
 */
import { encodeUtf8 } from '../bytes.ts'
import { doubleText, floatText } from './float-text.ts'
import { type JsonNode, parseJsonTree } from './json-tree.ts'
import {
  DeferredJson,
  Float32,
  Float64,
  type JsonMap,
  type JsonRecord,
  type JsonValue,
  RawJson,
} from './json-value.ts'

/** Text is encoded once this many characters are buffered. */
const FLUSH_CHARS = 1 << 16

/** How a value is laid out. */
export interface JsonLayout {
  readonly pretty: boolean
}

/**
 * Bytes of a value. Raw JSON is copied verbatim, but the pretty layout formats it anew, with its
 * numbers as written.
 *
 * Nesting is bounded: that of user input by the JSON reader, plus the levels of the response around
 * it.
 */
export function writeJson(value: JsonValue, layout: JsonLayout = { pretty: false }): Uint8Array {
  const writer = new JsonWriter(layout.pretty)
  writer.value(value, 0)
  if (layout.pretty) writer.text('\n')
  return writer.finish()
}

/** A parsed body as a value to write: numbers keep their text, strings lose their escapes. */
export function jsonValueOf(node: JsonNode): JsonValue {
  switch (node.kind) {
    case 'object':
      return new Map(node.entries.map(({ key, value }) => [key, jsonValueOf(value)]))
    case 'array':
      return node.items.map(jsonValueOf)
    case 'number':
      return new RawJson(encodeUtf8(node.text))
    case 'null':
      return null
    case 'string':
    case 'boolean':
      return node.value
  }
}

/** The entries of an object value in print order; undefined ones are omitted. */
export function jsonEntries(value: object): Iterable<readonly [string, JsonValue | undefined]> {
  return value instanceof Map ? (value as JsonMap) : Object.entries(value)
}

/** A text as a JSON string: control characters escaped, all else verbatim. */
export function quoteJson(text: string): string {
  // JSON.stringify writes the escapes of control characters in lower case, OpenSearch in upper.
  const quoted = JSON.stringify(text)
  return quoted.includes('\\u00') ? quoted.replace(CONTROL_ESCAPE, upperEscape) : quoted
}

// A lone backslash before u, so an even number of backslashes (their own escapes) before it.
const CONTROL_ESCAPE = /(?<!\\)((?:\\\\)*)\\u(00[01][a-f])/g

function upperEscape(_whole: string, before: string, digits: string): string {
  return `${before}\\u${digits.toUpperCase()}`
}

const quotedNames = new Map<string, string>()
/** Above the number of names that the code has. */
const MAX_QUOTED_NAMES = 4096
const MAX_QUOTED_LENGTH = 64

/** The same for a key of a record, each of which is quoted once: thousands of buckets share theirs. */
function quotedName(key: string): string {
  const known = quotedNames.get(key)
  if (known !== undefined) return known
  const quoted = quoteJson(key)
  // Keys may be a caller's own words.
  if (key.length <= MAX_QUOTED_LENGTH && quotedNames.size < MAX_QUOTED_NAMES)
    quotedNames.set(key, quoted)
  return quoted
}

class JsonWriter {
  readonly #pretty: boolean
  readonly #parts: Uint8Array[] = []
  #text = ''

  constructor(pretty: boolean) {
    this.#pretty = pretty
  }

  text(text: string): void {
    this.#text += text
    if (this.#text.length >= FLUSH_CHARS) this.#flush()
  }

  value(value: JsonValue, level: number): void {
    if (value === null || typeof value !== 'object') this.text(scalarText(value))
    else if (value instanceof Float32) this.text(numberOrName(floatText(value.value)))
    else if (value instanceof Float64) this.text(numberOrName(doubleText(value.value)))
    else if (value instanceof RawJson) this.#raw(value, level)
    else if (value instanceof DeferredJson) this.value(value.make(), level)
    else if (Array.isArray(value)) this.#array(value, level)
    else this.#object(value as JsonMap | JsonRecord, level)
  }

  finish(): Uint8Array {
    this.#flush()
    if (this.#parts.length === 1) return this.#parts[0]!
    return Buffer.concat(this.#parts)
  }

  #object(value: JsonMap | JsonRecord, level: number): void {
    let isEmpty = true
    if (value instanceof Map)
      for (const [key, item] of value as JsonMap) {
        if (item === undefined) continue
        this.#name(quoteJson(key), isEmpty, level)
        this.value(item, level + 1)
        isEmpty = false
      }
    // Not by `Object.entries`: a hit has many keys, most of them without a value.
    else
      for (const key of Object.keys(value)) {
        const item = (value as JsonRecord)[key]
        if (item === undefined) continue
        this.#name(quotedName(key), isEmpty, level)
        this.value(item, level + 1)
        isEmpty = false
      }
    if (isEmpty) this.text(this.#pretty ? '{ }' : '{}')
    else this.text(`${this.#newLine(level)}}`)
  }

  /** Writes the name of an entry of an object. */
  #name(quoted: string, isFirst: boolean, level: number): void {
    const open = isFirst ? '{' : ','
    if (this.#pretty) this.text(`${open}${this.#newLine(level + 1)}${quoted} : `)
    else this.text(`${open}${quoted}:`)
  }

  #array(items: readonly JsonValue[], level: number): void {
    let separator = '['
    for (const item of items) {
      this.text(separator + this.#newLine(level + 1))
      this.value(item, level + 1)
      separator = ','
    }
    if (separator === '[') this.text(this.#pretty ? '[ ]' : '[]')
    else this.text(`${this.#newLine(level)}]`)
  }

  #raw(value: RawJson, level: number): void {
    if (this.#pretty && isContainer(value.bytes)) {
      this.value(jsonValueOf(parseJsonTree(value.bytes)), level)
      return
    }
    this.#flush()
    this.#parts.push(value.bytes)
  }

  #newLine(level: number): string {
    return this.#pretty ? `\n${'  '.repeat(level)}` : ''
  }

  #flush(): void {
    if (this.#text === '') return
    this.#parts.push(encodeUtf8(this.#text))
    this.#text = ''
  }
}

/** Whether JSON text is an object or an array, the only kinds with a layout. */
function isContainer(bytes: Uint8Array): boolean {
  for (const byte of bytes) if (byte > 0x20) return byte === 0x7b || byte === 0x5b
  return false
}

function scalarText(value: string | number | bigint | boolean | null): string {
  if (typeof value === 'string') return quoteJson(value)
  return typeof value === 'number' ? numberText(value) : String(value)
}

/** An untyped number: an integer if it is whole, else a double. */
function numberText(value: number): string {
  if (Number.isSafeInteger(value)) return String(value)
  if (Number.isInteger(value)) return BigInt(value).toString()
  return numberOrName(doubleText(value))
}

/** JSON has no text for non-finite numbers: OpenSearch quotes the name. */
function numberOrName(text: string): string {
  const last = text.charCodeAt(text.length - 1)
  return last >= 0x30 && last <= 0x39 ? text : `"${text}"`
}

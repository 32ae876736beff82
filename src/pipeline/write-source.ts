/** Prints values as JSON, as documents are stored. */

import { BigIntegerValue } from '../script/value/big-integer.ts'
import { ScriptObject, type ScriptValue, scalarText } from '../script/value/script-value.ts'
import { EngineError, IllegalArgumentError } from '../util/errors.ts'
import { quoteJson } from '../util/json/json-writer.ts'

const MAX_DEPTH = 1000
/** Bytes of one value: lists that hold others twice print far more than they take. */
const MAX_BYTES = 2 ** 29
const FIRST_BYTES = 1 << 10

/**
 * The JSON of a value; keys are printed as Java prints them.
 * @throws {EngineError} as `SourceWriter.write`
 */
export function sourceBytes(value: ScriptValue): Uint8Array {
  const writer = new SourceWriter(FIRST_BYTES)
  writer.write(value)
  return writer.bytes()
}

/** The same as a text. */
export function sourceText(value: ScriptValue): string {
  return Buffer.from(sourceBytes(value)).toString('utf8')
}

/**
 * Writes values one behind another into one buffer. Texts are copied unit by unit while they are
 * ASCII: as one string, which the runtime then encodes, a document of ten fields took four times as long.
 */
export class SourceWriter {
  #bytes: Buffer
  #length = 0
  /** Where the value under way begins. */
  #start = 0

  readonly #maxBytes: number

  /**
   * @param capacity bytes that the buffer has at first
   * @param maxBytes of one value
   */
  constructor(capacity: number, maxBytes: number = MAX_BYTES) {
    this.#maxBytes = maxBytes
    this.#bytes = Buffer.allocUnsafeSlow(capacity)
  }

  /** Bytes of all values so far. */
  get length(): number {
    return this.#length
  }

  /**
   * Writes a value, or nothing of it where it fails.
   * @throws {EngineError} `illegal_argument_exception`: nested too deeply, or a value within itself;
   *   `circuit_breaking_exception`: longer than its limit
   */
  write(value: ScriptValue): void {
    this.#start = this.#length
    try {
      this.#value(value, 0)
    } catch (error) {
      this.#length = this.#start
      throw error
    }
  }

  /** Returns the bytes written; the caller owns their buffer from here on. */
  bytes(): Uint8Array {
    return this.#bytes.subarray(0, this.#length)
  }

  #value(value: ScriptValue, depth: number): void {
    switch (typeof value) {
      case 'string':
        this.#quoted(value)
        break
      case 'boolean':
      case 'bigint':
        this.#ascii(String(value))
        break
      case 'number':
        this.#ascii(numberText(scalarText(value)!))
        break
      case 'object':
        if (value === null) this.#ascii('null')
        else this.#object(value, depth)
    }
  }

  #object(value: object, depth: number): void {
    if (depth > MAX_DEPTH)
      throw new IllegalArgumentError(
        `Document nesting depth (${depth}) exceeds the maximum allowed (${MAX_DEPTH})`,
      )
    if (value instanceof Map) {
      let separator = OBJECT_START
      for (const [key, item] of value as Map<ScriptValue, ScriptValue>) {
        this.#byte(separator)
        this.#quoted(typeof key === 'string' ? key : (scalarText(key) ?? 'null'))
        this.#byte(COLON)
        this.#value(item, depth + 1)
        separator = COMMA
      }
      if (separator === OBJECT_START) this.#byte(OBJECT_START)
      this.#byte(OBJECT_END)
    } else if (Array.isArray(value) || value instanceof Set) {
      let separator = ARRAY_START
      for (const item of value as Iterable<ScriptValue>) {
        this.#byte(separator)
        this.#value(item, depth + 1)
        separator = COMMA
      }
      if (separator === ARRAY_START) this.#byte(ARRAY_START)
      this.#byte(ARRAY_END)
    } else if (value instanceof BigIntegerValue) this.#ascii(value.text())
    else if (value instanceof ScriptObject) {
      const plain = value.plain()
      if (plain instanceof ScriptObject) this.#encoded(quoteJson(plain.text()))
      else this.#value(plain, depth + 1)
    } else this.#ascii(numberText(scalarText(value as ScriptValue)!))
  }

  #quoted(text: string): void {
    const { length } = text
    this.#reserve(2 * length + 2)
    const bytes = this.#bytes
    let at = this.#length
    bytes[at++] = QUOTE
    for (let i = 0; i < length; i++) {
      const unit = text.charCodeAt(i)
      const form = unit < 0x80 ? FORMS[unit]! : OTHER_FORM
      if (form === OTHER_FORM) {
        this.#encoded(PLAIN.test(text) ? `"${text}"` : quoteJson(text))
        return
      }
      if (form !== ITSELF) bytes[at++] = BACKSLASH
      bytes[at++] = form === ITSELF ? unit : form
    }
    bytes[at++] = QUOTE
    this.#length = at
  }

  #encoded(text: string): void {
    // A UTF-16 unit takes at most three bytes.
    this.#reserve(3 * text.length)
    this.#length += this.#bytes.write(text, this.#length, 'utf8')
  }

  #ascii(text: string): void {
    const { length } = text
    this.#reserve(length)
    const bytes = this.#bytes
    let at = this.#length
    for (let i = 0; i < length; i++) bytes[at++] = text.charCodeAt(i)
    this.#length = at
  }

  #byte(byte: number): void {
    this.#reserve(1)
    this.#bytes[this.#length++] = byte
  }

  #reserve(count: number): void {
    const needed = this.#length + count
    if (needed <= this.#bytes.length) return
    if (needed - this.#start > this.#maxBytes)
      throw new EngineError({
        type: 'circuit_breaking_exception',
        reason: `[ingest] limit of [${this.#maxBytes}] bytes for the source of a document exceeded`,
      })
    const grown = Buffer.allocUnsafeSlow(Math.max(needed, 2 * this.#bytes.length))
    this.#bytes.copy(grown, 0, 0, this.#length)
    this.#bytes = grown
  }
}

const QUOTE = 0x22
const BACKSLASH = 0x5c
const COMMA = 0x2c
const COLON = 0x3a
const OBJECT_START = 0x7b
const OBJECT_END = 0x7d
const ARRAY_START = 0x5b
const ARRAY_END = 0x5d

const ITSELF = 0
/** An escape by number, or more than one byte. */
const OTHER_FORM = 1
/** By ASCII character, how a string shows it: as itself, or as the letter given here behind a backslash. */
const FORMS = new Uint8Array(0x80)
FORMS.fill(OTHER_FORM, 0, 0x20)
for (const [char, letter] of ['""', '\\\\', '\bb', '\ff', '\nn', '\rr', '\tt'])
  FORMS[char!.charCodeAt(0)] = letter!.charCodeAt(0)

/** Characters that JSON shows as they are; escapes, and halves of characters, are left to others. */
const PLAIN = /^[ !#-[\]-\ud7ff\ue000-\uffff]*$/

/** JSON has no text for non-finite numbers: their names are quoted. */
function numberText(text: string): string {
  const last = text.charCodeAt(text.length - 1)
  return last >= 0x30 && last <= 0x39 ? text : `"${text}"`
}

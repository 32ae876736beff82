/**
 * A pull tokenizer over the UTF-8 bytes of one JSON value (strict RFC 8259, but for comments where
 * they are taken): the caller requests the next token and reads its byte range in place, without an
 * object or a string per token. Everything is validated: grammar, UTF-8 of strings
 * (outside of strings only ASCII is grammatical), duplicate names, depth and lengths.
 *
 * Lines and columns count from 1, columns in bytes, as in OpenSearch's parser.
 */
import { EngineError } from '../errors.ts'
import { JsonNames } from './json-names.ts'
import { fillEscapes, hexDigit, isDigit, jsonText, utf8Length } from './json-text.ts'

/** The result of `JsonReader.next`. */
export type JsonToken = (typeof JSON_TOKENS)[keyof typeof JSON_TOKENS]

/** Kinds of tokens; `end` follows the complete value and trailing blanks. */
export const JSON_TOKENS = {
  end: 0,
  objectStart: 1,
  objectEnd: 2,
  arrayStart: 3,
  arrayEnd: 4,
  name: 5,
  string: 6,
  number: 7,
  true: 8,
  false: 9,
  null: 10,
} as const

/** Limits of a JSON value. */
export interface JsonLimits {
  /** Max nesting of objects and arrays. */
  readonly depth: number
  /** Max UTF-8 bytes of a field name as written. */
  readonly nameLength: number
  /** Max UTF-8 bytes of a string as written. */
  readonly stringLength: number
  /** Max characters of a number as written: digits, sign, point and exponent. */
  readonly numberLength: number
}

/** The limits of the node's API (`StreamReadConstraints` of OpenSearch's parser). */
export const JSON_LIMITS: JsonLimits = {
  depth: 1000,
  nameLength: 50_000,
  stringLength: 50_000_000,
  numberLength: 1000,
}

const EXPECT_VALUE = 0
const EXPECT_NAME_OR_END = 1
const EXPECT_NAME = 2
const EXPECT_ITEM_OR_END = 3
const AFTER_VALUE = 4

const IN_OBJECT = 1
const IN_ARRAY = 2

/** Returns the end of the plain bytes from `at` on, max `limit`; bound to one input. */
export type PlainRun = (at: number, limit: number) => number

/** Bytes of a string that are scanned in TypeScript first. */
const NEAR = 12

/** Bytes that a string holds unescaped: printable ASCII except `"` and `\`. */
const PLAIN = new Uint8Array(256)
for (let b = 0x20; b < 0x80; b++) PLAIN[b] = b === 0x22 || b === 0x5c ? 0 : 1

/**
 * Reads JSON values; an instance is reused by `reset`. The fields describe the token that `next`
 * returned last and are overwritten by the next call.
 */
export class JsonReader {
  /** The input; never written. */
  bytes: Uint8Array
  /** Whether values may stand behind the first; false again for the next bytes. */
  readsOn = false
  /** Whether `/* … *\/` and `// …` count as blanks; false again for the next bytes. */
  takesComments = false
  /** Whether the input is known to be JSON, so that strings need no look at each byte; false again for the next. */
  isKnown = false
  /** Offset of the token's first byte; after the quote for names and strings. */
  start = 0
  /** Offset after the token's last byte; of the closing quote for names and strings. */
  end = 0
  /** A name or string with an escape, so that its bytes are not its text. */
  hasEscapes = false
  /** A name or string whose bytes as written are all below 0x80; not told of known input. */
  isAscii = false
  /** A number without fraction and exponent. */
  isInteger = false
  /** Open objects and arrays around the next token. */
  depth = 0

  readonly #limits: JsonLimits
  readonly #plainRun: PlainRun | null
  #base = 0
  #limit = 0
  #at = 0
  #state = EXPECT_VALUE
  #line = 1
  #lineStart = 0
  /** Line and column of the token's first byte, quote included. */
  #tokenLine = 1
  #tokenColumn = 1
  readonly #containers: Uint8Array
  readonly #names: JsonNames
  /** In known input, the next quote and backslash as far as they were looked for; ahead of `#at`: not yet. */
  #quote = -1
  #backslash = -1

  /** @param plainRun used for every input, or null */
  constructor(limits: JsonLimits = JSON_LIMITS, plainRun: PlainRun | null = null) {
    this.#limits = limits
    this.#plainRun = plainRun
    this.bytes = new Uint8Array(0)
    this.#containers = new Uint8Array(limits.depth + 1)
    this.#names = new JsonNames(limits.depth)
  }

  /** Resets to `bytes[start, end)`, which must hold one value and blanks around it. */
  reset(bytes: Uint8Array, start = 0, end: number = bytes.length): void {
    this.readsOn = false
    this.takesComments = false
    this.isKnown = false
    this.#quote = -1
    this.#backslash = -1
    this.bytes = bytes
    this.#base = start
    this.#at = start
    this.#limit = end
    this.#state = EXPECT_VALUE
    this.#line = 1
    this.#lineStart = start
    this.depth = 0
    this.start = start
    this.end = start
    this.#names.reset(bytes)
  }

  /** Line of the last token, from 1. */
  get line(): number {
    return this.#tokenLine
  }

  /** Column of the last token's first byte, from 1. */
  get column(): number {
    return this.#tokenColumn
  }

  /** Current offset: after the last token, its closing quote or a name's colon. */
  get position(): number {
    return this.#at
  }

  /**
   * Moves to the next token.
   * @throws {EngineError} `json_parse_exception` with line and column: not JSON, or past a limit;
   *   `json_e_o_f_exception`: it ends too early
   */
  next(): JsonToken {
    const byte = this.#skipBlanks()
    this.#tokenLine = this.#line
    this.#tokenColumn = this.#at - this.#lineStart + 1
    switch (this.#state) {
      case AFTER_VALUE:
        return this.#afterValue(byte)
      case EXPECT_NAME_OR_END:
        if (byte === 0x7d) return this.#close(IN_OBJECT, byte)
        return this.#name(byte)
      case EXPECT_NAME:
        return this.#name(byte)
      case EXPECT_ITEM_OR_END:
        if (byte === 0x5d) return this.#close(IN_ARRAY, byte)
        return this.#value(byte)
      default:
        return this.#value(byte)
    }
  }

  /** After `objectStart` or `arrayStart`: moves to the matching end token. */
  skipChildren(): void {
    const depth = this.depth - 1
    while (this.depth > depth) this.next()
  }

  /** Text of the last name, string or number, unescaped. */
  text(): string {
    return jsonText(this.bytes, this.start, this.end, this.hasEscapes)
  }

  /**
   * Writes the unescaped UTF-8 bytes of the last name or string to `target` from `at` on. They are
   * never more than `end - start`. A lone surrogate becomes U+FFFD.
   * @returns the offset after the last byte written
   */
  unescapeInto(target: Uint8Array, at: number): number {
    return fillEscapes(this.bytes, this.start, this.end, target, at)
  }

  /** The error of a caller that cannot use the last token. */
  error(reason: string): EngineError {
    return parseError(reason, this.#tokenLine, this.#tokenColumn)
  }

  #afterValue(byte: number): JsonToken {
    if (this.depth === 0) {
      if (byte === -1) {
        this.start = this.#at
        this.end = this.#at
        return JSON_TOKENS.end
      }
      if (this.readsOn) return this.#value(byte)
      throw this.#unexpected(byte, 'the end of the input behind the value')
    }
    const container = this.#containers[this.depth]!
    if (byte === 0x2c) {
      this.#at++
      const following = this.#skipBlanks()
      this.#tokenLine = this.#line
      this.#tokenColumn = this.#at - this.#lineStart + 1
      return container === IN_OBJECT ? this.#name(following) : this.#value(following)
    }
    if (byte === 0x7d || byte === 0x5d) return this.#close(container, byte)
    throw this.#unexpected(
      byte,
      `comma to separate ${container === IN_OBJECT ? 'Object' : 'Array'} entries`,
    )
  }

  #open(container: number): void {
    const depth = ++this.depth
    if (depth > this.#limits.depth)
      throw this.error(
        `Document nesting depth (${depth}) exceeds the maximum allowed (${this.#limits.depth})`,
      )
    this.#containers[depth] = container
    this.start = this.#at++
    this.end = this.#at
    if (container === IN_OBJECT) this.#names.openObject()
  }

  #close(container: number, byte: number): JsonToken {
    const isObject = byte === 0x7d
    if (isObject !== (container === IN_OBJECT))
      throw this.#unexpected(byte, isObject ? "closing ']'" : "closing '}'")
    if (isObject) this.#names.closeObject()
    this.depth--
    this.start = this.#at++
    this.end = this.#at
    this.#state = AFTER_VALUE
    return isObject ? JSON_TOKENS.objectEnd : JSON_TOKENS.arrayEnd
  }

  #value(byte: number): JsonToken {
    switch (byte) {
      case 0x22:
        this.#string()
        if (this.end - this.start > this.#limits.stringLength)
          throw this.error(
            `String value length (${this.end - this.start}) exceeds the maximum allowed ` +
              `(${this.#limits.stringLength})`,
          )
        this.#state = AFTER_VALUE
        return JSON_TOKENS.string
      case 0x7b:
        this.#open(IN_OBJECT)
        this.#state = EXPECT_NAME_OR_END
        return JSON_TOKENS.objectStart
      case 0x5b:
        this.#open(IN_ARRAY)
        this.#state = EXPECT_ITEM_OR_END
        return JSON_TOKENS.arrayStart
      case 0x74:
        return this.#literal('true', JSON_TOKENS.true)
      case 0x66:
        return this.#literal('false', JSON_TOKENS.false)
      case 0x6e:
        return this.#literal('null', JSON_TOKENS.null)
      default:
        if (byte === 0x2d || (byte >= 0x30 && byte <= 0x39)) return this.#number()
        throw this.#unexpected(
          byte,
          "a value: String, Number, Array, Object or token 'null', 'true' or 'false'",
        )
    }
  }

  #literal(word: string, token: JsonToken): JsonToken {
    const start = this.#at
    for (let i = 0; i < word.length; i++) {
      if (start + i >= this.#limit || this.bytes[start + i] !== word.charCodeAt(i))
        throw this.#unrecognized(start)
    }
    this.#at = start + word.length
    if (this.#at < this.#limit && isWord(this.bytes[this.#at]!)) throw this.#unrecognized(start)
    this.start = start
    this.end = this.#at
    this.#state = AFTER_VALUE
    return token
  }

  #number(): JsonToken {
    const bytes = this.bytes
    const limit = this.#limit
    const start = this.#at
    let at = start
    if (bytes[at] === 0x2d) at++
    const integer = at
    while (at < limit && isDigit(bytes[at]!)) at++
    if (at === integer)
      throw this.#unexpectedAt(at, 'digit (0-9) to follow minus sign, for a number')
    if (bytes[integer] === 0x30 && at > integer + 1)
      throw this.error('Invalid numeric value: Leading zeroes not allowed')
    this.isInteger = true
    if (at < limit && bytes[at] === 0x2e) {
      this.isInteger = false
      const fraction = ++at
      while (at < limit && isDigit(bytes[at]!)) at++
      if (at === fraction)
        throw this.#unexpectedAt(at, 'digit (0-9) to follow the decimal point, for a number')
    }
    if (at < limit && (bytes[at] === 0x65 || bytes[at] === 0x45)) {
      this.isInteger = false
      at++
      if (at < limit && (bytes[at] === 0x2b || bytes[at] === 0x2d)) at++
      const exponent = at
      while (at < limit && isDigit(bytes[at]!)) at++
      if (at === exponent)
        throw this.#unexpectedAt(at, 'digit (0-9) to follow the exponent, for a number')
    }
    if (at < limit && (isWord(bytes[at]!) || bytes[at] === 0x2e))
      throw this.#unexpectedAt(at, 'blank, comma or closing bracket behind a number')
    if (at - start > this.#limits.numberLength)
      throw this.error(
        `Number value length (${at - start}) exceeds the maximum allowed ` +
          `(${this.#limits.numberLength})`,
      )
    this.#at = at
    this.start = start
    this.end = at
    this.#state = AFTER_VALUE
    return JSON_TOKENS.number
  }

  #name(byte: number): JsonToken {
    if (byte !== 0x22) throw this.#unexpected(byte, 'double-quote to start field name')
    this.#string()
    if (this.end - this.start > this.#limits.nameLength)
      throw this.error(
        `Name length (${this.end - this.start}) exceeds the maximum allowed ` +
          `(${this.#limits.nameLength})`,
      )
    if (!this.#names.add(this.start, this.end, this.hasEscapes)) throw this.#duplicate()
    const colon = this.#skipBlanks()
    if (colon !== 0x3a) throw this.#unexpected(colon, 'a colon to separate field name and value')
    this.#at++
    this.#state = EXPECT_VALUE
    return JSON_TOKENS.name
  }

  /** Reads a string with its opening quote at `#at`, validates its UTF-8, and stops after it. */
  #string(): void {
    const bytes = this.bytes
    const limit = this.#limit
    const start = this.#at + 1
    let at = start
    let escapes = false
    let ascii = true
    for (;;) {
      // A call pays only for longer strings; names mostly end within the first bytes.
      const near = Math.min(limit, at + NEAR)
      while (at < near && PLAIN[bytes[at]!] === 1) at++
      if (at === near && near < limit) {
        if (this.#plainRun !== null) at = this.#plainRun(at, limit)
        else if (this.isKnown) at = this.#knownRun(at, limit)
        else while (at < limit && PLAIN[bytes[at]!] === 1) at++
      }
      if (at >= limit) {
        this.#at = limit
        throw parseError(
          'Unexpected end-of-input in a string: was expecting closing quote',
          this.#line,
          at - this.#lineStart + 1,
          'json_e_o_f_exception',
        )
      }
      const byte = bytes[at]!
      if (byte === 0x22) break
      if (byte === 0x5c) {
        escapes = true
        at = this.#escape(at)
      } else if (byte >= 0x80) {
        ascii = false
        const length = utf8Length(bytes, at, limit)
        if (length === 0)
          throw parseError(
            `Invalid UTF-8 at byte 0x${byte.toString(16)}`,
            this.#line,
            at - this.#lineStart + 1,
          )
        at += length
      } else
        throw parseError(
          `Illegal unquoted character (code ${byte}): has to be escaped using backslash ` +
            'to be included in a string value',
          this.#line,
          at - this.#lineStart + 1,
        )
    }
    this.start = start
    this.end = at
    this.hasEscapes = escapes
    this.isAscii = ascii
    this.#at = at + 1
  }

  /** Where a string of known input ends, or has an escape, from `at` on. */
  #knownRun(at: number, limit: number): number {
    if (this.#quote < at) this.#quote = nextOf(this.bytes, 0x22, at)
    if (this.#backslash < at) this.#backslash = nextOf(this.bytes, 0x5c, at)
    return Math.min(this.#quote, this.#backslash, limit)
  }

  /** Validates the escape with its backslash at `at`; returns the offset after it. */
  #escape(at: number): number {
    const escaped = at + 1 < this.#limit ? this.bytes[at + 1]! : -1
    switch (escaped) {
      case 0x22:
      case 0x5c:
      case 0x2f:
      case 0x62:
      case 0x66:
      case 0x6e:
      case 0x72:
      case 0x74:
        return at + 2
      case 0x75:
        for (let i = at + 2; i < at + 6; i++) {
          if (i >= this.#limit || hexDigit(this.bytes[i]!) < 0)
            throw this.#unexpectedAt(i, 'a hex-digit for character escape sequence')
        }
        return at + 6
      default:
        throw this.#unexpectedAt(at + 1, 'a character that may follow a backslash')
    }
  }

  /** Skips blanks and returns the next byte, −1 at the end. */
  #skipBlanks(): number {
    const bytes = this.bytes
    const limit = this.#limit
    let at = this.#at
    while (at < limit) {
      const byte = bytes[at]!
      if (byte === 0x0a) {
        this.#line++
        this.#lineStart = at + 1
      } else if (byte !== 0x20 && byte !== 0x0d && byte !== 0x09) {
        this.#at = at
        if (byte !== 0x2f || !this.takesComments) return byte
        at = this.#commentEnd(at + 1)
        continue
      }
      at++
    }
    this.#at = at
    return -1
  }

  /** The offset behind a comment, of which `at` is that of its second byte; the break of a line is left. */
  #commentEnd(at: number): number {
    const { bytes } = this
    const limit = this.#limit
    if (bytes[at] === 0x2f && at < limit) {
      while (at < limit && bytes[at] !== 0x0a) at++
      return at
    }
    if (bytes[at] !== 0x2a || at >= limit)
      throw this.#unexpectedAt(at, "either '*' or '/' for a comment")
    for (at++; at + 1 < limit; at++) {
      if (bytes[at] === 0x2a && bytes[at + 1] === 0x2f) return at + 2
      if (bytes[at] === 0x0a) {
        this.#line++
        this.#lineStart = at + 1
      }
    }
    throw this.#unexpectedAt(limit, "the end of a comment, '*/'")
  }

  #duplicate(): EngineError {
    return this.error(`Duplicate field '${this.text().slice(0, 256)}'`)
  }

  #unrecognized(start: number): EngineError {
    let end = start
    while (end < this.#limit && end < start + 64 && isWord(this.bytes[end]!)) end++
    const word = jsonText(this.bytes, start, end, false)
    return this.error(
      `Unrecognized token '${word}': was expecting (JSON String, Number, Array, Object or token ` +
        "'null', 'true' or 'false')",
    )
  }

  #unexpectedAt(at: number, expected: string): EngineError {
    this.#at = Math.min(at, this.#limit)
    return this.#unexpected(at < this.#limit ? this.bytes[at]! : -1, expected)
  }

  #unexpected(byte: number, expected: string): EngineError {
    const line = this.#line
    const column = this.#at - this.#lineStart + 1
    if (byte === -1) {
      const empty = this.#at === this.#base ? ' (nothing to parse)' : ''
      const reason = `Unexpected end-of-input${empty}: was expecting ${expected}`
      return parseError(reason, line, column, 'json_e_o_f_exception')
    }
    const shown = byte > 0x20 && byte < 0x7f ? `'${String.fromCharCode(byte)}' ` : ''
    return parseError(
      `Unexpected character (${shown}(code ${byte})): was expecting ${expected}`,
      line,
      column,
    )
  }
}

/** Of buffers: that of other arrays, which is no `memchr`, takes twenty times as long. */
const { indexOf } = Buffer.prototype

/** The next offset of a byte, from one on; the input's length: it has no more. */
function nextOf(bytes: Uint8Array, byte: number, from: number): number {
  const at = indexOf.call(bytes as Buffer, byte, from)
  return at < 0 ? bytes.length : at
}

function parseError(
  reason: string,
  line: number,
  column: number,
  type: 'json_parse_exception' | 'json_e_o_f_exception' = 'json_parse_exception',
): EngineError {
  return new EngineError({
    type,
    reason: `${reason}; at [line: ${line}, column: ${column}]`,
    extra: { line, col: column },
  })
}

/**
 * Letters, digits, `_`, `$` and all non-ASCII: bytes that would extend a literal to a longer word.
 */
function isWord(byte: number): boolean {
  const lower = byte | 0x20
  return (
    (lower >= 0x61 && lower <= 0x7a) ||
    isDigit(byte) ||
    byte === 0x5f ||
    byte === 0x24 ||
    byte >= 0x80
  )
}

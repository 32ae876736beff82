/**
 * A pull tokenizer over the UTF-8 bytes of one JSON value (RFC 8259, nothing beyond it): the caller
 * asks for the next token and reads its byte range in place, so a document is walked without an
 * object or a string per token. Everything is checked on the way: the grammar, the UTF-8 of strings
 * (outside of strings only ASCII is grammatical), duplicate names, depth and lengths.
 *
 * Lines and columns count from 1, columns in bytes, as the real server's parser counts them.
 */
import { randomBytes } from 'node:crypto'
import { EngineError } from '../errors.ts'

/** What `JsonReader.next` answers. */
export type JsonToken = (typeof JSON_TOKENS)[keyof typeof JSON_TOKENS]

/** The kinds of token; `end` comes once the value is complete and only blanks follow it. */
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

/** How large a JSON value may be. */
export interface JsonLimits {
  /** Objects and arrays within each other. */
  readonly depth: number
  /** UTF-8 bytes of a field name as written. */
  readonly nameLength: number
  /** UTF-8 bytes of a string as written. */
  readonly stringLength: number
  /** Digits, sign, point and exponent of a number as written. */
  readonly numberLength: number
}

/** The limits that the node's API holds (`StreamReadConstraints` of the real server's parser). */
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

/** Bytes that a string can hold as they stand, one at a time: printable ASCII but `"` and `\`. */
const PLAIN = new Uint8Array(256)
for (let b = 0x20; b < 0x80; b++) PLAIN[b] = b === 0x22 || b === 0x5c ? 0 : 1

/** From this many names on, an object's names are looked up in the table and not one by one. */
const NAMES_IN_A_ROW = 12

/** Unknown to whoever writes the input, so that names cannot be made to collide. */
const HASH_SEED = randomBytes(4).readInt32LE(0)

/**
 * Reads one JSON value after the other; an instance is reused by `reset`. The fields describe the
 * token that `next` answered last and are overwritten by the following call.
 */
export class JsonReader {
  /** The input; never written. */
  bytes: Uint8Array
  /**
   * The token's first byte: behind the quote for names and strings, else of the token itself.
   */
  start = 0
  /** Behind the token's last byte: at the closing quote for names and strings. */
  end = 0
  /** A name or string that holds an escape, so that its bytes are not its text. */
  hasEscapes = false
  /** A name or string whose bytes as written are all below 0x80. */
  isAscii = false
  /** A number without fraction and exponent. */
  isInteger = false
  /** Open objects and arrays around the next token. */
  depth = 0

  readonly #limits: JsonLimits
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
  /** For each open object: the first of its names on the stack of names, and its serial number. */
  readonly #firstName: Int32Array
  readonly #objectId: Int32Array
  #objectCount = 0
  // The stack of the names of all open objects.
  #nameStart = new Int32Array(64)
  #nameEnd = new Int32Array(64)
  #nameHash = new Int32Array(64)
  #nameEscaped = new Uint8Array(64)
  #nameCount = 0
  // Names of objects with many: (object, place on the stack + 1), open addressing.
  #tableObject = new Int32Array(64)
  #tableName = new Int32Array(64)
  #tableUsed = 0

  constructor(limits: JsonLimits = JSON_LIMITS) {
    this.#limits = limits
    this.bytes = new Uint8Array(0)
    this.#containers = new Uint8Array(limits.depth + 1)
    this.#firstName = new Int32Array(limits.depth + 1)
    this.#objectId = new Int32Array(limits.depth + 1)
  }

  /** Starts over at `bytes[start, end)`, which must hold one value and blanks around it. */
  reset(bytes: Uint8Array, start = 0, end: number = bytes.length): void {
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
    this.#nameCount = 0
    this.#objectCount = 0
    if (this.#tableUsed > 0) {
      // A table that one large document left behind is not kept, and not swept for each small one.
      if (this.#tableObject.length > 4096) {
        this.#tableObject = new Int32Array(64)
        this.#tableName = new Int32Array(64)
      } else this.#tableObject.fill(0)
      this.#tableUsed = 0
    }
  }

  /** Line of the last token, from 1. */
  get line(): number {
    return this.#tokenLine
  }

  /** Column of the last token's first byte, from 1. */
  get column(): number {
    return this.#tokenColumn
  }

  /** Where reading goes on: behind the last token, its closing quote or a name's colon. */
  get position(): number {
    return this.#at
  }

  /**
   * Moves to the next token.
   * @throws {EngineError} `json_parse_exception` with line and column: not JSON, or past a limit
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

  /** After `objectStart` or `arrayStart`: moves to the token that closes it. */
  skipChildren(): void {
    const depth = this.depth - 1
    while (this.depth > depth) this.next()
  }

  /** Text of the last name, string or number; what the escapes name is filled in. */
  text(): string {
    return this.#textOf(this.start, this.end, this.hasEscapes)
  }

  /**
   * Writes the UTF-8 bytes of the last name or string, escapes filled in, to `target` from `at` on.
   * They are never more than `end - start`. A lone surrogate becomes U+FFFD.
   * @returns the place behind the last byte written
   */
  unescapeInto(target: Uint8Array, at: number): number {
    return fillEscapes(this.bytes, this.start, this.end, target, at)
  }

  /** The error of a reader's caller that finds something else than it can use at the last token. */
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
    if (container === IN_OBJECT) {
      this.#firstName[depth] = this.#nameCount
      this.#objectId[depth] = ++this.#objectCount
    }
  }

  #close(container: number, byte: number): JsonToken {
    const isObject = byte === 0x7d
    if (isObject !== (container === IN_OBJECT))
      throw this.#unexpected(byte, isObject ? "closing ']'" : "closing '}'")
    if (isObject) this.#nameCount = this.#firstName[this.depth]!
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
    this.#rememberName()
    const colon = this.#skipBlanks()
    if (colon !== 0x3a) throw this.#unexpected(colon, 'a colon to separate field name and value')
    this.#at++
    this.#state = EXPECT_VALUE
    return JSON_TOKENS.name
  }

  /** Reads a string whose opening quote is at `#at`, checks its UTF-8, and stops behind it. */
  #string(): void {
    const bytes = this.bytes
    const limit = this.#limit
    const start = this.#at + 1
    let at = start
    let escapes = false
    let ascii = true
    for (;;) {
      while (at < limit && PLAIN[bytes[at]!] === 1) at++
      if (at >= limit) {
        this.#at = limit
        throw parseError(
          'Unexpected end-of-input in a string: was expecting closing quote',
          this.#line,
          at - this.#lineStart + 1,
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

  /** Checks the escape whose backslash is at `at`; returns the place behind it. */
  #escape(at: number): number {
    const kind = at + 1 < this.#limit ? this.bytes[at + 1]! : -1
    switch (kind) {
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

  /** Holds the last name against those of the same object and notes it. */
  #rememberName(): void {
    let hash = HASH_SEED
    if (this.hasEscapes) {
      const scratch = new Uint8Array(this.end - this.start)
      const length = this.unescapeInto(scratch, 0)
      for (let i = 0; i < length; i++) hash = mix(hash, scratch[i]!)
    } else {
      const bytes = this.bytes
      for (let i = this.start; i < this.end; i++) hash = mix(hash, bytes[i]!)
    }
    const first = this.#firstName[this.depth]!
    const count = this.#nameCount - first
    const index = this.#nameCount
    if (index === this.#nameStart.length) this.#growNames()
    this.#nameStart[index] = this.start
    this.#nameEnd[index] = this.end
    this.#nameHash[index] = hash
    this.#nameEscaped[index] = this.hasEscapes ? 1 : 0
    if (count < NAMES_IN_A_ROW) {
      for (let i = first; i < index; i++) {
        if (this.#nameHash[i] === hash && this.#isSameName(i, index)) throw this.#duplicate()
      }
    } else {
      const objectId = this.#objectId[this.depth]!
      if (count === NAMES_IN_A_ROW)
        for (let i = first; i < index; i++) this.#addToTable(objectId, i)
      this.#addToTable(objectId, index)
    }
    this.#nameCount++
  }

  #addToTable(objectId: number, index: number): void {
    if (this.#tableUsed * 2 >= this.#tableObject.length) this.#growTable()
    const mask = this.#tableObject.length - 1
    const hash = this.#nameHash[index]!
    let at = spread(hash, objectId) & mask
    while (this.#tableObject[at] !== 0) {
      if (this.#tableObject[at] === objectId) {
        const other = this.#tableName[at]!
        if (this.#nameHash[other] === hash && this.#isSameName(other, index))
          throw this.#duplicate()
      }
      at = (at + 1) & mask
    }
    this.#tableObject[at] = objectId
    this.#tableName[at] = index
    this.#tableUsed++
  }

  #growTable(): void {
    const objects = this.#tableObject
    const names = this.#tableName
    this.#tableObject = new Int32Array(objects.length * 2)
    this.#tableName = new Int32Array(objects.length * 2)
    const mask = this.#tableObject.length - 1
    // Only the entries of objects that are still open matter: the stack's hashes are theirs.
    const open = new Set(this.#objectId.subarray(0, this.depth + 1))
    let used = 0
    for (let i = 0; i < objects.length; i++) {
      const objectId = objects[i]!
      if (objectId === 0 || !open.has(objectId)) continue
      let at = spread(this.#nameHash[names[i]!]!, objectId) & mask
      while (this.#tableObject[at] !== 0) at = (at + 1) & mask
      this.#tableObject[at] = objectId
      this.#tableName[at] = names[i]!
      used++
    }
    this.#tableUsed = used
  }

  #growNames(): void {
    const size = this.#nameStart.length * 2
    this.#nameStart = grown(this.#nameStart, size)
    this.#nameEnd = grown(this.#nameEnd, size)
    this.#nameHash = grown(this.#nameHash, size)
    const escaped = new Uint8Array(size)
    escaped.set(this.#nameEscaped)
    this.#nameEscaped = escaped
  }

  #isSameName(a: number, b: number): boolean {
    const aStart = this.#nameStart[a]!
    const aEnd = this.#nameEnd[a]!
    const bStart = this.#nameStart[b]!
    const bEnd = this.#nameEnd[b]!
    if (this.#nameEscaped[a] === 1 || this.#nameEscaped[b] === 1)
      return (
        this.#textOf(aStart, aEnd, this.#nameEscaped[a] === 1) ===
        this.#textOf(bStart, bEnd, this.#nameEscaped[b] === 1)
      )
    if (aEnd - aStart !== bEnd - bStart) return false
    for (let i = 0; i < aEnd - aStart; i++) {
      if (this.bytes[aStart + i] !== this.bytes[bStart + i]) return false
    }
    return true
  }

  #textOf(start: number, end: number, hasEscapes: boolean): string {
    if (!hasEscapes) return decoder.decode(this.bytes.subarray(start, end))
    const scratch = new Uint8Array(end - start)
    const length = fillEscapes(this.bytes, start, end, scratch, 0)
    return decoder.decode(scratch.subarray(0, length))
  }

  /** Passes over blanks and returns the byte that follows, −1 at the end. */
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
        return byte
      }
      at++
    }
    this.#at = at
    return -1
  }

  #duplicate(): EngineError {
    return this.error(`Duplicate field '${this.text().slice(0, 256)}'`)
  }

  #unrecognized(start: number): EngineError {
    let end = start
    while (end < this.#limit && end < start + 64 && isWord(this.bytes[end]!)) end++
    const word = decoder.decode(this.bytes.subarray(start, end))
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
      return parseError(`Unexpected end-of-input${empty}: was expecting ${expected}`, line, column)
    }
    const shown = byte > 0x20 && byte < 0x7f ? `'${String.fromCharCode(byte)}' ` : ''
    return parseError(
      `Unexpected character (${shown}(code ${byte})): was expecting ${expected}`,
      line,
      column,
    )
  }
}

/** Keeps a leading U+FEFF, which is text here and not a mark; the bytes are known to be valid. */
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

function parseError(reason: string, line: number, column: number): EngineError {
  return new EngineError({
    type: 'json_parse_exception',
    reason: `${reason}; at [line: ${line}, column: ${column}]`,
    extra: { line, col: column },
  })
}

function grown(array: Int32Array<ArrayBuffer>, size: number): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(size)
  larger.set(array)
  return larger
}

function mix(hash: number, byte: number): number {
  const h = Math.imul(hash ^ byte, 0x9e3779b1)
  return h ^ (h >>> 15)
}

function spread(hash: number, objectId: number): number {
  const h = Math.imul(hash ^ Math.imul(objectId, 0x85ebca6b), 0xc2b2ae35)
  return h ^ (h >>> 16)
}

function isDigit(byte: number): boolean {
  return byte >= 0x30 && byte <= 0x39
}

/** Letters, digits, `_`, `$` and all beyond ASCII: what would make a longer word of a literal. */
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

/** Value of a hex digit, −1 when it is none. */
function hexDigit(byte: number): number {
  if (isDigit(byte)) return byte - 0x30
  const lower = byte | 0x20
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : -1
}

/**
 * Length of the well-formed UTF-8 sequence of two to four bytes at `at`, 0 when it is not well
 * formed (Unicode, table 3-7: no overlong forms, no surrogates, nothing past U+10FFFF).
 */
function utf8Length(bytes: Uint8Array, at: number, limit: number): number {
  const b0 = bytes[at]!
  if (b0 < 0xc2 || b0 > 0xf4) return 0
  if (at + 1 >= limit) return 0
  const b1 = bytes[at + 1]!
  if ((b1 & 0xc0) !== 0x80) return 0
  if (b0 < 0xe0) return 2
  if (at + 2 >= limit || (bytes[at + 2]! & 0xc0) !== 0x80) return 0
  if (b0 < 0xf0) {
    if (b0 === 0xe0 && b1 < 0xa0) return 0
    if (b0 === 0xed && b1 > 0x9f) return 0
    return 3
  }
  if (b0 === 0xf0 && b1 < 0x90) return 0
  if (b0 === 0xf4 && b1 > 0x8f) return 0
  if (at + 3 >= limit || (bytes[at + 3]! & 0xc0) !== 0x80) return 0
  return 4
}

/** Fills in the escapes of a checked string; see `JsonReader.unescapeInto`. */
function fillEscapes(
  bytes: Uint8Array,
  start: number,
  end: number,
  target: Uint8Array,
  at: number,
): number {
  let from = start
  let to = at
  while (from < end) {
    const byte = bytes[from]!
    if (byte !== 0x5c) {
      target[to++] = byte
      from++
      continue
    }
    const kind = bytes[from + 1]!
    if (kind !== 0x75) {
      target[to++] = SHORT_ESCAPES[kind]!
      from += 2
      continue
    }
    let point = hex4(bytes, from + 2)
    from += 6
    if (point >= 0xd800 && point < 0xe000) {
      const isPair =
        point < 0xdc00 && from + 6 <= end && bytes[from] === 0x5c && bytes[from + 1] === 0x75
      const low = isPair ? hex4(bytes, from + 2) : 0
      if (low >= 0xdc00 && low < 0xe000) {
        point = 0x10000 + ((point - 0xd800) << 10) + (low - 0xdc00)
        from += 6
      } else point = 0xfffd
    }
    if (point < 0x80) target[to++] = point
    else if (point < 0x800) {
      target[to++] = 0xc0 | (point >> 6)
      target[to++] = 0x80 | (point & 0x3f)
    } else if (point < 0x10000) {
      target[to++] = 0xe0 | (point >> 12)
      target[to++] = 0x80 | ((point >> 6) & 0x3f)
      target[to++] = 0x80 | (point & 0x3f)
    } else {
      target[to++] = 0xf0 | (point >> 18)
      target[to++] = 0x80 | ((point >> 12) & 0x3f)
      target[to++] = 0x80 | ((point >> 6) & 0x3f)
      target[to++] = 0x80 | (point & 0x3f)
    }
  }
  return to
}

function hex4(bytes: Uint8Array, at: number): number {
  return (
    (hexDigit(bytes[at]!) << 12) |
    (hexDigit(bytes[at + 1]!) << 8) |
    (hexDigit(bytes[at + 2]!) << 4) |
    hexDigit(bytes[at + 3]!)
  )
}

/** What the letter behind a backslash stands for. */
const SHORT_ESCAPES = new Uint8Array(256)
SHORT_ESCAPES[0x22] = 0x22
SHORT_ESCAPES[0x5c] = 0x5c
SHORT_ESCAPES[0x2f] = 0x2f
SHORT_ESCAPES[0x62] = 0x08
SHORT_ESCAPES[0x66] = 0x0c
SHORT_ESCAPES[0x6e] = 0x0a
SHORT_ESCAPES[0x72] = 0x0d
SHORT_ESCAPES[0x74] = 0x09

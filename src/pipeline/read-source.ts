/** Reads a document's JSON into the values that processors work on. */

import { BigIntegerValue } from '../script/value/big-integer.ts'
import { doubleValue, type ScriptMap, type ScriptValue } from '../script/value/script-value.ts'
import { EngineError } from '../util/errors.ts'
import { JSON_TOKENS, JsonReader, type JsonToken } from '../util/json/json-reader.ts'

const reader = new JsonReader()
const NO_BYTES = new Uint8Array(0)

/** The object being read, a unit a byte: texts of ASCII are slices of it, which costs less than to decode each. */
let units = ''
/** Where it begins in its bytes. */
let base = 0

/**
 * Reads an object.
 * @throws {EngineError} `parse_exception`: no JSON, or no object
 */
export function readSource(bytes: Uint8Array): ScriptMap {
  return readSourceAt(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length), 0, bytes.length)
}

/** The same of the object in `bytes[start, end)`. */
export function readSourceAt(bytes: Buffer, start: number, end: number): ScriptMap {
  try {
    units = bytes.toString('latin1', start, end)
    base = start
    reader.reset(bytes, start, end)
    if (reader.next() !== JSON_TOKENS.objectStart) throw reader.error('not an object')
    const source = readObject()
    reader.next()
    return source
  } catch (error) {
    if (!(error instanceof EngineError)) throw error
    throw new EngineError({
      type: 'parse_exception',
      reason: 'Failed to parse content to map',
      causedBy: error.record,
    })
  } finally {
    reader.reset(NO_BYTES)
    units = ''
  }
}

// Recursion is as deep as the reader lets values be.
function readObject(): ScriptMap {
  const map: ScriptMap = new Map()
  while (reader.next() !== JSON_TOKENS.objectEnd) {
    const name = readText()
    map.set(name, readAny(reader.next()))
  }
  return map
}

function readAny(token: JsonToken): ScriptValue {
  switch (token) {
    case JSON_TOKENS.string:
      return readText()
    case JSON_TOKENS.number:
      return readNumber()
    case JSON_TOKENS.objectStart:
      return readObject()
    case JSON_TOKENS.arrayStart: {
      const list: ScriptValue[] = []
      for (let next = reader.next(); next !== JSON_TOKENS.arrayEnd; next = reader.next())
        list.push(readAny(next))
      return list
    }
    case JSON_TOKENS.null:
      return null
    default:
      return token === JSON_TOKENS.true
  }
}

function readText(): string {
  if (!reader.isAscii) return reader.text()
  const text = units.slice(reader.start - base, reader.end - base)
  if (!reader.hasEscapes) return text
  // Escapes by number may be halves of characters, which the reader replaces.
  return text.includes('\\u') ? reader.text() : JSON.parse(`"${text}"`)
}

function readNumber(): ScriptValue {
  const text = units.slice(reader.start - base, reader.end - base)
  const value = Number(text)
  if (!reader.isInteger) return doubleValue(value)
  if ((value | 0) === value) return value | 0
  const integer = BigInt(text)
  return BigInt.asIntN(64, integer) === integer ? integer : new BigIntegerValue(integer)
}

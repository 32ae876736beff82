import { encode, Token, Tokenizer, Type } from 'cborg'
import { encodeUtf8 } from '../../util/bytes.ts'
import { EngineError } from '../../util/errors.ts'
import { doubleText } from '../../util/json/float-text.ts'
import { JSON_LIMITS } from '../../util/json/json-reader.ts'
import type { JsonNode, JsonNumberNode } from '../../util/json/json-tree.ts'
import { type JsonValue, RawJson } from '../../util/json/json-value.ts'
import { writeJson } from '../../util/json/json-writer.ts'
import type { Transcoder } from './transcoder.ts'

/** Integers of 64 bits, the longest that CBOR has without tags. */
const MIN_INTEGER = -(2n ** 64n)
const MAX_INTEGER = 2n ** 64n - 1n

/** CBOR (RFC 8949): lengths known or not, tags passed over, byte strings as Base64. */
export const cbor: Transcoder = {
  type: 'application/cbor',
  maxRequestBytes: 1 << 20,
  maxResponseDepth: 300,
  toJson(bytes) {
    const tokens = new Tokenizer(bytes, { allowIndefinite: true, allowBigInt: true })
    try {
      const value = jsonOf(tokens, tokens.next(), 0)
      if (!tokens.done()) throw failed('bytes behind the value')
      return writeJson(value)
    } catch (error) {
      // The library throws plain errors at bytes that are none of CBOR.
      throw error instanceof EngineError ? error : failed((error as Error).message)
    }
  },
  fromJson: tree => encode(tree, { typeEncoders: { Object: (node: JsonNode) => tokensOf(node) } }),
}

function jsonOf(tokens: Tokenizer, token: Token, depth: number): JsonValue {
  if (depth > JSON_LIMITS.depth) throw failed(`more than ${JSON_LIMITS.depth} levels`)
  const { type, value } = token
  if (Type.equals(type, Type.map)) return mapOf(tokens, value, depth)
  if (Type.equals(type, Type.array)) return listOf(tokens, value, depth)
  if (Type.equals(type, Type.tag)) return jsonOf(tokens, tokens.next(), depth + 1)
  if (Type.equals(type, Type.bytes)) return Buffer.from(value).toString('base64')
  if (Type.equals(type, Type.null) || Type.equals(type, Type.undefined)) return null
  if (Type.equals(type, Type.break)) throw failed('a break outside of a list')
  if (!Type.equals(type, Type.float)) return value
  if (!Number.isFinite(value)) throw failed(`the number [${value}] has no counterpart in JSON`)
  return new RawJson(encodeUtf8(doubleText(value)))
}

/** @param length Infinity: up to a break */
function mapOf(tokens: Tokenizer, length: number, depth: number): JsonValue {
  const map = new Map<string, JsonValue>()
  for (let i = 0; i < length; i++) {
    const key = nextOf(tokens)
    if (length === Number.POSITIVE_INFINITY && Type.equals(key.type, Type.break)) break
    if (!Type.equals(key.type, Type.string)) throw failed('a key is no text')
    if (map.has(key.value)) throw failed(`duplicate key [${key.value}]`)
    map.set(key.value, jsonOf(tokens, nextOf(tokens), depth + 1))
  }
  return map
}

/** @param length Infinity: up to a break */
function listOf(tokens: Tokenizer, length: number, depth: number): JsonValue {
  const items: JsonValue[] = []
  for (let i = 0; i < length; i++) {
    const token = nextOf(tokens)
    if (length === Number.POSITIVE_INFINITY && Type.equals(token.type, Type.break)) break
    items.push(jsonOf(tokens, token, depth + 1))
  }
  return items
}

function nextOf(tokens: Tokenizer): Token {
  if (tokens.done()) throw failed('it ends within a value')
  return tokens.next()
}

type Tokens = Token | readonly Tokens[]

function tokensOf(node: JsonNode): never {
  return nested(node) as never
}

function nested(node: JsonNode): Tokens {
  switch (node.kind) {
    case 'object':
      return [
        new Token(Type.map, node.entries.length),
        ...node.entries.map(({ key, value }) => [new Token(Type.string, key), nested(value)]),
      ]
    case 'array':
      return [new Token(Type.array, node.items.length), ...node.items.map(nested)]
    case 'string':
      return new Token(Type.string, node.value)
    case 'number':
      return numberOf(node)
    case 'boolean':
      return new Token(node.value ? Type.true : Type.false, node.value)
    case 'null':
      return new Token(Type.null, null)
  }
}

function numberOf({ text, value }: JsonNumberNode): Token {
  const integer = /^-?\d+$/.test(text) ? BigInt(text) : null
  if (integer === null || integer < MIN_INTEGER || integer > MAX_INTEGER)
    return new Token(Type.float, value)
  const number = Number.isSafeInteger(value) ? value : integer
  return new Token(integer < 0n ? Type.negint : Type.uint, number)
}

function failed(message: string): EngineError {
  return new EngineError({ type: 'parse_exception', reason: `Failed to parse CBOR: ${message}` })
}

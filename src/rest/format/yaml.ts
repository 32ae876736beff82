import {
  Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  Pair,
  Parser,
  parseDocument,
  Scalar,
  YAMLMap,
  YAMLSeq,
} from 'yaml'
import { decodeUtf8, encodeUtf8 } from '../../util/bytes.ts'
import { EngineError } from '../../util/errors.ts'
import { doubleText } from '../../util/json/float-text.ts'
import { JSON_LIMITS } from '../../util/json/json-reader.ts'
import type { JsonNode, JsonNumberNode } from '../../util/json/json-tree.ts'
import { type JsonValue, RawJson } from '../../util/json/json-value.ts'
import { writeJson } from '../../util/json/json-writer.ts'
import type { Transcoder } from './transcoder.ts'

/** A number as both formats write it. */
const JSON_NUMBER = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/

/** YAML 1.2 with its core schema: one document, without aliases. */
export const yaml: Transcoder = {
  type: 'application/yaml',
  maxRequestBytes: 256 << 10,
  maxResponseDepth: 300,
  toJson(bytes) {
    const document = parse(decodeUtf8(bytes))
    const [error] = document.errors
    if (error !== undefined) throw failed(error.message)
    return writeJson(jsonOf(document.contents, 0))
  },
  fromJson(tree) {
    const document = new Document(nodeOf(tree), { version: '1.2' })
    const text = document.toString({
      defaultStringType: 'QUOTE_DOUBLE',
      defaultKeyType: 'PLAIN',
      indentSeq: false,
      lineWidth: 0,
    })
    return encodeUtf8(`---\n${text}`)
  },
}

function parse(text: string): ReturnType<typeof parseDocument> {
  // The library composes by recursion. A pattern that the virtual machine compiles where the stack is nearly used up
  // ends the process, so that no error could be caught.
  checkDepth(text)
  try {
    // Names are compared here: the library compares each with all before it.
    return parseDocument(text, {
      schema: 'core',
      intAsBigInt: true,
      uniqueKeys: false,
      logLevel: 'error',
    })
  } catch (error) {
    throw failed(error instanceof Error ? error.message : String(error))
  }
}

/** A token of the library's, as far as nesting goes. */
interface NestedToken {
  readonly value?: NestedToken
  readonly items?: readonly { readonly key?: NestedToken | null; readonly value?: NestedToken }[]
}

/** Holds the levels of a text against the limit, without recursion. */
function checkDepth(text: string): void {
  let level = [...new Parser().parse(text)] as NestedToken[]
  for (let depth = 0; level.length > 0; depth++) {
    // The document is a level of its own.
    if (depth > JSON_LIMITS.depth + 1) throw failed(`more than ${JSON_LIMITS.depth} levels`)
    level = level.flatMap(({ value, items = [] }) => {
      const inner = items.flatMap(item => [item.key, item.value])
      return [value, ...inner].filter(each => typeof each === 'object' && each !== null)
    })
  }
}

function jsonOf(node: unknown, depth: number): JsonValue {
  if (depth > JSON_LIMITS.depth) throw failed(`more than ${JSON_LIMITS.depth} levels`)
  if (node === null) return null
  if (isAlias(node)) throw failed(`the alias [*${node.source}] is not supported`)
  if (isSeq(node)) return node.items.map(item => jsonOf(item, depth + 1))
  if (isScalar(node)) return scalarOf(node)
  if (!isMap(node)) throw failed('a node of no known kind')
  const map = new Map<string, JsonValue>()
  for (const { key, value } of node.items) {
    if (!isScalar(key)) throw failed('a key is no scalar')
    const name = typeof key.value === 'string' ? key.value : (key.source ?? '')
    if (map.has(name)) throw failed(`duplicate key [${name}]`)
    map.set(name, jsonOf(value, depth + 1))
  }
  return map
}

function scalarOf({ value, source }: Scalar): JsonValue {
  if (typeof value === 'string' || typeof value === 'boolean' || value === null) return value
  if (typeof value === 'bigint') return value
  if (typeof value !== 'number') throw failed(`[${source}] has no counterpart in JSON`)
  if (source !== undefined && JSON_NUMBER.test(source)) return new RawJson(encodeUtf8(source))
  if (Number.isFinite(value)) return new RawJson(encodeUtf8(doubleText(value)))
  throw failed(`the number [${source}] has no counterpart in JSON`)
}

function nodeOf(node: JsonNode): YAMLMap | YAMLSeq | Scalar {
  switch (node.kind) {
    case 'object': {
      const map = new YAMLMap()
      for (const { key, value } of node.entries)
        map.items.push(new Pair(new Scalar(key), nodeOf(value)))
      return map
    }
    case 'array': {
      const seq = new YAMLSeq()
      seq.items = node.items.map(nodeOf)
      return seq
    }
    case 'number':
      return numberOf(node)
    case 'null':
      return new Scalar(null)
    case 'string':
    case 'boolean':
      return new Scalar(node.value)
  }
}

/** A number with all its digits, and with its fraction where that is 0. */
function numberOf({ text, value }: JsonNumberNode): Scalar {
  if (/^-?\d+$/.test(text)) return new Scalar(BigInt(text))
  const scalar = new Scalar(value)
  if (Number.isInteger(value)) scalar.minFractionDigits = 1
  return scalar
}

function failed(message: string): EngineError {
  const [line] = message.split('\n')
  return new EngineError({ type: 'parse_exception', reason: `Failed to parse YAML: ${line}` })
}

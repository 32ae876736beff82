/** The parameters that several field types share. */

import { EngineError } from '../../util/errors.ts'
import type { JsonNode } from '../../util/json/json-tree.ts'
import { Float32 } from '../../util/json/json-value.ts'
import { describeNode, nodeToJson } from '../json-conversion.ts'
import { mapperParsingError } from '../mapping-errors.ts'
import type { ParameterRule } from './field-kind.ts'
import { booleanParameter, type FieldParameter, parameter } from './field-parameter.ts'
import { javaDecimal } from './number-text.ts'

/** How matches of terms are scored: the name of a similarity. */
export const similarity: FieldParameter = parameter('similarity', null, describeNode)

/**
 * Checks that the similarity that a field names is there.
 * @throws {EngineError} `mapper_parsing_exception`
 */
export const checkSimilarity: ParameterRule = (name, given, names) => {
  const similarity = given.get('similarity')
  if (typeof similarity === 'string' && !names.hasSimilarity(similarity))
    throw mapperParsingError(`Unknown Similarity type [${similarity}] for field [${name}]`)
}

/** A factor of the scores of whole terms, as `float`; deprecated. */
export const boost: FieldParameter = parameter(
  'boost',
  new Float32(1),
  node => {
    const text = describeNode(node)
    const value = javaDecimal(text)
    if (value !== null) return new Float32(value)
    throw new EngineError({
      type: 'number_format_exception',
      reason: text.trim() === '' ? 'empty String' : `For input string: "${text}"`,
    })
  },
  { updateable: true },
)

/** `boost` of types that have none: taken, neither kept nor printed. */
export const boostWithoutEffect: FieldParameter = parameter('boost', null, node =>
  describeNode(node),
)

/** Notes of the mapping's author: up to five short texts. */
export const meta: FieldParameter = parameter(
  'meta',
  null,
  (node, field) => {
    if (node.kind !== 'object')
      throw mapperParsingError(
        `[meta] must be an object, got ${javaKind(node)} for field [${field}]`,
      )
    if (node.entries.length > 5)
      throw mapperParsingError(
        `[meta] can't have more than 5 entries, but got ${node.entries.length} on field [${field}]`,
      )
    for (const { key, value } of node.entries) {
      if (key.length > 20)
        throw mapperParsingError(
          `[meta] keys can't be longer than 20 chars, but got [${key}] for field [${field}]`,
        )
      if (value.kind !== 'string')
        throw mapperParsingError(
          `[meta] values can only be strings, but got ${javaKind(value)}[${describeNode(value)}] ` +
            `for field [${field}]`,
        )
      if (value.value.length > 50)
        throw mapperParsingError(
          `[meta] values can't be longer than 50 chars, but got [${value.value}] ` +
            `for field [${field}]`,
        )
    }
    return nodeToJson(node, true)
  },
  { updateable: true },
)

function javaKind(node: JsonNode): string {
  return node.kind === 'number' ? 'Number' : node.kind.charAt(0).toUpperCase() + node.kind.slice(1)
}

/** A value that stands for an explicit null. */
export const nullValue: FieldParameter = parameter('null_value', null, node => {
  if (node.kind === 'object' || node.kind === 'array')
    throw mapperParsingError(`[null_value] must be a single value, got [${describeNode(node)}]`)
  return nodeToJson(node)
})

/** Whether the field is kept for searches: as terms, or as points. */
export const index: FieldParameter = booleanParameter('index', true)
/** Whether the values are kept by document: for sorts, and for searches without an index. */
export const docValues: FieldParameter = booleanParameter('doc_values', true)
/** Whether values can be read one by one, also where the mapping drops them from sources (`stored-part.ts`). */
export const store: FieldParameter = booleanParameter('store', false)
/** Whether a document with a malformed value is kept, without the value. */
export const ignoreMalformed: FieldParameter = booleanParameter('ignore_malformed', false, {
  updateable: true,
  printsDefault: true,
})
/** Whether texts stand for numbers, and fractions are cut off. */
export const coerce: FieldParameter = booleanParameter('coerce', true, {
  updateable: true,
  printsDefault: true,
})
/** A skip list over doc values; taken and passed over. */
export const skipList: FieldParameter = booleanParameter('skip_list', false)

/** The parameters of number types without any of their own, in the order in which mappings print them. */
export const NUMBER_PARAMETERS: readonly FieldParameter[] = [
  index,
  docValues,
  store,
  skipList,
  ignoreMalformed,
  coerce,
  nullValue,
  meta,
]

/**
 * `rank_feature` and `rank_features`: positive numbers that scores may be made of. A feature is a term
 * whose frequency holds its number: the upper 17 of the 32 bits of a float, which keep its order.
 */
import type { ErrorRecord } from '../../util/errors.ts'
import { JSON_TOKENS, type JsonToken } from '../../util/json/json-reader.ts'
import type { JsonNode } from '../../util/json/json-tree.ts'
import type { FeatureStorage } from '../field-storage.ts'
import type { LeafValues } from '../leaf-values.ts'
import type { FieldKind } from './field-kind.ts'
import { booleanParameter } from './field-parameter.ts'
import type { MappedField } from './mapped-field.ts'
import { javaDecimal, javaText } from './number-text.ts'
import { meta } from './shared-parameters.ts'

/** The names of the types of features. */
export type FeatureTypeName = 'rank_feature' | 'rank_features'

/** A field of features. */
export interface FeatureField<T extends FeatureTypeName = FeatureTypeName> extends MappedField {
  readonly type: T
  /** Whether scores grow with a feature; if not, its inverse is kept. */
  readonly scoresGrow: boolean
}

/** The lowest float with all its digits. */
const MIN_NORMAL = 1.17549435e-38

const float = new Float32Array(1)
const bits = new Uint32Array(float.buffer)

const STORAGE: FeatureStorage = {
  kind: 'features',
  indexOptions: 'freqs',
  hasNorms: false,
  docValues: 'none',
}

/** The field type `rank_feature`: one number a document. */
export const rankFeature: FieldKind<FeatureField<'rank_feature'>> = {
  parameters: [booleanParameter('positive_score_impact', true), meta],
  rules: [],
  build: (name, values) => ({
    name,
    type: 'rank_feature',
    indexed: true,
    parameters: values.given,
    scoresGrow: values.flag('positive_score_impact'),
  }),
  storage: () => STORAGE,
  addValue(field, ordinal, token, values) {
    if (token === JSON_TOKENS.null) return
    const refuse = (problem: ErrorRecord): never => {
      throw values.valueError(field, token, problem)
    }
    const value = scalarNumber(token, values) ?? refuse(notANumber(values.reader.text()))
    if (!isFirst(values, ordinal, field.name))
      refuse(
        refused(
          '[rank_feature] fields do not support indexing multiple values for the same field ' +
            `[${field.name}] in the same document`,
        ),
      )
    addFeature(field, ordinal, field.name, value, values, refuse)
  },
  refuseObject(field, values) {
    throw values.skipObject(field, notANumber('START_OBJECT'))
  },
}

/** The field type `rank_features`: numbers by name. */
export const rankFeatures: FieldKind<FeatureField<'rank_features'>> = {
  parameters: [booleanParameter('positive_score_impact', true), meta],
  rules: [],
  build: (name, values) => ({
    name,
    type: 'rank_features',
    indexed: true,
    parameters: values.given,
    scoresGrow: values.flag('positive_score_impact'),
  }),
  storage: () => STORAGE,
  addValue(field, _ordinal, token, values) {
    throw values.valueError(
      field,
      token,
      refused(
        '[rank_features] fields must be json objects, expected a START_OBJECT but got: ' +
          tokenName(token),
      ),
    )
  },
  // In the real server its multi-fields get nothing.
  textsOf: () => [],
  addObject(field, ordinal, values) {
    const tree = values.takeTree()
    const refuse = (problem: ErrorRecord): never => {
      throw values.nodeError(field, tree, problem)
    }
    const entries = tree.kind === 'object' ? tree.entries : []
    for (const { key, value } of entries) {
      if (value.kind === 'null') continue
      const number = nodeNumber(value)
      if (number === undefined)
        return refuse(
          refused(
            '[rank_features] fields take hashes that map a feature to a strictly positive float, ' +
              `but got unexpected token ${nodeName(value)}`,
          ),
        )
      if (!isFirst(values, ordinal, key))
        refuse(
          refused(
            '[rank_features] fields do not support indexing multiple values for the same rank ' +
              `feature [${field.name}.${key}] in the same document`,
          ),
        )
      addFeature(
        field,
        ordinal,
        key,
        number ?? refuse(notANumber(value.kind === 'string' ? value.value : '')),
        values,
        refuse,
      )
    }
  },
}

/** Adds a feature, its number in the bits that a frequency has. */
function addFeature(
  { scoresGrow }: FeatureField,
  ordinal: number,
  name: string,
  value: number,
  values: LeafValues,
  refuse: (problem: ErrorRecord) => never,
): void {
  float[0] = scoresGrow ? value : 1 / value
  const held = float[0]!
  const where = `for feature ${name} on field _feature`
  if (!Number.isFinite(held)) refuse(refused(`featureValue must be finite, got: ${held} ${where}`))
  if (held < MIN_NORMAL)
    refuse(
      refused(
        `featureValue must be a positive normal float, got: ${javaText(held)} ${where} which is ` +
          'less than the minimum positive normal float: 1.17549435E-38',
      ),
    )
  values.addFeature(ordinal, name, bits[0]! >>> 15)
}

/** Null for text that is no number, and for what is neither. */
function scalarNumber(token: JsonToken, { reader }: LeafValues): number | null {
  if (token === JSON_TOKENS.number) return Number(reader.text())
  return token === JSON_TOKENS.string ? javaDecimal(reader.text()) : null
}

/** Null for text that is no number; undefined for what is neither. */
function nodeNumber(node: JsonNode): number | null | undefined {
  if (node.kind === 'number') return node.value
  return node.kind === 'string' ? javaDecimal(node.value) : undefined
}

/** Whether the document had none of that feature before; it has one now. */
function isFirst({ document }: LeafValues, ordinal: number, feature: string): boolean {
  const { onceKeys } = document
  const before = onceKeys.size
  // Each nested object is a document of its own.
  const own = document.nested?.current ?? 0
  return onceKeys.add(`${own} ${ordinal} ${feature}`).size > before
}

function refused(reason: string): ErrorRecord {
  return { type: 'illegal_argument_exception', reason }
}

function notANumber(text: string): ErrorRecord {
  return { type: 'number_format_exception', reason: `For input string: "${text}"` }
}

function tokenName(token: JsonToken): string {
  switch (token) {
    case JSON_TOKENS.string:
      return 'VALUE_STRING'
    case JSON_TOKENS.number:
      return 'VALUE_NUMBER'
    case JSON_TOKENS.true:
      return 'VALUE_TRUE'
    case JSON_TOKENS.false:
      return 'VALUE_FALSE'
    default:
      return 'VALUE_NULL'
  }
}

function nodeName(node: JsonNode): string {
  switch (node.kind) {
    case 'object':
      return 'START_OBJECT'
    case 'array':
      return 'START_ARRAY'
    case 'boolean':
      return node.value ? 'VALUE_TRUE' : 'VALUE_FALSE'
    case 'string':
      return 'VALUE_STRING'
    case 'number':
      return 'VALUE_NUMBER'
    case 'null':
      return 'VALUE_NULL'
  }
}

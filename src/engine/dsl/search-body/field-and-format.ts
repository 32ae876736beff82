import { IllegalArgumentError } from '../../../util/errors.ts'
import type { JsonNode } from '../../../util/json/json-tree.ts'
import { type DeclaredOption, readDeclared } from '../declared-options.ts'
import { readText, scalarText } from '../json-scalars.ts'
import { parsingError, tokenName } from '../parse-error.ts'

/** A field, or a pattern of fields, and the format of its values; null: their own. */
export interface FieldAndFormat {
  readonly field: string
  readonly format: string | null
}

/**
 * Reads a list of names, patterns and objects `{ field, format }`.
 * @param key names it in errors
 * @throws {EngineError} 400: no such list
 */
export function readFieldsAndFormats(node: JsonNode, key: string): readonly FieldAndFormat[] {
  if (node.kind !== 'array')
    throw parsingError(
      node,
      `Expected [START_ARRAY] in [${key}] but found [${tokenName(node.kind)}]`,
    )
  return node.items.map(readFieldAndFormat)
}

function readFieldAndFormat(node: JsonNode): FieldAndFormat {
  if (node.kind !== 'object') return { field: readText(node), format: null }
  let field: string | null = null
  let format: string | null = null
  readDeclared(
    'docvalues_field',
    node,
    new Map<string, DeclaredOption>([
      ['field', { takes: ['string'], read: value => (field = readText(value)) }],
      ['format', { takes: ['string', 'null'], read: value => (format = scalarText(value)) }],
    ]),
  )
  if (field === null) throw new IllegalArgumentError('Required [field]')
  return { field, format }
}

/** `alias`: another name of a field, for searches. */
import { IllegalArgumentError } from '../util/errors.ts'
import { type JsonObjectNode, jsonEntry } from '../util/json/json-tree.ts'
import type { ValueTaker } from './field-type/field-kind.ts'
import type { MappedField } from './field-type/mapped-field.ts'
import type { FieldAlias, MappingEntry } from './field-type.ts'
import { describeNode } from './json-conversion.ts'
import { mapperParsingError } from './mapping-errors.ts'

/** Tells an alias from what it may stand beside. */
export function isFieldAlias(entry: MappingEntry): entry is FieldAlias {
  return 'type' in entry && entry.type === 'alias'
}

/**
 * Reads an alias.
 * @param name full path
 * @throws {EngineError} `mapper_parsing_exception`: no path, or another parameter
 */
export function parseFieldAlias(node: JsonObjectNode, name: string, shortName: string): FieldAlias {
  for (const { key } of node.entries)
    if (key !== 'type' && key !== 'path')
      throw mapperParsingError(
        `unknown parameter [${key}] on mapper [${shortName}] of type [alias]`,
      )
  const given = jsonEntry(node, 'path')?.value ?? null
  const path = given === null || given.kind === 'null' ? '' : describeNode(given)
  if (path === '')
    throw mapperParsingError(`The [path] property must be specified for field [${shortName}].`)
  return { name, type: 'alias', indexed: false, parameters: new Map([['path', path]]), path }
}

/** How a document's values go into an alias: not at all. */
export const REFUSING_WRITES: ValueTaker<MappedField> = {
  addValue: ({ name }) => {
    throw cannotWrite(name)
  },
  refuseObject: ({ name }) => {
    throw cannotWrite(name)
  },
}

function cannotWrite(name: string): IllegalArgumentError {
  return new IllegalArgumentError(`Cannot write to a field alias [${name}].`)
}

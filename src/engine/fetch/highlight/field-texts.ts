import type { FieldType } from '../../../schema/field-type.ts'
import { sourcePaths, valuesAt } from '../../../schema/source-values.ts'
import { decodeUtf8 } from '../../../util/bytes.ts'
import { Float32, Float64, type JsonValue } from '../../../util/json/json-value.ts'
import { writeJson } from '../../../util/json/json-writer.ts'
import type { NamedDerivedField } from '../../dsl/derived/derived-field.ts'
import type { QueryContext } from '../../dsl/query-context.ts'
import type { FetchedDocument } from '../fetch-part.ts'
import { printedDerived } from '../field-value/derived.ts'
import { fieldValue } from '../field-value/field-values.ts'

/**
 * The values of a field as texts, as documents' sources or stored fields have them.
 * @param forcesSource what the mapping leaves out of the source is not there, though it is stored
 */
export function fieldTexts(
  field: FieldType,
  context: QueryContext,
  forcesSource: boolean,
): (document: FetchedDocument) => readonly string[] {
  const { takesLists, source } = fieldValue(field.type)
  const paths = sourcePaths(field, context.mapping)
  const print = source(field, null, context)
  const isStored = !forcesSource && field.parameters.get('store') === true
  return document => {
    const root = isStored ? document.storedTree() : document.tree()
    if (root === null) return []
    const nodes = paths.flatMap(path => valuesAt(root, path, takesLists))
    // As they were indexed, which offsets follow.
    if (paths.length > 1) nodes.sort((a, b) => a.line - b.line || a.col - b.col)
    return nodes.flatMap(node => {
      const printed = print(node)
      if (printed === undefined) return []
      return Array.isArray(printed) && takesLists ? printed.map(textOf) : [textOf(printed)]
    })
  }
}

/**
 * The values of a derived field as texts.
 * @throws {EngineError} the script does not compile
 */
export function derivedTexts(
  field: NamedDerivedField,
  context: QueryContext,
): (document: FetchedDocument) => readonly string[] {
  const { print } = printedDerived(field, null, context)
  return document => print(document).map(textOf)
}

function textOf(value: JsonValue): string {
  if (typeof value === 'string') return value
  if (value instanceof Float64 || value instanceof Float32) return String(value.value)
  return value !== null && typeof value === 'object' ? decodeUtf8(writeJson(value)) : String(value)
}

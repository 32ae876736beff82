/** Fields with `store: true`, read from the source or from what a segment keeps beside one (`schema/stored-part.ts`). */
import type { Mapping } from '../../schema/mapping.ts'
import { sourcePaths, valuesAt } from '../../schema/source-values.ts'
import { IllegalArgumentError } from '../../util/errors.ts'
import type { JsonNode } from '../../util/json/json-tree.ts'
import type { JsonValue } from '../../util/json/json-value.ts'
import { showsValues } from '../dsl/field/masked-field.ts'
import type { SourcePrinter, ValueContext } from './field-value/field-value.ts'
import { fieldValue } from './field-value/field-values.ts'

/** A field of which a document's values print. */
export interface PrintedField {
  /** As the request named it: an alias keeps its name. */
  readonly name: string
  readonly paths: readonly string[]
  readonly takesLists: boolean
  readonly print: SourcePrinter
}

/**
 * The stored fields that names and patterns mean.
 * @throws {IllegalArgumentError} a name of an object
 */
export function storedFieldsOf(
  names: readonly string[],
  mapping: Mapping,
  context: ValueContext,
): readonly PrintedField[] {
  const found = new Map<string, PrintedField>()
  for (const name of names) {
    if (name !== '' && mapping.object(name) !== null)
      throw new IllegalArgumentError(`field [${name}] isn't a leaf field`)
    for (const each of mapping.namesLike(name)) {
      const field = mapping.field(each)
      if (field?.parameters.get('store') !== true || !showsValues(field, context)) continue
      const values = fieldValue(field.type)
      found.set(each, {
        name: each,
        paths: sourcePaths(field, mapping),
        takesLists: values.takesLists,
        print: values.source(field, null, context),
      })
    }
  }
  return [...found.values()]
}

/** The values of fields that a document has, each a list; a field without is left out. */
export function sourceValues(
  fields: readonly PrintedField[],
  source: JsonNode,
  ignored: readonly string[],
): ReadonlyMap<string, readonly JsonValue[]> {
  const found = new Map<string, readonly JsonValue[]>()
  for (const { name, paths, takesLists, print } of fields) {
    if (ignored.includes(name)) continue
    const values = paths
      .flatMap(path => valuesAt(source, path, takesLists))
      .flatMap(value => {
        const printed = print(value)
        return printed === undefined ? [] : takesLists ? printed : [printed]
      })
    if (values.length > 0) found.set(name, values)
  }
  return found
}

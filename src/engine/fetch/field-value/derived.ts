import type { DerivedValues } from '../../../search/script/derived-values.ts'
import { EngineError, IllegalArgumentError } from '../../../util/errors.ts'
import type { JsonValue } from '../../../util/json/json-value.ts'
import { derivedValues, type NamedDerivedField } from '../../dsl/derived/derived-field.ts'
import type { QueryContext } from '../../dsl/query-context.ts'
import { printedValue } from '../derived/derived-json.ts'
import { DerivedEmitter } from '../derived/emit-values.ts'
import type { FetchedDocument } from '../fetch-part.ts'

/** A derived field as hits print it. */
export interface PrintedDerived {
  readonly values: DerivedValues
  /** @throws {EngineError} the script fails, or emits what is no value of the field */
  print(document: FetchedDocument): readonly JsonValue[]
}

/**
 * The values of a derived field, in the order in which its script emits them.
 * @throws {EngineError} a format is given, or the script does not compile
 */
export function printedDerived(
  field: NamedDerivedField,
  format: string | null,
  context: QueryContext,
): PrintedDerived {
  const { name, type, definition } = field
  if (format !== null)
    throw new IllegalArgumentError(`Field [${name}] of type [${type}] doesn't support formats.`)
  const values = derivedValues(field, context)
  const emitter = new DerivedEmitter(values)
  const isMember = values.path !== null
  return {
    values,
    print({ leaf, docId, source }) {
      try {
        const made = emitter.valuesOf(leaf, docId, () => source)
        return made.map(value => printedValue(value, values.type, isMember, definition.format))
      } catch (error) {
        if (!values.ignoresMalformed || !(error instanceof EngineError)) throw error
        return []
      }
    },
  }
}

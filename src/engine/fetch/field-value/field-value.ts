import type { MappedField } from '../../../schema/field-type/mapped-field.ts'
import type { Leaf } from '../../../segment/leaf.ts'
import { IllegalArgumentError } from '../../../util/errors.ts'
import type { JsonNode } from '../../../util/json/json-tree.ts'
import type { JsonValue } from '../../../util/json/json-value.ts'
import type { QueryContext } from '../../dsl/query-context.ts'

/** Prints a document's values of a column, in their order there. */
export type ColumnPrinter = (leaf: Leaf, docId: number) => readonly JsonValue[]

/** Prints a value of a source; undefined: it is none of the field's. */
export type SourcePrinter = (value: JsonNode) => JsonValue | undefined

/** The part of a query's context that printers need. */
export type ValueContext = Pick<QueryContext, 'normalize' | 'index' | 'maskOf'>

/** How the values of one field type stand in hits. */
export interface FieldValue<F extends MappedField> {
  /** Whether a list in a source may be a single value. */
  readonly takesLists: boolean
  /**
   * Values by document, as `docvalue_fields` prints them.
   * @param format null: the field's own
   * @throws {EngineError} the field keeps none, or has no such format
   */
  column(field: F, format: string | null, context: ValueContext): ColumnPrinter
  /**
   * Values of sources, as `fields` and `stored_fields` print them. Null stands for them, too, where
   * the mapping has no value for it.
   * @throws {EngineError} the field has no such format
   */
  source(field: F, format: string | null, context: ValueContext): SourcePrinter
}

/**
 * Refuses a format of doc values.
 * @throws {IllegalArgumentError} unless it is null
 */
export function refuseFormat({ name, type }: MappedField, format: string | null): void {
  if (format !== null)
    throw new IllegalArgumentError(
      `Field [${name}] of type [${type}] does not support custom formats`,
    )
}

/**
 * Refuses a format of source values.
 * @throws {IllegalArgumentError} unless it is null
 */
export function refuseSourceFormat({ name, type }: MappedField, format: string | null): void {
  if (format !== null)
    throw new IllegalArgumentError(`Field [${name}] of type [${type}] doesn't support formats.`)
}

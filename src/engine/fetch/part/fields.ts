import { sourcePaths } from '../../../schema/source-values.ts'
import { IllegalArgumentError } from '../../../util/errors.ts'
import { matchesWildcard } from '../../../util/wildcard.ts'
import { derivedField, derivedNamesLike } from '../../dsl/derived/derived-field.ts'
import { showsValues } from '../../dsl/field/masked-field.ts'
import {
  type FieldAndFormat,
  readFieldsAndFormats,
} from '../../dsl/search-body/field-and-format.ts'
import type { FetchPart, FetchSubject } from '../fetch-part.ts'
import { type PrintedDerived, printedDerived } from '../field-value/derived.ts'
import type { ColumnPrinter } from '../field-value/field-value.ts'
import { fieldValue } from '../field-value/field-values.ts'
import { setValues } from '../hit-fields.ts'
import { type PrintedField, sourceValues } from '../stored-values.ts'

/** `fields`: values of the source, as the mapping reads them. */
export const fieldsPart: FetchPart<readonly FieldAndFormat[]> = {
  unasked: [],
  keys: { fields: value => readFieldsAndFormats(value, 'fields') },
  subPhase: 'FetchFieldsPhase',
  ofOptions: () => undefined,
  make(asked, subject) {
    if (asked.length === 0) return null
    const { printed, columns } = fieldsOf(asked, subject)
    const derived = derivedFieldsOf(asked, subject)
    return () => ({
      readsSource: printed.length > 0 || derived.some(({ values }) => values.readsSource),
      extraUnits: printed.length + columns.size + SCRIPT_UNITS * derived.length,
      read(document, to) {
        const tree = document.tree()
        if (tree !== null)
          for (const [name, values] of sourceValues(printed, tree, document.ignored))
            setValues(to, name, values)
        for (const [name, print] of columns) {
          const values = print(document.leaf, document.docId)
          if (values.length > 0) setValues(to, name, values)
        }
        for (const { values, print } of derived) {
          const made = print(document)
          if (made.length > 0) setValues(to, values.name, made)
        }
      },
    })
  },
}

/** Work of a script, in units of about a microsecond. */
const SCRIPT_UNITS = 4

/** The fields by where their values come from: counts of tokens stand in columns alone. */
interface FieldsBySource {
  readonly printed: readonly PrintedField[]
  readonly columns: ReadonlyMap<string, ColumnPrinter>
}

/** @throws {EngineError} a format that a field does not have, or an index without sources */
function fieldsOf(asked: readonly FieldAndFormat[], { context }: FetchSubject): FieldsBySource {
  const { shown: mapping } = context
  if (mapping.options.source?.enabled === false)
    throw new IllegalArgumentError(
      'Unable to retrieve the requested [fields] since _source is disabled in the mappings for ' +
        `index [${context.index}]`,
    )
  const printed = new Map<string, PrintedField>()
  const columns = new Map<string, ColumnPrinter>()
  for (const { field: pattern, format } of asked)
    for (const name of mapping.namesLike(pattern)) {
      const field = context.derived.has(name) ? null : mapping.field(name)
      if (field === null || !showsValues(field, context)) continue
      const values = fieldValue(field.type)
      if (field.type === 'token_count') {
        values.source(field, format, context)
        if (field.docValues) columns.set(name, values.column(field, null, context))
      } else
        printed.set(name, {
          name,
          paths: sourcePaths(field, mapping),
          takesLists: values.takesLists,
          print: values.source(field, format, context),
        })
    }
  return { printed: [...printed.values()], columns }
}

/** @throws {EngineError} a format is given, or a script does not compile */
function derivedFieldsOf(
  asked: readonly FieldAndFormat[],
  { context }: FetchSubject,
): readonly PrintedDerived[] {
  if (context.derived.size === 0) return []
  const found = new Map<string, PrintedDerived>()
  for (const { field: pattern, format } of asked) {
    const names = pattern.includes('*')
      ? derivedNamesLike(name => matchesWildcard(pattern, name), context)
      : [pattern]
    for (const name of names) {
      const field = derivedField(name, context)
      if (field !== null) found.set(name, printedDerived(field, format, context))
    }
  }
  return [...found.values()]
}

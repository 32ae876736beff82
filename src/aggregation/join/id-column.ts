import { OrdinalColumn } from '../ordinal-column.ts'

/** The column of the ids that tie documents, of which each has one at most. */
export function idColumn(field: string): OrdinalColumn {
  return new OrdinalColumn({
    kind: 'terms',
    field,
    fieldData: null,
    missing: null,
    format: { kind: 'raw' },
  })
}

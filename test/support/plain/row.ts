/** What aggregations count: documents and their nested objects, and the values that these have. */
import type { LiveDocument, PlainInner, PlainObject, PlainPoint } from './collection.ts'

/** The nested objects that rows are; `''`: documents. */
export type Path = '' | 'a' | 'a.c'

/** A document, or one of its nested objects with those around it. */
export interface Row {
  readonly document: LiveDocument
  readonly object: PlainObject | null
  readonly inner: PlainInner | null
}

/** A value; dates are milliseconds. */
export type Value = string | number | boolean

/** Types of fields, as answers print their values. */
export type ValueType = 'text' | 'ip' | 'long' | 'double' | 'boolean' | 'date'

/** Each field with its type and where it stands; no document has `u`, nor its mapping. */
const FIELDS = {
  k: { path: '', type: 'text' },
  n: { path: '', type: 'long' },
  d: { path: '', type: 'double' },
  e: { path: '', type: 'double' },
  w: { path: '', type: 'long' },
  b: { path: '', type: 'boolean' },
  t: { path: '', type: 'date' },
  ip: { path: '', type: 'ip' },
  'a.x': { path: 'a', type: 'text' },
  'a.y': { path: 'a', type: 'long' },
  'a.c.z': { path: 'a.c', type: 'long' },
  u: { path: '', type: 'long' },
} as const satisfies Record<string, { readonly path: Path; readonly type: ValueType }>

/** The name of a field. */
export type Field = keyof typeof FIELDS

/** The rows of documents. */
export function documentRow(document: LiveDocument): Row {
  return { document, object: null, inner: null }
}

/** The path that a row stands at. */
export function pathOf({ object, inner }: Row): Path {
  return inner !== null ? 'a.c' : object !== null ? 'a' : ''
}

/** The nested objects of a row at a path below it, or the row itself. */
export function objectsOf(row: Row, path: Path): readonly Row[] {
  if (pathOf(row) === path) return [row]
  const { document, object } = row
  const objects = object === null ? document.source.a : [object]
  const rows = objects.map((each): Row => ({ document, object: each, inner: null }))
  if (path === 'a') return rows
  return rows.flatMap(each => each.object!.c.map(inner => ({ ...each, inner })))
}

/** The row at a path around a row, or the row itself. */
export function rowAround({ document, object, inner }: Row, path: Path): Row {
  return {
    document,
    object: path === '' ? null : object,
    inner: path === 'a.c' ? inner : null,
  }
}

/** The fields of a path that have values of some types. */
export function fieldsOf(path: Path, ...types: readonly ValueType[]): readonly Field[] {
  return (Object.keys(FIELDS) as Field[]).filter(
    field => field !== 'u' && FIELDS[field].path === path && types.includes(FIELDS[field].type),
  )
}

/** The type of a field's values. */
export function typeOf(field: Field): ValueType {
  return FIELDS[field].type
}

/**
 * The values of a row. Equal terms of a document are one, equal numbers are as many as were given.
 * A row has no values of fields that stand at another path.
 */
export function valuesOf(row: Row, field: Field): readonly Value[] {
  if (pathOf(row) !== FIELDS[field].path) return []
  switch (field) {
    case 'u':
      return []
    case 'a.x':
      return given(row.object?.x)
    case 'a.y':
      return given(row.object?.y)
    case 'a.c.z':
      return given(row.inner?.z)
    case 'k':
    case 'ip':
      return [...new Set(row.document.source[field])]
    case 'n':
    case 'e':
      return row.document.source[field]
    default:
      return given(row.document.source[field])
  }
}

/** The values of a row, or what stands for none. */
export function filledValues(
  row: Row,
  { field, missing }: { readonly field: Field; readonly missing?: Value },
): readonly Value[] {
  const values = valuesOf(row, field)
  return values.length > 0 || missing === undefined ? values : [missing]
}

/** The numbers of a row; booleans are 0 and 1. */
export function numbersOf(
  row: Row,
  source: { readonly field: Field; readonly missing?: Value },
): readonly number[] {
  return filledValues(row, source).map(Number)
}

/** The points of a row. */
export function pointsOf(row: Row): readonly PlainPoint[] {
  return row.object === null ? row.document.source.at : []
}

/** Documents that rows count for. */
export function countOf(rows: readonly Row[]): number {
  return rows.reduce(
    (sum, { document, object }) => sum + (object === null ? (document.source._doc_count ?? 1) : 1),
    0,
  )
}

function given(value: Value | undefined): readonly Value[] {
  return value === undefined ? [] : [value]
}

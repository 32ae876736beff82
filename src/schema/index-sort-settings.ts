/** The settings `index.sort.*`: what they ask for, and of which mapping. */
import { IllegalArgumentError } from '../util/errors.ts'
import { storageOf } from './field-type/field-types.ts'
import type { FieldType } from './field-type.ts'
import type { IndexSort } from './index-sort.ts'
import type { Mapping } from './mapping.ts'
import { indexSettings } from './setting-registry.ts'
import type { Settings } from './settings.ts'

/** The sort that checked settings ask for. */
export function indexSortOf(settings: Settings): IndexSort {
  const list = (part: string): readonly string[] =>
    indexSettings.list(settings, `index.sort.${part}`)
  // Of values that may be in any case.
  const chosen = (part: string, i: number): string | undefined => list(part)[i]?.toLowerCase()
  return list('field').map((field, i) => {
    const isDescending = chosen('order', i) === 'desc'
    const mode = chosen('mode', i) ?? (isDescending ? 'max' : 'min')
    return {
      field,
      isDescending,
      mode: mode === 'max' ? 'max' : 'min',
      isMissingFirst: chosen('missing', i) === '_first',
    }
  })
}

/** Field types by whose values the real server sorts an index, besides those of `doc_values: false`. */
const SORTABLE: ReadonlySet<FieldType['type']> = new Set([
  'byte',
  'short',
  'integer',
  'long',
  'float',
  'double',
  'boolean',
  'date',
  'date_nanos',
  'keyword',
  'ip',
])

/**
 * Refuses a sort by what no document of the mapping can be sorted by.
 * @param index its name
 * @throws {IllegalArgumentError}
 */
export function checkIndexSort(index: string, sort: IndexSort, mapping: Mapping): void {
  for (const { field: path } of sort)
    if (mapping.nestedAround(path) !== null && mapping.field(path) !== null)
      throw new IllegalArgumentError(
        `index sorting on nested fields is not supported: found nested sort field [${path}] in [${index}]`,
      )
  for (const { field: path } of sort) {
    if (mapping.isAlias(path))
      throw new IllegalArgumentError(`Cannot use alias [${path}] as an index sort field`)
    const field = mapping.field(path)
    if (field === null) throw new IllegalArgumentError(`unknown index sort field:[${path}]`)
    if (storageOf(field).docValues === 'none')
      throw new IllegalArgumentError(`docvalues not found for index sort field:[${path}]`)
    if (!SORTABLE.has(field.type))
      throw new IllegalArgumentError(`invalid index sort field:[${path}]`)
  }
}

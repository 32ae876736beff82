/** The order in which an index keeps the documents of each segment. */

/** One criterion; of equal documents the next decides, and at last which came first. */
export interface SortKey {
  readonly field: string
  readonly isDescending: boolean
  /** The value that counts of several. */
  readonly mode: 'min' | 'max'
  /** Whether documents without a value come first, in whichever order the others are. */
  readonly isMissingFirst: boolean
}

/** Criteria, the first one first; none: documents are in order of arrival. */
export type IndexSort = readonly SortKey[]

/** A sort as text: what threads and segments are told; '' for none. */
export function printIndexSort(sort: IndexSort): string {
  if (sort.length === 0) return ''
  return JSON.stringify(
    sort.map(({ field, isDescending, mode, isMissingFirst }) => ({
      field,
      order: isDescending ? 'desc' : 'asc',
      mode,
      missing: isMissingFirst ? '_first' : '_last',
    })),
  )
}

/** Reads what `printIndexSort` wrote. */
export function parseIndexSort(text: string): IndexSort {
  if (text === '') return []
  const keys = JSON.parse(text) as readonly Readonly<Record<string, string>>[]
  return keys.map(({ field, order, mode, missing }) => ({
    field: field ?? '',
    isDescending: order === 'desc',
    mode: mode === 'max' ? 'max' : 'min',
    isMissingFirst: missing === '_first',
  }))
}

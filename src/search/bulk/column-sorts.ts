/** The sorts by one column that kernels run. */
import type { SectionKind } from '../../codec/directory/format.ts'
import type { TopHits } from '../collector/gather-plan.ts'
import type { ColumnSort } from './column-sort.ts'
import { type KeywordKey, KeywordSort } from './keyword-sort.ts'
import { type NumberKey, NumberSort } from './number-sort.ts'

/** A level that kernels can sort by. */
export type ColumnKey = NumberKey | KeywordKey

/** The only level of a sort, if kernels can sort by it: the hits' own values, with no scores wanted. */
export function columnKey(
  spec: Pick<TopHits, 'sort' | 'trackScores' | 'topCount' | 'collapse'>,
  minScore: number | null,
): ColumnKey | null {
  const [key, ...others] = spec.sort ?? []
  if (key === undefined || others.length > 0 || spec.collapse !== null) return null
  if (spec.trackScores || minScore !== null || spec.topCount === 0) return null
  if (key.kind === 'number' && key.nested === undefined && key.conversion === undefined) return key
  return key.kind === 'keyword' && isPlain(key) ? key : null
}

/** Whether a keyword's values are the hits' own ordinals, and those without one are first or last. */
function isPlain({ missing, prefix, fieldData, nested }: KeywordKey): boolean {
  const isOwn = prefix === undefined && fieldData === undefined && nested === undefined
  return isOwn && typeof missing === 'string'
}

/** The sort by a key. */
export function columnSort(
  key: ColumnKey,
  spec: Pick<TopHits, 'topCount' | 'searchAfter'>,
): ColumnSort {
  return key.kind === 'number' ? new NumberSort(key, spec) : new KeywordSort(key, spec)
}

/** The sections of its field that a sort by a key reads. */
export function columnSections({ kind }: ColumnKey): readonly SectionKind[] {
  return kind === 'number' ? ['numericValues'] : ['ordinals', 'terms']
}

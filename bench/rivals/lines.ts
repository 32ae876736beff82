import type { Mode } from './protocol.ts'
import { type RivalQuery, writeQuery } from './query.ts'
import type { QueryClasses } from './query-classes.ts'

/** One measured line: a class of queries, what is asked of them, and over how many slices. */
export interface Line {
  readonly name: string
  readonly className: string
  readonly mode: Mode
  readonly slices: number
  readonly queries: readonly RivalQuery[]
  /** The same in the text form. */
  readonly texts: readonly string[]
}

const ORS = ['or2', 'or3-5', 'or-nl']
const ANDS = ['and2', 'and3-5']
const COUNTED_TO_THE_END = [...ORS]
const COUNTED_ONLY = [...ORS, ...ANDS, 'prefix', 'range']
const SORTED = ['or2', 'term-medium']
const BY_KEYWORD = ['or2', 'term-medium']
const COLLAPSED = ['or2', 'term-medium']
const RESCORED = ['or2', 'or3-5']
const FETCHED = ['term-rare', 'term-medium', 'or2', 'or-nl', 'and2', 'phrase']
const HIGHLIGHTED = ['term-medium', 'or2', 'or-nl', 'phrase']
/** Small queries, which threads may not slow down, and large ones, which they shall speed up. */
const SLICED: readonly (readonly [string, Mode])[] = [
  ['term-rare', 'top'],
  ['and2', 'top'],
  ['or3-5', 'top'],
  ['or-nl', 'top'],
  ['or-nl', 'exact'],
]
const SLICE_COUNTS = [2, 4]

/** What the lines' suffixes mean, as the report prints it. */
export const MODE_TITLES: Readonly<Record<Mode, string>> = {
  top: 'top 10, not counted',
  counted: 'top 10, counted to 10,000',
  exact: 'top 10, counted to the end',
  count: 'count only',
  sorted: 'top 10 by date, counted to 10,000',
  fetch: 'top 10 with stored documents, counted to 10,000',
  highlighted: 'top 10 with stored documents, highlighted, counted to 10,000',
  'by-keyword': 'first 10 by package, counted to 10,000',
  collapsed: 'best of each of 10 packages, counted to the end',
  rescored: 'top 100, then the best 10 of them with a phrase, not counted',
  'top-100': 'top 100, not counted',
}

/** The lines of a run, those of one mode together. */
export function linesOf(classes: QueryClasses): Line[] {
  const names = [...classes.keys()]
  const plan: (readonly [string, Mode, number])[] = [
    ...names.map(name => [name, 'top', 1] as const),
    ...names.map(name => [name, 'counted', 1] as const),
    ...COUNTED_TO_THE_END.map(name => [name, 'exact', 1] as const),
    ...COUNTED_ONLY.map(name => [name, 'count', 1] as const),
    ...SORTED.map(name => [name, 'sorted', 1] as const),
    ...BY_KEYWORD.map(name => [name, 'by-keyword', 1] as const),
    ...COLLAPSED.map(name => [name, 'collapsed', 1] as const),
    ...RESCORED.map(name => [name, 'rescored', 1] as const),
    ...FETCHED.map(name => [name, 'fetch', 1] as const),
    ...HIGHLIGHTED.map(name => [name, 'highlighted', 1] as const),
    ...SLICED.flatMap(([name, mode]) => SLICE_COUNTS.map(slices => [name, mode, slices] as const)),
  ]
  return plan.flatMap(([className, mode, slices]): Line[] => {
    const queries = classes.get(className)
    if (queries === undefined) return []
    const name = `${className}/${mode}${slices > 1 ? `/${slices} slices` : ''}`
    return [{ name, className, mode, slices, queries, texts: queries.map(writeQuery) }]
  })
}

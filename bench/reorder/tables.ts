import type { BuildRecord } from '../lib/build-child.ts'
import { format, markdown } from '../lib/report.ts'
import type { ClassTimes } from '../lib/search-child.ts'

/** One index of the comparison. */
export interface Variant {
  /** How its documents came, and how merges ordered them. */
  readonly name: string
  readonly build: BuildRecord
}

/** A corpus's variants. */
export interface Comparison {
  readonly corpus: string
  readonly variants: readonly Variant[]
  readonly times: readonly ClassTimes[]
  /** Answers of the kernels that were the iterators', with the same scores in every variant. */
  readonly agreed: number
}

const MEGA = 1e6

const ROWS: readonly (readonly [name: string, of: (variant: Variant) => number])[] = [
  ['build to committed, s', ({ build }) => build.buildInMillis / 1000],
  ['processor time of it, s', ({ build }) => build.buildCpuInMillis / 1000],
  ['forced merge, s', ({ build }) => build.forceMergeInMillis / 1000],
  ['segments', ({ build }) => build.segments],
  ...['postings', 'positions'].map((kind): (typeof ROWS)[number] => [
    `${kind}, bytes/posting`,
    ({ build }) => (build.textSections[kind] ?? 0) / build.postings,
  ]),
  ['sections, MB', ({ build }) => build.sectionBytes / MEGA],
  ['files, MB', ({ build }) => build.fileBytes / MEGA],
  ['most resident while building, MB', ({ build }) => build.peakBytes / MEGA],
]

/** Costs of each order, and times of searches in it beside the first. */
export function reorderTables({ corpus, variants, times, agreed }: Comparison): string {
  const names = variants.map(({ name }) => name)
  const builds = ROWS.map(([name, of]) => [name, ...variants.map(variant => format(of(variant)))])
  const rows = times.map(({ className, mode, micros }) => [
    `${className}, ${mode}`,
    ...micros.map((micro, i) => {
      const ratio = i === 0 ? '' : `, ${format(micros[0]! / micro)} ×`
      return `${format(micro)} µs${ratio}`
    }),
  ])
  return [
    markdown([`${corpus}, ${variants[0]!.build.docCount} documents`, ...names], builds),
    '',
    markdown([corpus, ...names], rows),
    '',
    `${agreed} answers checked.`,
  ].join('\n')
}

import type { BuildRecord } from '../lib/build-child.ts'
import { format, type Machine, markdown, whereLine } from '../lib/report.ts'
import type { SearchRecord } from '../lib/search-child.ts'

/** One size. */
export interface Growth {
  /** Load average when it began. */
  readonly load: number
  readonly build: BuildRecord
  readonly search: SearchRecord
}

type Row = readonly [name: string, of: (growth: Growth) => number]

const MEGA = 1e6

const BUILD_ROWS: readonly Row[] = [
  ['load average at the start', ({ load }) => load],
  ['JSON, MB', ({ build }) => build.jsonBytes / MEGA],
  ['postings of the text, millions', ({ build }) => build.postings / MEGA],
  ['tokens of the text, millions', ({ build }) => build.tokens / MEGA],
  ['distinct words, thousands', ({ build }) => build.terms / 1000],
  ['build to committed, s', ({ build }) => build.buildInMillis / 1000],
  ['JSON MB/s', ({ build }) => build.jsonBytes / 1000 / build.buildInMillis],
  ['processor ns/posting', ({ build }) => (build.buildCpuInMillis * MEGA) / build.postings],
  ['segments then', ({ build }) => build.segmentsBuilt],
  ['forced merge, s', ({ build }) => build.forceMergeInMillis / 1000],
  ['segments then', ({ build }) => build.segments],
  ['most resident while building, MB', ({ build }) => build.peakBytes / MEGA],
  ['files, MB', ({ build }) => build.fileBytes / MEGA],
  ['sections, MB', ({ build }) => build.sectionBytes / MEGA],
  ...['terms', 'postings', 'positions', 'norms', 'ids'].map(
    (kind): Row => [
      `${kind}, bytes/posting`,
      ({ build }) => (build.textSections[kind] ?? 0) / build.postings,
    ],
  ),
  ['opening, ms', ({ search }) => search.openInMillis[0]!],
  ['sections loaded by the searches, MB', ({ search }) => search.loadedBytes / MEGA],
  [
    'resident for them, MB',
    ({ search }) => (search.residentBytes - search.residentBeforeBytes) / MEGA,
  ],
]

/** Costs of building, and times of searches by class. */
export function growthTables(machine: Machine, growths: readonly Growth[]): string {
  const sizes = growths.map(({ build }) => `${build.docCount.toLocaleString('en')} documents`)
  const builds = BUILD_ROWS.map(([name, of]) => [
    name,
    ...growths.map(growth => format(of(growth))),
  ])
  const classes = growths[0]!.search.times.map(({ className, mode }, i) => {
    const times = growths.map(({ search }) => search.times[i]!)
    return [
      `${className}, ${mode}`,
      ...times.map(({ micros, postings }) => {
        const micro = micros[0]!
        return `${format(micro)} µs, ${format((micro * 1000) / Math.max(postings, 1))} ns/posting`
      }),
    ]
  })
  const agreed = growths.reduce((sum, { search }) => sum + search.agreed, 0)
  return [
    whereLine(machine),
    '',
    markdown(['index', ...sizes], builds),
    '',
    markdown(['search', ...sizes], classes),
    '',
    `${agreed} answers of the kernels were checked: all are the iterators'.`,
  ].join('\n')
}

import { MODE_TITLES } from './lines.ts'
import type { Built } from './protocol.ts'
import { measuredOn, type RunRecord, ratioTo } from './run-record.ts'
import { figuresOf } from './statistics.ts'

/** The run as Markdown: engines, then a row a line with the mean of the queries' least times. */
export function markdownOf(record: RunRecord): string {
  return [
    whereOf(record),
    '',
    ...table(engineRows(record)),
    '',
    ...table(lineRows(record)),
    '',
    ...agreementLines(record),
    ...missingLines(record),
  ].join('\n')
}

/** Machine, corpus and rounds in one sentence. */
export function whereOf({ machine, corpus, rounds, roundInMillis }: RunRecord): string {
  const { date, cpu, cores, memoryInGib, commit, load } = machine
  return (
    `${date}, ${cpu}, ${cores} cores, ${memoryInGib} GiB, commit ${commit}, load average ${load}; ` +
    `${corpus.docCount} documents of ${corpus.name} (${mega(corpus.textBytes)} MB of text); ` +
    `${rounds} rounds of at least ${roundInMillis} ms a line`
  )
}

function engineRows(record: RunRecord): string[][] {
  const head = [
    'engine',
    'indexed/s',
    'by two/s',
    'index MB',
    'cold start ms',
    'opened MB',
    'after MB',
  ]
  const rows = record.engines
    .filter(({ facts }) => facts !== null)
    .map(({ name, facts, residentAfter }) => {
      const { hello, built, builtByTwo, coldStartInNanos, resident } = facts!
      const bytes = built.bytes === null ? null : sumOf(Object.values(built.bytes))
      return [
        `${name} (${hello.version}, ${hello.runtime})`,
        perSecond(built),
        builtByTwo === null ? '–' : perSecond(builtByTwo),
        bytes === null ? '–' : mega(bytes),
        coldStartInNanos === null ? '–' : (coldStartInNanos / 1e6).toFixed(0),
        resident === null ? '–' : mega(resident.now),
        residentAfter === null ? '–' : mega(residentAfter.now),
      ]
    })
  return [head, ...rows]
}

function perSecond({ docs, nanos }: Built): string {
  return String(Math.round(docs / (nanos / 1e9)))
}

function lineRows(record: RunRecord): string[][] {
  const engines = record.engines.filter(({ facts }) => facts !== null).map(({ name }) => name)
  const compared = engines.includes('lamella') && engines.includes('lucene')
  const head = ['µs, mean of least', ...engines, ...(compared ? ['lucene ÷ lamella'] : [])]
  const rows = record.lines.map(({ name }) => [
    name,
    ...engines.map(engine => cellOf(record, name, engine)),
    ...(compared ? [ratioText(ratioTo(record, name, 'lucene'))] : []),
  ])
  return [head, ...rows, ...overallRows(record, engines, compared)]
}

function cellOf(record: RunRecord, line: string, engine: string): string {
  const measured = measuredOn(record, line, engine)
  if (measured?.figures == null) return '–'
  const time = micros(measured.figures.mean)
  return measured.recall === null ? time : `${time} (${measured.recall.toFixed(2)})`
}

/** Over all queries of the lines without counting, on one thread. */
function overallRows(record: RunRecord, engines: readonly string[], compared: boolean): string[][] {
  const p99Of = (engine: string): number | null => {
    const times = record.lines
      .filter(({ mode, slices }) => mode === 'top' && slices === 1)
      .map(({ name }) => measuredOn(record, name, engine)?.least ?? [])
    if (times.length === 0 || times.some(list => list.length === 0)) return null
    return figuresOf(times.flat()).p99
  }
  const values = engines.map(p99Of)
  const [ours, theirs] = [p99Of('lamella'), p99Of('lucene')]
  const ratio = ours === null || theirs === null ? null : theirs / ours
  return [
    [
      'p99 of all queries/top',
      ...values.map(value => (value === null ? '–' : micros(value))),
      ...(compared ? [ratioText(ratio)] : []),
    ],
  ]
}

/** Whether engines that score alike agreed, a line each. */
export function agreementLines(record: RunRecord): string[] {
  const exact = record.engines.filter(({ facts, isExact }) => facts !== null && isExact)
  if (exact.length < 2) return []
  const { termDifferences } = record
  const { differences, compared, withHits } = record.comparison
  return [
    `Terms counted otherwise: ${[termDifferences.length, ...termDifferences.slice(0, 5)].join('; ')}.`,
    `Answers that differ: ${differences.length} of ${compared}, of which ${withHits} found anything.`,
    ...differences.slice(0, 20).map(({ line, query, what }) => `* ${line}: \`${query}\`: ${what}`),
    '',
  ]
}

/** What was not run and why, and how to read the rest, a line each. */
export function missingLines(record: RunRecord): string[] {
  const engines = record.engines
    .filter(({ missing }) => missing !== null)
    .map(({ name, missing }) => `* ${name} did not run: ${missing}`)
  const byReason = new Map<string, string[]>()
  for (const { engine, line, missing } of record.measured) {
    if (missing === null) continue
    const key = `${engine}: ${missing}`
    byReason.set(key, [...(byReason.get(key) ?? []), line])
  }
  const notes = record.engines
    .filter(({ facts }) => facts?.built.note !== undefined)
    .map(({ name, facts }) => `* ${name}: ${facts?.built.note}`)
  const asked = record.engines
    .filter(({ facts, modes }) => facts !== null && modes !== null)
    .map(({ name, modes }) => `* ${name} was asked on one thread only: ${modes?.join(', ')}`)
  return [
    ...engines,
    ...notes,
    ...asked,
    ...[...byReason].map(([reason, lines]) => `* ${reason} (${lines.join(', ')})`),
    '',
    ...Object.entries(MODE_TITLES)
      .filter(([mode]) => record.lines.some(line => line.mode === mode))
      .map(([mode, title]) => `* /${mode}: ${title}`),
  ]
}

function table([head, ...rows]: readonly string[][]): string[] {
  const widths = head!.map((title, i) =>
    Math.max(title.length, ...rows.map(row => row[i]?.length ?? 0)),
  )
  const lineOf = (row: readonly string[]): string =>
    `| ${row.map((cell, i) => (i === 0 ? cell.padEnd(widths[i]!) : cell.padStart(widths[i]!))).join(' | ')} |`
  const rule = `|${widths.map((width, i) => (i === 0 ? '-'.repeat(width + 2) : `${'-'.repeat(width + 1)}:`)).join('|')}|`
  return [lineOf(head!), rule, ...rows.map(lineOf)]
}

function micros(nanos: number): string {
  const value = nanos / 1000
  return value >= 100 ? value.toFixed(0) : value.toFixed(1)
}

function ratioText(ratio: number | null): string {
  return ratio === null ? '–' : ratio.toFixed(2)
}

function mega(bytes: number): string {
  return (bytes / 1e6).toFixed(1)
}

function sumOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0)
}

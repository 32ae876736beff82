import { type ProfileReport, profileReport } from '../embed/profile-report.ts'
import { decodeUtf8 } from '../util/bytes.ts'
import type { Arguments, Verb } from './command-line.ts'
import { DATA_OPTION, existingIndex, openExisting } from './data-folder.ts'
import { drawShard } from './drawing/shard-profile.ts'
import { nanosText } from './drawing/text.ts'
import { EXIT, type ExitCode } from './exit-code.ts'
import { QUERY_WORDS, searchBodyOf } from './query-text.ts'
import type { Terminal } from './terminal.ts'

const DEFAULT_REPEAT = 7

/** One profiled run. */
export interface ProfiledRun {
  /** The slowest shard's queries, in nanoseconds. */
  readonly timeInNanos: number
  /** The response's own profile, and what was read from it. */
  readonly wire: unknown
  readonly report: ProfileReport
}

/** `lamella profile`: where a query's time goes, from several runs. */
export const profile: Verb = {
  positionals: QUERY_WORDS,
  options: {
    data: DATA_OPTION,
    field: { type: 'string', valueHint: 'F', description: 'Match words in this field alone' },
    slices: { type: 'string', valueHint: 'N', description: 'Search in at most so many slices' },
    repeat: {
      type: 'string',
      valueHint: 'N',
      description: `Runs, after one that warms up (default: ${DEFAULT_REPEAT})`,
    },
  },

  async run(given: Arguments, terminal: Terminal): Promise<ExitCode> {
    const [name = '', query = ''] = given.positionals
    const slices = given.wholeNumber('slices', 1, 1024)
    const repeat = given.wholeNumber('repeat', 1, 10_000) ?? DEFAULT_REPEAT
    await using db = await openExisting(given)
    const index = await existingIndex(db, name)
    const body = await searchBodyOf(db, name, query, given.text('field'))
    const runs: ProfiledRun[] = []
    for (let i = 0; i <= repeat; i++) {
      const bytes = await index.searchRaw(
        { ...body, profile: true, profile_slices: true },
        slices === null ? {} : { slices },
      )
      const { profile: wire } = JSON.parse(decodeUtf8(bytes)) as { profile: unknown }
      const report = profileReport(wire)
      if (i > 0) runs.push({ wire, report, timeInNanos: timeOf(report) })
    }
    const { median, min, max } = spreadOf(runs)
    const times = { medianInNanos: median.timeInNanos, minInNanos: min, maxInNanos: max }
    if (given.flag('json')) {
      terminal.out(JSON.stringify({ runs: repeat, ...times, profile: median.wire }))
      return EXIT.fine
    }
    const { paint, width } = terminal
    const range = `${nanosText(min)} to ${nanosText(max)}`
    const head = `${nanosText(median.timeInNanos)}, the median of ${repeat} runs (${range})`
    terminal.out(`${paint.bold(head)}; a profile describes the iterator executor`)
    for (const shard of median.report.shards) {
      terminal.out('')
      for (const line of drawShard(shard, width, paint)) terminal.out(line)
    }
    return EXIT.fine
  },
}

/** Shards run side by side: the slowest one's queries. */
export function timeOf(report: ProfileReport): number {
  const times = report.shards.map(({ queries }) =>
    queries.reduce((sum, query) => sum + query.timeInNanos, 0),
  )
  return Math.max(0, ...times)
}

/** The run of the median time (of two, the faster one), and the extremes. */
export function spreadOf(runs: readonly ProfiledRun[]): {
  readonly median: ProfiledRun
  readonly min: number
  readonly max: number
} {
  const sorted = [...runs].sort((a, b) => a.timeInNanos - b.timeInNanos)
  return {
    median: sorted[(sorted.length - 1) >> 1]!,
    min: sorted[0]!.timeInNanos,
    max: sorted.at(-1)!.timeInNanos,
  }
}

import { availableParallelism } from 'node:os'
import type { BulkProgress } from '../embed/bulk-load.ts'
import type { Database } from '../embed/database.ts'
import type { Index } from '../embed/index-handle.ts'
import { LamellaError } from '../embed/lamella-error.ts'
import type { ProfileReport } from '../embed/profile-report.ts'
import type { RunningServer } from '../embed/running-server.ts'
import type { SearchResult } from '../embed/search-result.ts'
import { nowInNanos } from '../util/clock.ts'
import type { Arguments, Verb } from './command-line.ts'
import { type DemoCorpus, demoCorpus } from './demo-documents.ts'
import { rateText } from './drawing/bulk-rate.ts'
import { countedText, cut, nanosText, printable } from './drawing/text.ts'
import { drawTimeline, lanesOf } from './drawing/timeline.ts'
import { CliError, EXIT, type ExitCode } from './exit-code.ts'
import { catchInterruption } from './interruption.ts'
import { openDatabase } from './open-database.ts'
import { QUIET_OPTION, startProgress } from './progress.ts'
import { serveUntil } from './serve.ts'
import type { Terminal } from './terminal.ts'

const FIRST_PORT = 9200
/** Ports tried one after the other when none was asked for. */
const PORTS_TRIED = 100
/** Rounds over all slice counts, after some that warm up: some two seconds in all. */
const WARM_UPS = 5
const ROUNDS = 31
const SHOWN_HITS = 3

/** One query, run over a number of slices. */
interface SlicedRun {
  readonly slices: number
  /** Of searches without a profile, as their caller waits for them. */
  readonly minInNanos: number
  readonly medianInNanos: number
  /** Of the profiled search whose time is the median. */
  readonly profile: ProfileReport
  readonly result: SearchResult<Record<string, unknown>>
  /** Hits with their order and scores, and the total, of all runs: equal texts, equal answers. */
  readonly answer: string
}

/** Measurements of the rounds for one slice count. */
interface Measured {
  readonly times: number[]
  readonly profiled: SlicedRun['result'][]
  readonly answers: Set<string>
}

/** `lamella demo`: index real text, search it over 1, 2 and N slices, draw where the time went. */
export const demo: Verb = {
  positionals: [],
  options: {
    serve: {
      type: 'boolean',
      description: 'Then serve the same data over HTTP until interrupted',
      negativeDescription: 'End after the demo (wins over --serve)',
    },
    port: {
      type: 'string',
      valueHint: 'N',
      description: `Port to serve on (default: ${FIRST_PORT} or the next free one)`,
    },
    quiet: QUIET_OPTION,
  },

  async run(given: Arguments, terminal: Terminal): Promise<ExitCode> {
    const port = given.wholeNumber('port', 0, 65_535)
    const isJson = given.flag('json')
    const { paint } = terminal
    const corpus = demoCorpus()
    if (!isJson) terminal.out(`${paint.bold('Lamella demo')}: ${corpus.description}`)
    await using db = await openDatabase()
    const index = await db.index<Record<string, unknown>>(corpus.name, corpus.mapping)
    const loaded = await load(index, corpus, given, terminal)
    const runs = await runSliced(index, corpus)
    const areIdentical = runs.every(run => run.answer === runs[0]?.answer)
    if (isJson) terminal.out(JSON.stringify(jsonOf(corpus, loaded, runs, areIdentical)))
    else for (const line of drawDemo(corpus, runs, areIdentical, terminal)) terminal.out(line)
    if (!areIdentical) return EXIT.failure
    if (!given.flag('serve')) return EXIT.fine
    const interruption = catchInterruption()
    const server = await serveSomewhere(db, port)
    if (isJson) terminal.out(JSON.stringify({ url: server.url, pid: process.pid }))
    else for (const line of invitation(server.url, corpus)) terminal.out(line)
    await serveUntil(interruption, server, db, terminal)
    return EXIT.fine
  },
}

async function load(
  index: Index<Record<string, unknown>>,
  corpus: DemoCorpus,
  given: Arguments,
  terminal: Terminal,
): Promise<BulkProgress> {
  const { documents } = corpus
  using progress = startProgress(given, terminal, 'indexing', documents.length)
  let last: BulkProgress | null = null
  for await (const record of index.bulk(documents, { refresh: true, batchBytes: 2 ** 19 })) {
    const [failure] = record.failures
    if (failure !== undefined) throw failure.error
    progress.update(record.done, rateText(record))
    last = record
  }
  if (last === null) throw new CliError('there was nothing to index')
  progress.end(rateText(last))
  return last
}

/**
 * Runs the query over 1, 2 and N slices, N being the cores, but at least 4. The counts take turns,
 * so that whatever slows the machine down slows them all.
 */
async function runSliced(
  index: Index<Record<string, unknown>>,
  corpus: DemoCorpus,
): Promise<SlicedRun[]> {
  const counts = [1, 2, Math.max(4, availableParallelism())]
  const measured = counts.map((): Measured => ({ times: [], profiled: [], answers: new Set() }))
  const request = { query: { match: { [corpus.field]: corpus.query } }, trackTotalHits: true }
  for (let round = 0; round < WARM_UPS + ROUNDS; round++) {
    for (const [at, slices] of counts.entries()) {
      const started = nowInNanos()
      const result = await index.search(request, { slices })
      const time = nowInNanos() - started
      const asked = { ...request, profile: true, profileSlices: true }
      const profiled = await index.search(asked, { slices })
      if (round < WARM_UPS) continue
      const { times, profiled: kept, answers } = measured[at]!
      times.push(time)
      kept.push(profiled)
      answers.add(answerOf(result)).add(answerOf(profiled))
    }
  }
  return counts.map((slices, at) => summedUp(slices, measured[at]!))
}

function summedUp(slices: number, { times, profiled, answers }: Measured): SlicedRun {
  const sorted = [...times].sort((a, b) => a - b)
  const result = [...profiled].sort((a, b) => timeOf(a) - timeOf(b))[ROUNDS >> 1]!
  return {
    slices,
    minInNanos: sorted[0]!,
    medianInNanos: sorted[ROUNDS >> 1]!,
    profile: result.profile ?? { shards: [] },
    result,
    answer: [...answers].join(' or '),
  }
}

function timeOf({ profile }: SlicedRun['result']): number {
  return profile?.shards[0]?.queries[0]?.timeInNanos ?? 0
}

function answerOf({ hits, total }: SlicedRun['result']): string {
  return JSON.stringify([total, hits.map(({ id, score }) => [id, score])])
}

/** The demo's result as lines: hits, a timeline per slice count, and whether the hits agree. */
export function drawDemo(
  corpus: DemoCorpus,
  runs: readonly SlicedRun[],
  areIdentical: boolean,
  { width, paint }: Pick<Terminal, 'width' | 'paint'>,
): string[] {
  const [first] = runs
  if (first === undefined) return []
  const { total, hits } = first.result
  const count = `  ${countedText(total?.value ?? 0, 'hit')}`
  const query = cut(corpus.query, width - count.length - 2)
  const lines = ['', paint.bold(`“${query}”`) + count]
  for (const { score, source } of hits.slice(0, SHOWN_HITS)) {
    const title = source === null ? '' : corpus.titleOf(source)
    const head = `  ${score?.toFixed(3) ?? '–'}  ${printable(title)}: `
    const text = printable(String(source?.[corpus.field] ?? ''))
    lines.push(paint.bold(head) + cut(text, width - head.length))
  }
  for (const { slices, minInNanos, medianInNanos, profile } of runs) {
    const gain = first.minInNanos / Math.max(1, minInNanos)
    const ratio = slices === 1 ? '' : `, ${gain.toFixed(1)}× as fast as one slice`
    lines.push(
      '',
      `${paint.bold(countedText(slices, 'slice'))}  ` +
        `${nanosText(minInNanos)}, the fastest of ${ROUNDS} searches ` +
        `(median ${nanosText(medianInNanos)})${ratio}`,
    )
    const [root] = profile.shards[0]?.queries ?? []
    if (root !== undefined) lines.push(...drawTimeline(lanesOf(root), width, paint))
  }
  const counts = runs.map(({ slices }) => slices).join(', ')
  lines.push(
    paint.dim('  █ searching  ░ waiting for a thread, in the profiled search of the median time'),
    '',
    areIdentical
      ? paint.good(`✓ identical hits, order, scores and totals over ${counts} slices`)
      : paint.bad(`✗ the hits over ${counts} slices differ: please report this`),
  )
  return lines
}

function jsonOf(
  corpus: DemoCorpus,
  loaded: BulkProgress,
  runs: readonly SlicedRun[],
  areIdentical: boolean,
): object {
  const { indexed, bytes, elapsedInMillis } = loaded
  return {
    corpus: corpus.name,
    description: corpus.description,
    indexed,
    bytes,
    elapsedInMillis,
    query: corpus.query,
    areIdentical,
    runs: runs.map(({ slices, minInNanos, medianInNanos, profile, result }) => ({
      slices,
      minInNanos,
      medianInNanos,
      total: result.total,
      hits: result.hits.map(({ id, score }) => ({ id, score })),
      profile,
    })),
  }
}

/** The port that was asked for, or the first free one from 9200 on. */
async function serveSomewhere(db: Database, port: number | null): Promise<RunningServer> {
  if (port !== null) return db.serve({ port })
  for (let tried = FIRST_PORT; ; tried++) {
    try {
      return await db.serve({ port: tried })
    } catch (error) {
      const isTaken = error instanceof LamellaError && error.details['code'] === 'EADDRINUSE'
      if (!isTaken || tried >= FIRST_PORT + PORTS_TRIED) throw error
    }
  }
}

function invitation(url: string, corpus: DemoCorpus): string[] {
  return [
    '',
    `The same data is served at ${url} until you press Ctrl-C. Try:`,
    `  curl '${url}/${corpus.name}/_search?pretty' -H 'content-type: application/json' \\`,
    `    -d '{"query": {"match": {"${corpus.field}": "${corpus.word}"}}, "profile": true}'`,
  ]
}

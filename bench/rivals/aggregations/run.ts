/**
 * Lamella's aggregations beside Lucene's doc values and engines for analysis: the same rows and cases, a
 * process each, rounds in turn. `npm run bench:rivals:aggregations [-- --engines lamella,duckdb]`.
 *
 * Prints a table and writes aggregations-DATE-COMMIT.json under bench/results/. Answers must agree before
 * times count for anything: exits 1 when one differs, 2 for a mistaken option.
 */
import { once } from 'node:events'
import { createWriteStream, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { finished } from 'node:stream/promises'
import { fileURLToPath } from 'node:url'
import { format, machineNow, markdown, newResultFile, whereLine } from '../../lib/report.ts'
import { endWithUsage, runOptions, UsageError } from '../../lib/run-options.ts'
import { TABLE_CASES, type TableCase } from '../../lib/table-cases.ts'
import { tableRows } from '../../lib/table-rows.ts'
import { EngineChild } from '../child-process.ts'
import { type Answers, type Built, type Round, UnsupportedError } from '../protocol.ts'
import { TABLE_ENGINES, type TableEngine } from './engines.ts'

const NAMES = TABLE_ENGINES.map(({ name }) => name)
const values = runOptions('bench:rivals:aggregations', 'runs aggregations beside other engines', {
  engines: { kind: 'names', help: 'engines to run', of: NAMES },
  cases: { kind: 'text', hint: 'WORDS', help: 'only cases whose names hold them', by: '' },
  rows: { kind: 'count', help: 'rows of the table', by: 1_000_000 },
  rounds: { kind: 'count', help: 'rounds in turn', by: 7 },
  'round-ms': { kind: 'count', help: 'milliseconds of a round', by: 100 },
  'warm-ms': { kind: 'count', help: 'milliseconds before the first round', by: 500, min: 0 },
})

/** What estimates and sums may differ by, of the larger one. */
const ESTIMATED_WITHIN = 0.2
const EXACT_WITHIN = 1e-9
const BUILD_LIMIT_IN_MILLIS = 20 * 60_000
const LIMIT_IN_MILLIS = 60_000
/** A round of several cases would spread one case's rounds less: each case is a line of its own. */
const MODE = 'aggregate'

/** A case on one engine, by so many threads. */
interface Track {
  readonly each: TableCase
  readonly engine: string
  readonly child: EngineChild
  readonly threads: number
  /** Why there are no times; null: there are. */
  missing: string | null
  /** Nanoseconds. */
  readonly least: number[]
}

async function main(): Promise<number> {
  const plans = TABLE_ENGINES.filter(({ name }) => values.engines?.includes(name) ?? true)
  const cases = TABLE_CASES.filter(({ name }) => name.includes(values.cases))
  if (cases.length === 0) throw new UsageError(`no case holds [${values.cases}]`)
  const folder = mkdtempSync(join(tmpdir(), 'lamella-aggregations-'))
  const children: EngineChild[] = []
  const machine = machineNow()
  try {
    const files = await writeRows(folder)
    const running = new Map<string, EngineChild>()
    for (const plan of plans) {
      try {
        const child = await start(plan, files, folder)
        children.push(child)
        running.set(plan.name, child)
      } catch (error) {
        say(`${plan.name} does not run: ${(error as Error).message}`)
      }
    }
    const tracks = cases.flatMap(each =>
      [...running].flatMap(([engine, child]) => {
        const track = { each, engine, child, missing: null, least: [] }
        const alone: Track = { ...track, threads: 1 }
        return engine === 'lamella' ? [alone, { ...track, least: [], threads: 2 }] : [alone]
      }),
    )
    const differences = await compare(tracks)
    say('warming up')
    for (const track of tracks) await round(track, values['warm-ms'])
    for (let i = 0; i < values.rounds; i++) {
      say(`round ${i + 1} of ${values.rounds}`)
      for (const track of tracks) {
        const found = await round(track, values['round-ms'])
        if (found !== null) track.least.push(found.least[0]!)
      }
    }
    const results = tracks.map(({ each, engine, threads, missing, least }) => ({
      case: each.name,
      engine,
      threads,
      missing,
      leastInNanos: least.length === 0 ? null : Math.min(...least),
      rounds: least,
    }))
    console.log(`${whereLine(machine)}\n\n${tableOf(cases, tracks)}`)
    for (const line of differences) console.log(`DIFFERENT: ${line}`)
    const here = fileURLToPath(new URL('../..', import.meta.url))
    const file = newResultFile(here, 'aggregations', machine)
    const { rows, rounds } = values
    writeFileSync(
      file,
      `${JSON.stringify({ machine, rows, rounds, results, differences }, null, 2)}\n`,
    )
    say(`written to ${file}`)
    return differences.length > 0 ? 1 : 0
  } finally {
    await Promise.all(children.map(child => child.quit()))
    rmSync(folder, { recursive: true, force: true })
  }
}

function say(line: string): void {
  console.error(line)
}

/** Writes the rows in both forms. */
async function writeRows(folder: string): Promise<Record<TableEngine['rows'], string>> {
  say(`preparing ${values.rows} rows`)
  const files = { ndjson: join(folder, 'rows.ndjson'), tabbed: join(folder, 'rows.tsv') }
  const ndjson = createWriteStream(files.ndjson)
  const tabbed = createWriteStream(files.tabbed)
  for (const row of tableRows(values.rows)) {
    const { k10, k1000, k100000, tags, n, d, t, p } = row
    const line = [k10, k1000, k100000, tags.join(';'), n, d, t, p].join('\t')
    const isFull = !ndjson.write(`${JSON.stringify(row)}\n`)
    tabbed.write(`${line}\n`)
    if (isFull) await once(ndjson, 'drain')
  }
  ndjson.end()
  tabbed.end()
  await Promise.all([finished(ndjson), finished(tabbed)])
  return files
}

async function start(
  plan: TableEngine,
  files: Record<TableEngine['rows'], string>,
  folder: string,
): Promise<EngineChild> {
  say(`${plan.name}: building`)
  const cache = fileURLToPath(new URL('../.cache', import.meta.url))
  const command = plan.command(cache)
  const own = join(folder, plan.name)
  mkdirSync(own)
  const builder = new EngineChild(command)
  let child = builder
  try {
    const { version, runtime } = await builder.hello
    const built = await builder.ask<Built>(
      ['build', files[plan.rows], own, 1, 1],
      BUILD_LIMIT_IN_MILLIS,
    )
    const seconds = format((built.nanos + built.mergeNanos) / 1e9)
    say(`${plan.name}: ${version} on ${runtime}, ${built.docs} rows in ${seconds} s`)
    if (plan.isOpened) {
      await builder.quit()
      child = new EngineChild(command)
    }
    await child.ask(['open', own], LIMIT_IN_MILLIS)
    return child
  } catch (error) {
    await child.quit()
    throw error
  }
}

/** Asks for each answer once; how those of others differ from Lamella's. */
async function compare(tracks: readonly Track[]): Promise<string[]> {
  const differences: string[] = []
  let ours: readonly number[] = []
  for (const track of tracks) {
    const { each, engine, threads } = track
    try {
      const { answers } = await ask<Answers>(track, 'answers', LIMIT_IN_MILLIS)
      const keys = answers[0]!.keys
      if (keys.length === 0) throw new Error('an empty answer')
      if (engine === 'lamella' && threads === 1) ours = keys
      const within = each.isEstimated && engine !== 'lamella' ? ESTIMATED_WITHIN : EXACT_WITHIN
      const what =
        engine === 'lamella' || tracks[0]!.engine === 'lamella'
          ? difference(ours, keys, within)
          : null
      if (what !== null) differences.push(`${each.name}, ${engine}: ${what}`)
    } catch (error) {
      track.missing = (error as Error).message.split('\n')[0]!
      if (!(error instanceof UnsupportedError))
        say(`${engine}, ${each.name}: ${(error as Error).message}`)
    }
  }
  return differences
}

function difference(
  ours: readonly number[],
  theirs: readonly number[],
  within: number,
): string | null {
  if (ours.length !== theirs.length) return `${theirs.length} numbers against ${ours.length}`
  const at = ours.findIndex((our, i) => {
    const their = theirs[i]!
    return !(Math.abs(our - their) <= within * Math.max(Math.abs(our), Math.abs(their)))
  })
  return at < 0 ? null : `number ${at} is ${theirs[at]} against ${ours[at]}`
}

async function round(track: Track, millis: number): Promise<Round | null> {
  if (track.missing !== null) return null
  try {
    return await ask<Round>(track, 'round', millis)
  } catch (error) {
    track.missing = (error as Error).message.split('\n')[0]!
    return null
  }
}

function ask<T>({ child, each, threads }: Track, verb: string, millis: number): Promise<T> {
  return child.ask<T>([verb, MODE, threads, millis, each.text], 4 * LIMIT_IN_MILLIS)
}

/** A row for each case: our time, how many times as long the others take, and whether the mark is reached. */
function tableOf(cases: readonly TableCase[], tracks: readonly Track[]): string {
  const others = [...new Set(tracks.map(({ engine }) => engine))].filter(name => name !== 'lamella')
  const leastOf = (each: TableCase, engine: string, threads: number): number | null => {
    const found = tracks.find(
      track => track.each === each && track.engine === engine && track.threads === threads,
    )
    return found === undefined || found.least.length === 0 ? null : Math.min(...found.least)
  }
  const head = ['aggregation', 'lamella', ...others, 'two threads', 'mark']
  const rows = cases.map(each => {
    const ours = leastOf(each, 'lamella', 1)
    const byTwo = leastOf(each, 'lamella', 2)
    const ratio = (theirs: number | null): string =>
      theirs === null ? '' : ours === null ? millis(theirs) : `${format(theirs / ours)} ×`
    return [
      each.name,
      millis(ours),
      ...others.map(engine => ratio(leastOf(each, engine, 1))),
      ours === null || byTwo === null ? '' : `${format(ours / byTwo)} ×`,
      markOf(each, ours, leastOf(each, 'lucene', 1)),
    ]
  })
  return markdown(head, rows)
}

function millis(nanos: number | null): string {
  return nanos === null ? '' : `${format(nanos / 1e6)} ms`
}

function markOf({ times, mark }: TableCase, ours: number | null, lucene: number | null): string {
  if (ours === null) return ''
  if (mark !== null) return `≤ ${mark} ms ${ours / 1e6 <= mark ? 'reached' : 'MISSED'}`
  if (times === null || lucene === null) return ''
  return `${times} × Lucene ${lucene / ours >= times ? 'reached' : 'MISSED'}`
}

process.exitCode = await main().catch((error: unknown) => {
  if (!(error instanceof UsageError)) throw error
  endWithUsage('bench:rivals:aggregations', error)
})

/**
 * Lamella beside other search libraries: the same documents and queries, a process each, rounds in
 * turn. `npm run bench:rivals [-- --engines lamella,lucene --classes or2,and2 --docs 20000]`.
 *
 * Writes rivals-DATE-COMMIT.json and .html under bench/results/ and prints a table. Engines that score as Lamella does must
 * agree on every hit and score bit before their times count for anything: exits 1 when one differs,
 * 2 for a mistaken option.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { machineNow, newResultFile } from '../lib/report.ts'
import { endWithUsage, runOptions, UsageError } from '../lib/run-options.ts'
import { termDifferences } from './agreement.ts'
import { ENGINES, type EnginePlan } from './engines.ts'
import { type Line, linesOf } from './lines.ts'
import { measure } from './measure.ts'
import { pageOf } from './page.ts'
import { type PreparedCorpus, prepareCorpus } from './prepared-corpus.ts'
import { drawQueries } from './query-classes.ts'
import type { EngineRecord, RunRecord } from './run-record.ts'
import { RunningEngine } from './running-engine.ts'
import { markdownOf } from './table.ts'

const values = runOptions('bench:rivals', 'runs Lamella beside other search libraries', {
  engines: { kind: 'names', help: 'engines to run', of: ENGINES.map(({ name }) => name) },
  classes: { kind: 'names', help: 'classes of queries', of: null },
  corpus: { kind: 'text', hint: 'NAME', help: 'where documents are from', by: 'debian-docs' },
  docs: { kind: 'count', help: 'documents of it', by: 200_000 },
  rounds: { kind: 'count', help: 'rounds in turn', by: 7 },
  'round-ms': { kind: 'count', help: 'milliseconds of a round', by: 100 },
  'warm-ms': { kind: 'count', help: 'milliseconds before the first round', by: 500, min: 0 },
  'limit-s': { kind: 'count', help: 'seconds after which an engine gives a class up', by: 60 },
  'filter-cache': { kind: 'flag', help: "turns on Lamella's filter cache" },
})

async function main(): Promise<number> {
  const plans = chosen(
    'engine',
    values.engines,
    ENGINES.map(plan => [plan.name, plan] as const),
  )
  const here = fileURLToPath(new URL('.', import.meta.url))
  const folder = mkdtempSync(join(tmpdir(), 'lamella-rivals-'))
  const running: RunningEngine[] = []
  try {
    const machine = machineNow()
    // Lamella's children look here; Lucene's query cache is off whatever is asked.
    process.env['LAMELLA_RIVALS_FILTER_CACHE'] = values['filter-cache'] ? '1' : '0'
    say(`preparing ${values.docs} documents of ${values.corpus}`)
    const corpus = prepareCorpus(values.corpus, values.docs, folder)
    const lines = chosenLines(corpus)
    const missing = new Map<string, string>()
    for (const plan of plans) {
      try {
        running.push(await start(plan, corpus, lines, folder, join(here, '.cache')))
      } catch (error) {
        missing.set(plan.name, (error as Error).message)
        say(`${plan.name} does not run: ${(error as Error).message}`)
      }
    }
    const terms = await compareTerms(running, corpus, folder)
    const roundInMillis = values['round-ms']
    const { rounds } = values
    const limitInMillis = values['limit-s'] * 1000
    const warmInMillis = values['warm-ms']
    const found = await measure(running, lines, {
      rounds,
      roundInMillis,
      warmInMillis,
      limitInMillis,
      say,
    })
    const record: RunRecord = {
      machine,
      corpus: {
        name: values.corpus,
        docCount: corpus.docCount,
        textBytes: corpus.textBytes,
        termCount: corpus.terms.size,
      },
      rounds,
      roundInMillis,
      engines: plans.map(plan => engineRecord(plan, running, missing)),
      lines: lines.map(({ name, className, mode, slices, texts }) => ({
        name,
        className,
        mode,
        slices,
        queries: texts,
      })),
      measured: found.measured,
      comparison: found.comparison,
      termDifferences: terms,
    }
    console.log(markdownOf(record))
    say(`written to ${save(join(here, '..'), record)}`)
    return record.comparison.differences.length > 0 || terms.length > 0 ? 1 : 0
  } finally {
    await Promise.all(running.map(engine => engine.quit()))
    rmSync(folder, { recursive: true, force: true })
  }
}

function say(line: string): void {
  console.error(line)
}

function chosenLines(corpus: PreparedCorpus): Line[] {
  const classes = drawQueries(corpus)
  return linesOf(
    new Map(
      chosen(
        'class',
        values.classes,
        [...classes].map(entry => [entry[0], entry]),
      ),
    ),
  )
}

/** The named ones in the order in which there are, all when none is named. */
function chosen<T>(
  what: string,
  names: readonly string[] | null,
  all: readonly (readonly [string, T])[],
): T[] {
  const wanted = names ?? all.map(([name]) => name)
  const unknown = wanted.filter(name => !all.some(([known]) => known === name))
  if (unknown.length > 0)
    throw new UsageError(
      `unknown ${what} [${unknown}], there are ${all.map(([name]) => name).join(', ')}`,
    )
  return all.filter(([name]) => wanted.includes(name)).map(([, value]) => value)
}

async function start(
  plan: EnginePlan,
  corpus: PreparedCorpus,
  lines: readonly Line[],
  folder: string,
  cache: string,
): Promise<RunningEngine> {
  say(`${plan.name}: building`)
  mkdirSync(cache, { recursive: true })
  const firstQuery = lines[0]!.texts[0]!
  return RunningEngine.start(plan, {
    corpus,
    folder,
    cache,
    firstQuery,
    buildLimitInMillis: 20 * 60_000,
  })
}

/** Holds the terms of engines that analyse by themselves against Lamella's analyzer. */
async function compareTerms(
  running: readonly RunningEngine[],
  corpus: PreparedCorpus,
  folder: string,
): Promise<string[]> {
  const found: string[] = []
  for (const engine of running) {
    if (engine.plan.name === 'lamella' || !engine.plan.isExact) continue
    const file = join(folder, `${engine.plan.name}-terms.tsv`)
    await engine.writeTerms(file)
    found.push(...termDifferences(file, corpus))
  }
  return found
}

function engineRecord(
  { name, isExact, modes }: EnginePlan,
  running: readonly RunningEngine[],
  missing: ReadonlyMap<string, string>,
): EngineRecord {
  const engine = running.find(({ plan }) => plan.name === name)
  return {
    name,
    isExact,
    modes,
    missing: missing.get(name) ?? null,
    facts: engine?.facts ?? null,
    residentAfter: engine?.resident() ?? null,
  }
}

function save(root: string, record: RunRecord): string {
  const file = newResultFile(root, 'rivals', record.machine)
  writeFileSync(file, `${JSON.stringify(record, null, 2)}\n`)
  const page = file.replace(/json$/, 'html')
  writeFileSync(page, pageOf(record))
  return page
}

process.exitCode = await main().catch((error: unknown) => {
  if (!(error instanceof UsageError)) throw error
  endWithUsage('bench:rivals', error)
})

/**
 * How cost grows with size: `npm run bench:growth [-- --sizes 100000,1000000,4000000,10000000]`.
 *
 * Makes documents of `zipf`, indexes the first so many of them through the engine, each size in a
 * temporary folder and processes of its own, and searches them by query class. Prints a table and
 * writes the same as JSON under bench/results/.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { zipf } from '../../corpora/zipf/generate.ts'
import type { BuildRecord, BuildTask } from '../lib/build-child.ts'
import { runChild } from '../lib/child.ts'
import { machineNow, ResultFile } from '../lib/report.ts'
import { endWithUsage, runOptions, UsageError } from '../lib/run-options.ts'
import type { SearchRecord, SearchTask } from '../lib/search-child.ts'
import { writeZipf } from '../lib/zipf-file.ts'
import { type Growth, growthTables } from './tables.ts'

const PROPERTIES = {
  body: { type: 'text' },
  topic: { type: 'keyword' },
  date: { type: 'date' },
  views: { type: 'long' },
}

const values = runOptions('bench:growth', 'shows how cost grows with size', {
  sizes: {
    kind: 'text',
    hint: 'N,…',
    help: 'numbers of documents, one index each',
    by: '100000,1000000,4000000',
  },
  rounds: { kind: 'count', help: 'rounds of each class of queries', by: 7 },
})
const sizes = values.sizes.split(',').map(Number)
if (!sizes.every(size => Number.isSafeInteger(size) && size > 0))
  endWithUsage(
    'bench:growth',
    new UsageError(`--sizes takes whole numbers with commas between, found [${values.sizes}]`),
  )
const say = (line: string): void => console.error(`  ${line}`)
const machine = machineNow()
const results = new ResultFile(fileURLToPath(new URL('..', import.meta.url)), 'growth', machine)
const folder = mkdtempSync(join(tmpdir(), 'lamella-growth-'))
try {
  const documents = join(folder, 'documents.ndjson')
  console.error(`making ${Math.max(...sizes)} documents …`)
  await writeZipf(documents, Math.max(...sizes), say)
  const growths: Growth[] = []
  for (const size of sizes) {
    const load = Math.round(loadavg()[0]! * 100) / 100
    console.error(`${size} documents, load average ${load} …`)
    const index = join(folder, `index-${size}`)
    const build = await runChild<BuildRecord>(
      'build-child.ts',
      buildTask(documents, size, index),
      say,
    )
    const search = await runChild<SearchRecord>('search-child.ts', searchTask(index), say)
    growths.push({ load, build, search })
    rmSync(index, { recursive: true })
    // After each size: a larger one may not fit the machine.
    console.error(`written to ${results.write({ growths })}`)
  }
  console.log(growthTables(machine, growths))
} finally {
  rmSync(folder, { recursive: true, force: true })
}

function buildTask(documents: string, count: number, index: string): BuildTask {
  return {
    documents,
    count,
    folder: index,
    properties: PROPERTIES,
    settings: {},
    textField: zipf.textField,
  }
}

function searchTask(index: string): SearchTask {
  return {
    folders: [index],
    corpus: zipf.name,
    textField: zipf.textField,
    rounds: values.rounds,
    checked: 4,
  }
}

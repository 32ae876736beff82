/**
 * Gains of ordering documents at merges: `npm run bench:reorder [-- --docs 200000 --rounds 9]`.
 *
 * Builds the same documents with each value of `index.lamella.reorder`, as they lie in the source and
 * shuffled, and searches all of them in turn. Prints a table for each corpus and writes the same as JSON
 * under bench/results/. Scores and totals must be the same everywhere.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Random } from '../../dist/util/random.js'
import type { BuildRecord, BuildTask } from '../lib/build-child.ts'
import { runChild } from '../lib/child.ts'
import { readDocuments } from '../lib/documents.ts'
import { machineNow, ResultFile, whereLine } from '../lib/report.ts'
import { runOptions } from '../lib/run-options.ts'
import type { ClassTimes, SearchRecord, SearchTask } from '../lib/search-child.ts'
import { writeZipf } from '../lib/zipf-file.ts'
import { type Comparison, reorderTables, type Variant } from './tables.ts'

/** A corpus, the keyword that tells where a document is from, and the inputs in their orders. */
interface Source {
  readonly corpus: string
  readonly origin: string
  readonly files: readonly InputFile[]
}

/**
 * Documents in one order, and what merges make of it. Two indices with the very same bytes must not be
 * searched one after the other: the processor has then just learnt how the second one branches, which made
 * it up to 30 percent faster.
 */
interface InputFile {
  readonly order: string
  readonly path: string
  readonly reorders: readonly string[]
}

const SEED = 1
const PROCESSES = 3
const values = runOptions('bench:reorder', 'shows what ordering documents at merges brings', {
  docs: { kind: 'count', help: 'documents of each corpus', by: 200_000 },
  rounds: { kind: 'count', help: 'rounds of each class of queries', by: 9 },
  corpora: { kind: 'text', hint: 'NAME,…', help: 'the corpora', by: 'debian-docs,zipf' },
})
const docCount = values.docs
const say = (line: string): void => console.error(`  ${line}`)
const machine = machineNow()
const results = new ResultFile(fileURLToPath(new URL('..', import.meta.url)), 'reorder', machine)
const folder = mkdtempSync(join(tmpdir(), 'lamella-reorder-'))
try {
  const comparisons: Comparison[] = []
  console.log(whereLine(machine))
  for (const corpus of values.corpora.split(',')) {
    const comparison = await compare(await sourceOf(corpus))
    comparisons.push(comparison)
    console.log(`\n${reorderTables(comparison)}`)
    console.error(`written to ${results.write({ comparisons })}`)
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}

async function sourceOf(corpus: string): Promise<Source> {
  if (corpus === 'zipf') {
    // Made at random: it has no order to lose.
    const path = join(folder, 'zipf.ndjson')
    await writeZipf(path, docCount, say)
    return { corpus, origin: 'topic', files: [{ order: 'random', path, reorders: all('topic') }] }
  }
  const { bytes, bounds } = readDocuments(corpus, docCount)
  const lines = Array.from({ length: bounds.length - 1 }, (_, i) =>
    bytes.subarray(bounds[i]!, bounds[i + 1]!),
  )
  const inSource = join(folder, `${corpus}-source.ndjson`)
  writeFileSync(inSource, Buffer.concat(lines))
  const random = new Random(SEED)
  for (let i = lines.length - 1; i > 0; i--) {
    const j = random.below(i + 1)
    const line = lines[i]!
    lines[i] = lines[j]!
    lines[j] = line
  }
  const shuffled = join(folder, `${corpus}-shuffled.ndjson`)
  writeFileSync(shuffled, Buffer.concat(lines))
  const files = [
    { order: 'shuffled', path: shuffled, reorders: all('package') },
    // The source stands by package.
    { order: 'source', path: inSource, reorders: ['none', 'bisection'] },
  ]
  return { corpus, origin: 'package', files }
}

function all(origin: string): string[] {
  return ['none', `field:${origin}`, 'bisection']
}

async function compare({ corpus, origin, files }: Source): Promise<Comparison> {
  const variants: Variant[] = []
  const folders: string[] = []
  for (const { order, path, reorders } of files)
    for (const reorder of reorders) {
      const name = `${order}, ${reorder}`
      console.error(`${corpus}: ${name} …`)
      const index = join(folder, `${corpus}-${variants.length}`)
      const task: BuildTask = {
        documents: path,
        count: docCount,
        folder: index,
        properties: { body: { type: 'text' }, [origin]: { type: 'keyword' } },
        settings: { 'index.lamella.reorder': reorder },
        textField: 'body',
      }
      variants.push({ name, build: await runChild<BuildRecord>('build-child.ts', task, say) })
      folders.push(index)
    }
  return { corpus, variants, ...(await searchAll(corpus, folders)) }
}

/**
 * Searches the indices in several processes, in another order in each: the same index can be a quarter
 * faster or slower in another process, by where its memory happens to lie.
 */
async function searchAll(
  corpus: string,
  folders: readonly string[],
): Promise<Pick<Comparison, 'times' | 'agreed'>> {
  let agreed = 0
  let times: ClassTimes[] = []
  for (let process = 0; process < PROCESSES; process++) {
    const shift = Math.floor((process * folders.length) / PROCESSES)
    const task: SearchTask = {
      folders: folders.map((_, i) => folders[(i + shift) % folders.length]!),
      corpus,
      textField: 'body',
      rounds: values.rounds,
      checked: process === 0 ? 6 : 0,
    }
    const record = await runChild<SearchRecord>('search-child.ts', task, say)
    agreed += record.agreed
    times = record.times.map((found, at) => ({
      ...found,
      micros: folders.map((_, i) =>
        Math.min(
          found.micros[(i - shift + folders.length) % folders.length]!,
          times[at]?.micros[i] ?? Number.POSITIVE_INFINITY,
        ),
      ),
    }))
  }
  return { times, agreed }
}

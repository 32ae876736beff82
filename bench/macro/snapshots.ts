/** Snapshots beside plain copies of the same files, synced as they are. */
import {
  closeSync,
  copyFileSync,
  fdatasyncSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  rmSync,
  statSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Database, open } from '../../dist/index.js'
import { atLeast, atMost, type Bench, type BenchResult, resultOf } from '../lib/result.ts'

const DOCUMENTS = 60_000
const WORDS = 200
const MB = 2 ** 20

/** A snapshot of all, the next one after some change, a restore, and searches beside a snapshot. */
export const snapshots: Bench = {
  name: 'snapshots',
  async run({ rounds, say }) {
    const folder = mkdtempSync(join(tmpdir(), 'lamella-snapshots-'))
    try {
      say(`snapshots: ${DOCUMENTS} documents`)
      await using db = await open(join(folder, 'data'))
      await load(db, 0, DOCUMENTS)
      return [
        ...(await copies(db, folder, rounds)),
        await nextOne(db),
        ...(await searchesBeside(db)),
      ]
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  },
}

/** Words that no compression makes nothing of. */
function text(seed: number): string {
  let state = seed + 1
  return Array.from({ length: WORDS }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return (state >>> 8).toString(36)
  }).join(' ')
}

async function load(db: Database, from: number, to: number): Promise<void> {
  const index = await db.index('texts')
  function* operations(): Generator<{ id: string; source: { text: string } }> {
    for (let i = from; i < to; i++) yield { id: `d${i % DOCUMENTS}`, source: { text: text(i) } }
  }
  await index.bulk(operations(), { refresh: true })
  await index.flush()
}

async function copies(db: Database, folder: string, rounds: number): Promise<BenchResult[]> {
  const taken: number[] = []
  const plain: number[] = []
  const restored: number[] = []
  let bytes = 0
  for (let round = 0; round < rounds; round++) {
    const name = `fresh-${round}`
    await db.snapshots.register(name, { location: name })
    let started = performance.now()
    await db.snapshots.take(name, 'all')
    const took = performance.now() - started
    bytes = (await db.snapshots.status(name, 'all')).allBytes
    const source = join(folder, 'data', 'repositories', name)
    started = performance.now()
    copyFolder(source, join(folder, name))
    const copied = performance.now() - started
    started = performance.now()
    const rename = { pattern: '$', replacement: '-again' }
    await db.snapshots.restore(name, 'all', { rename })
    restored.push(performance.now() - started)
    taken.push(took)
    plain.push(copied)
    await db.deleteIndex('texts-again')
    await db.snapshots.delete(name, 'all')
    rmSync(join(folder, name), { recursive: true })
  }
  const best = Math.min(...plain)
  const line = (what: string, readings: readonly number[], mark: number | null): BenchResult => {
    const ratio = best / Math.min(...readings)
    return {
      ...resultOf(`snapshots/${what} of ${Math.round(bytes / MB)} MB`, 'ms', readings),
      against: { name: 'a plain copy, synced', ratio },
      ...(mark === null ? {} : { mark: atLeast(ratio, mark, 'of its speed') }),
    }
  }
  return [
    resultOf('snapshots/a plain copy of its files', 'ms', plain),
    line('a snapshot', taken, 0.8),
    line('a restore', restored, null),
  ]
}

function copyFolder(from: string, to: string): void {
  mkdirSync(to)
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)]
    if (entry.isDirectory()) {
      copyFolder(source, target)
      continue
    }
    copyFileSync(source, target)
    const file = openSync(target, 'r+')
    fdatasyncSync(file)
    closeSync(file)
    if (statSync(target).size !== statSync(source).size) throw new Error(entry.name)
  }
}

async function nextOne(db: Database): Promise<BenchResult> {
  await db.snapshots.register('kept', { location: 'kept' })
  await db.snapshots.take('kept', 'first')
  await load(db, DOCUMENTS, DOCUMENTS * 1.01)
  await db.snapshots.take('kept', 'second')
  const { bytes, allBytes } = await db.snapshots.status('kept', 'second')
  const share = (100 * bytes) / allBytes
  return {
    ...resultOf('snapshots/bytes copied after 1 % of change', '%', [share]),
    mark: atMost(share, 5, '%'),
  }
}

async function searchesBeside(db: Database): Promise<BenchResult[]> {
  const index = await db.existing('texts')
  const search = async (times: number[]): Promise<void> => {
    const started = performance.now()
    await index.search({ query: { match: { text: (times.length % 1000).toString(36) } } })
    times.push(performance.now() - started)
    await new Promise(resolve => setImmediate(resolve))
  }
  const alone: number[] = []
  for (let i = 0; i < 500; i++) await search(alone)
  await db.snapshots.register('beside', { location: 'beside' })
  const beside: number[] = []
  let isOver = false
  const taking = db.snapshots.take('beside', 'all').then(() => {
    isOver = true
  })
  while (!isOver) await search(beside)
  await taking
  const p99 = (times: readonly number[]): number =>
    [...times].sort((a, b) => a - b)[Math.floor(times.length * 0.99)]!
  const ratio = p99(beside) / p99(alone)
  return [
    resultOf('snapshots/a search alone, p99', 'ms', [p99(alone)]),
    {
      ...resultOf('snapshots/a search beside a snapshot, p99', 'ms', [p99(beside)]),
      mark: atMost(ratio, 1.5, '× alone'),
    },
  ]
}

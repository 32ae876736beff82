/**
 * Lamella's searches of vectors beside other libraries: the same vectors and queries, a process each, rounds in
 * turn, recall beside time. `npm run bench:rivals:vectors [-- --engines lamella,usearch]`.
 *
 * Prints a table for each set and writes vectors-DATE-COMMIT.json under bench/results/. Exits 2 for a mistaken
 * option.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { format, machineNow, markdown, newResultFile, whereLine } from '../../lib/report.ts'
import { endWithUsage, runOptions, UsageError } from '../../lib/run-options.ts'
import { textVectors } from '../../lib/text-vectors.ts'
import { drawVectors } from '../../lib/vector-sets.ts'
import { EngineChild } from '../child-process.ts'
import type { Answers, Built, Round } from '../protocol.ts'
import { VECTOR_ENGINES, type VectorEngine } from './engines.ts'
import { K } from './vector-files.mjs'

const values = runOptions('bench:rivals:vectors', 'searches vectors beside other libraries', {
  engines: { kind: 'names', help: 'engines to run', of: VECTOR_ENGINES.map(({ name }) => name) },
  sets: { kind: 'text', hint: 'WORDS', help: 'only sets whose names hold them', by: '' },
  queries: { kind: 'count', help: 'queries of a set', by: 100 },
  rounds: { kind: 'count', help: 'rounds in turn', by: 5 },
  'round-ms': { kind: 'count', help: 'milliseconds of a round', by: 200 },
  seed: { kind: 'count', help: 'seed of the vectors', by: 20261123 },
  corpus: { kind: 'text', hint: 'NAME', help: 'the corpus of texts', by: 'debian-docs' },
})

interface MeasuredSet {
  readonly name: string
  readonly dimension: number
  /** So many queries, and the vectors, in that order. */
  draw(seed: number, queries: number): readonly [Float32Array[], Float32Array[]]
}

const SETS: readonly MeasuredSet[] = [
  { name: '100k x 128', ...drawn(100_000, 128, 0) },
  { name: '50k x 384', ...drawn(50_000, 384, 24) },
  {
    name: '20k x 384 of texts',
    dimension: 384,
    draw(seed, queries) {
      const set = { corpus: values.corpus, count: 20_000, dimension: 384 }
      const found = textVectors(set, seed, queries)
      return [found.queries, found.vectors]
    },
  },
]
const CANDIDATES = ['10', '20', '50', '100', '200', '400']
const BUILD_LIMIT_IN_MILLIS = 30 * 60_000
const LIMIT_IN_MILLIS = 5 * 60_000
/** Beyond such a load on average for each processor, times say little. */
const LOADED = 0.5

/** An engine with one number of candidates. */
interface Track {
  readonly engine: string
  readonly child: EngineChild
  /** `all`: it compares all vectors. */
  readonly candidates: string
  recall: number
  /** Why there are no times; null: there are. */
  missing: string | null
  /** Microseconds of a query, the mean of the least over the queries of each round. */
  readonly micros: number[]
}

function drawn(count: number, dimension: number, latent: number): Omit<MeasuredSet, 'name'> {
  const set = { count, dimension, latent }
  return { dimension, draw: (seed, queries) => drawVectors(set, seed, queries) }
}

async function main(): Promise<void> {
  const sets = SETS.filter(({ name }) => name.includes(values.sets))
  if (sets.length === 0) throw new UsageError(`no set holds [${values.sets}]`)
  const machine = machineNow()
  const results: object[] = []
  console.log(whereLine(machine))
  if (isLoaded(machine)) console.log('The machine is loaded: times are no more than a hint.')
  for (const set of sets) results.push(...(await runSet(set)))
  const here = fileURLToPath(new URL('../..', import.meta.url))
  const file = newResultFile(here, 'vectors', machine)
  const { seed, rounds, queries } = values
  writeFileSync(file, `${JSON.stringify({ machine, seed, rounds, queries, results }, null, 2)}\n`)
  console.error(`written to ${file}`)
}

function isLoaded(machine: ReturnType<typeof machineNow>): boolean {
  return machine.load > LOADED * machine.cores
}

async function runSet(set: MeasuredSet): Promise<object[]> {
  const folder = mkdtempSync(join(tmpdir(), 'lamella-vectors-'))
  const children: EngineChild[] = []
  try {
    console.error(`${set.name}: drawn from the seed ${values.seed}`)
    const [queries, vectors] = set.draw(values.seed, values.queries)
    const file = writeSet(folder, set.dimension, queries, vectors)
    const exact = queries.map(query => nearest(query, vectors))
    const built = new Map<string, number>()
    const tracks: Track[] = []
    for (const engine of VECTOR_ENGINES) {
      if (!(values.engines?.includes(engine.name) ?? true)) continue
      try {
        const { child, seconds } = await start(engine, file, folder)
        children.push(child)
        built.set(engine.name, seconds)
        for (const candidates of engine.isExact ? ['all'] : CANDIDATES) {
          const track = { engine: engine.name, child, candidates, recall: 0 }
          tracks.push({ ...track, missing: null, micros: [] })
        }
      } catch (error) {
        console.error(`${engine.name} does not run: ${(error as Error).message}`)
      }
    }
    for (const track of tracks) await measureRecall(track, exact)
    for (let round = 0; round < values.rounds; round++) {
      console.error(`${set.name}: round ${round + 1} of ${values.rounds}`)
      for (const track of tracks) await measureTime(track)
    }
    console.log(`\n${set.name}, seed ${values.seed}\n\n${tableOf(tracks, built)}`)
    return tracks.map(({ child: _, ...track }) => ({
      set: set.name,
      buildInSeconds: built.get(track.engine),
      ...track,
    }))
  } finally {
    await Promise.all(children.map(child => child.quit()))
    rmSync(folder, { recursive: true, force: true })
  }
}

function writeSet(
  folder: string,
  dimension: number,
  queries: readonly Float32Array[],
  vectors: readonly Float32Array[],
): string {
  const files = { queries: join(folder, 'queries.f32'), vectors: join(folder, 'vectors.f32') }
  writeFileSync(files.queries, Buffer.concat(queries.map(bytesOf)))
  writeFileSync(files.vectors, Buffer.concat(vectors.map(bytesOf)))
  const file = join(folder, 'set.json')
  writeFileSync(file, JSON.stringify({ dimension, ...files }))
  return file
}

function bytesOf({ buffer, byteOffset, byteLength }: Float32Array): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength)
}

/** The nearest vectors, by a plain loop. */
function nearest(query: Float32Array, vectors: readonly Float32Array[]): ReadonlySet<number> {
  const far = vectors.map((vector, doc) => {
    let sum = 0
    for (let i = 0; i < query.length; i++) sum += (query[i]! - vector[i]!) ** 2
    return { doc, sum }
  })
  far.sort((a, b) => a.sum - b.sum)
  return new Set(far.slice(0, K).map(({ doc }) => doc))
}

async function start(
  engine: VectorEngine,
  file: string,
  folder: string,
): Promise<{ readonly child: EngineChild; readonly seconds: number }> {
  const child = new EngineChild(engine.command())
  const own = join(folder, engine.name)
  mkdirSync(own)
  try {
    const { version, runtime } = await child.hello
    console.error(`${engine.name}: ${version} on ${runtime}, building`)
    const built = await child.ask<Built>(['build', file, own, 1, 1], BUILD_LIMIT_IN_MILLIS)
    await child.ask(['open', own], LIMIT_IN_MILLIS)
    return { child, seconds: (built.nanos + built.mergeNanos) / 1e9 }
  } catch (error) {
    await child.quit()
    throw error
  }
}

async function measureRecall(track: Track, exact: readonly ReadonlySet<number>[]): Promise<void> {
  try {
    const { answers } = await ask<Answers>(track, 'answers', LIMIT_IN_MILLIS)
    const hits = answers.map(({ docs }, i) => docs.filter(doc => exact[i]!.has(doc)).length)
    track.recall = hits.reduce((sum, own) => sum + own, 0) / (K * exact.length)
  } catch (error) {
    track.missing = (error as Error).message.split('\n')[0]!
    console.error(`${track.engine}, ${track.candidates}: ${track.missing}`)
  }
}

async function measureTime(track: Track): Promise<void> {
  if (track.missing !== null) return
  const { least } = await ask<Round>(track, 'round', values['round-ms'])
  track.micros.push(least.reduce((sum, nanos) => sum + nanos, 0) / least.length / 1000)
}

function ask<T>({ child, candidates }: Track, verb: string, millis: number): Promise<T> {
  const texts = Array.from({ length: values.queries }, (_, i) => `must|near|v|${i}`)
  return child.ask<T>([verb, candidates, 1, millis, ...texts], 4 * LIMIT_IN_MILLIS)
}

/** A row for each engine and number of candidates. */
function tableOf(tracks: readonly Track[], built: ReadonlyMap<string, number>): string {
  const rows = tracks.map(({ engine, candidates, recall, missing, micros }) => [
    engine,
    `${format(built.get(engine) ?? 0)} s`,
    candidates,
    missing ?? recall.toFixed(3),
    micros.length === 0 ? '' : `${format(Math.min(...micros))} µs`,
  ])
  return markdown(['engine', 'built', 'candidates', `recall@${K}`, 'a query'], rows)
}

process.exitCode = await main()
  .then(() => 0)
  .catch((error: unknown) => {
    if (!(error instanceof UsageError)) throw error
    return endWithUsage('bench:rivals:vectors', error)
  })

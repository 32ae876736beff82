import { createRequire } from 'node:module'
import { Bench as TinyBench } from 'tinybench'
import type { BenchResult } from './result.ts'
import { consume } from './rounds.ts'

/** A short function whose calls are timed by the thousand. */
export interface MicroCase {
  readonly name: string
  run(): unknown
}

/**
 * Times short functions with tinybench, or with benchmark.js when `LAMELLA_BENCH=benchmark` asks for
 * it: two harnesses over the same cases show whether a figure is the code's or the harness's.
 * @param perCall what one call does, so that the result is in `unit` of one piece of work
 */
export async function micro(
  group: string,
  cases: readonly MicroCase[],
  unit: string,
  perCall: number,
): Promise<BenchResult[]> {
  const readings =
    process.env['LAMELLA_BENCH'] === 'benchmark'
      ? await withBenchmark(cases)
      : await withTinybench(cases)
  return readings.map(({ name, min, median, rounds }) => ({
    name: `${group}/${name}`,
    unit,
    min: (min * 1e6) / perCall,
    median: (median * 1e6) / perCall,
    rounds,
  }))
}

interface Reading {
  readonly name: string
  /** Milliseconds of one call. */
  readonly min: number
  readonly median: number
  readonly rounds: number
}

async function withTinybench(cases: readonly MicroCase[]): Promise<Reading[]> {
  const bench = new TinyBench({ time: 300, warmupTime: 100, warmup: true })
  for (const { name, run } of cases) bench.add(name, () => consume(run()))
  await bench.run()
  return bench.tasks.map(task => {
    const { result } = task
    if (result.state !== 'completed') throw new Error(`${task.name}: ${result.state}`)
    const { min, p50, samplesCount } = result.latency
    return { name: task.name, min, median: p50, rounds: samplesCount }
  })
}

/** benchmark.js runs each case in samples of many calls: a sample's mean is the reading. */
async function withBenchmark(cases: readonly MicroCase[]): Promise<Reading[]> {
  const require = createRequire(import.meta.url)
  const { Suite } = require('benchmark') as typeof import('benchmark')
  return new Promise((resolve, reject) => {
    const suite = new Suite()
    for (const { name, run } of cases) suite.add(name, () => consume(run()))
    suite.on('error', (event: { target: { error?: Error } }) => reject(event.target.error))
    suite.on('complete', () => {
      resolve(
        suite.map((task: { name: string; stats: { sample: number[] } }) => {
          const sample = [...task.stats.sample].sort((a, b) => a - b).map(s => s * 1000)
          const median = sample[sample.length >> 1] ?? 0
          return { name: task.name, min: sample[0] ?? 0, median, rounds: sample.length }
        }),
      )
    })
    suite.run({ async: true })
  })
}

import { ControlBuffer } from '../../dist/pool/control-buffer.js'
import { Lane } from '../../dist/pool/lane.js'
import { SearchThreads } from '../../dist/pool/search-threads.js'
import { type Bench, resultOf } from '../lib/result.ts'

const CALLS = 3000

/** What it costs to hand a request of some 900 bytes to another thread and have its answer. */
export const dispatch: Bench = {
  name: 'dispatch',
  async run({ rounds }) {
    const threads = new SearchThreads({
      threads: 2,
      worker: new URL('../lib/echo-worker.mjs', import.meta.url),
      maxQueue: 100,
      control: new ControlBuffer().shared,
    })
    const lane = new Lane(new URL('../lib/echo-lane-worker.mjs', import.meta.url))
    const request = { text: 'x'.repeat(900) }
    const cases: [string, () => Promise<unknown>][] = [
      ['command slot, round trip', () => threads.run(request)],
      [
        'command slots, fan-out to 2',
        () => Promise.all([threads.run(request), threads.run(request)]),
      ],
      ['lane, round trip', () => lane.run(request)],
    ]
    const results = []
    for (const [name, call] of cases) {
      for (let i = 0; i < 500; i++) await call()
      const readings: number[] = []
      for (let round = 0; round < rounds; round++) {
        const times: number[] = []
        for (let i = 0; i < CALLS / rounds; i++) {
          const start = performance.now()
          await call()
          times.push(performance.now() - start)
        }
        times.sort((a, b) => a - b)
        // A round's reading is its median: single calls meet the scheduler.
        readings.push((times[times.length >> 1] ?? 0) * 1000)
      }
      results.push(resultOf(`dispatch/${name}`, 'µs', readings))
    }
    await threads.close()
    await lane.close()
    return results
  },
}

import { setTimeout as delay } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { ControlBuffer } from '../../dist/pool/control-buffer.js'
import { Lane } from '../../dist/pool/lane.js'
import { type RecordRequest, SearchThreads } from '../../dist/pool/search-threads.js'
import { atMost, type Bench, type BenchResult, resultOf } from '../lib/result.ts'

const CALLS = 3000
/** Longer than a worker stays awake for its next request. */
const UNTIL_ASLEEP_IN_MILLIS = 2
/** Calls to workers that must fall asleep in between. */
const SLOW_CALLS = 700
/** An answer that is known to come at once is waited for so long before the event loop has its turn. */
const SOON_IN_NANOS = 50_000

interface Case {
  readonly name: string
  readonly call: () => Promise<unknown>
  /** The workers are asleep when they are asked. */
  readonly isAsleep?: boolean
  /** Microseconds that the least of the rounds' medians, or their median, may be. */
  readonly mark?: { readonly most: number; readonly of: 'min' | 'median' }
}

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
    const bare = [new BareWorker(), new BareWorker()]
    const request = { text: 'x'.repeat(900) }
    const record = (soon = 0): Promise<void> => threads.runRecord(RECORD, false, soon)
    const cases: Case[] = [
      {
        name: 'record to an awake worker and back',
        call: () => record(SOON_IN_NANOS),
        mark: { most: 5, of: 'min' },
      },
      { name: 'record, the event loop waits', call: () => record() },
      { name: 'records to 2, the event loop waits', call: () => Promise.all([record(), record()]) },
      {
        name: 'records to 2 sleeping workers and back',
        call: () => Promise.all([record(), record()]),
        isAsleep: true,
        mark: { most: 80, of: 'median' },
      },
      {
        name: 'bare words to 2 sleeping workers and back',
        call: () => Promise.all(bare.map(each => each.call())),
        isAsleep: true,
      },
      { name: 'serialised, round trip', call: () => threads.run(request) },
      {
        name: 'serialised, fan-out to 2',
        call: () => Promise.all([threads.run(request), threads.run(request)]),
      },
      { name: 'lane, round trip', call: () => lane.run(request) },
    ]
    const results: BenchResult[] = []
    for (const each of cases) results.push(await measure(each, rounds))
    await threads.close()
    await lane.close()
    await Promise.all(bare.map(each => each.close()))
    return results
  },
}

/** A thread that answers a word with a word: no request can be handed over faster. */
class BareWorker {
  readonly #words = new Int32Array(new SharedArrayBuffer(8))
  readonly #worker = new Worker(new URL('../lib/bare-worker.mjs', import.meta.url), {
    workerData: this.#words.buffer,
  })

  async call(): Promise<void> {
    const words = this.#words
    const seen = Atomics.load(words, 1)
    Atomics.add(words, 0, 1)
    Atomics.notify(words, 0)
    const wait = Atomics.waitAsync(words, 1, seen)
    if (wait.async) await wait.value
  }

  async close(): Promise<void> {
    await this.#worker.terminate()
  }
}

async function measure({ name, call, isAsleep, mark }: Case, rounds: number): Promise<BenchResult> {
  const calls = isAsleep === true ? SLOW_CALLS : CALLS
  for (let i = 0; i < calls / 6; i++) await call()
  const readings: number[] = []
  for (let round = 0; round < rounds; round++) {
    const times: number[] = []
    for (let i = 0; i < calls / rounds; i++) {
      if (isAsleep === true) await delay(UNTIL_ASLEEP_IN_MILLIS)
      const start = performance.now()
      await call()
      times.push(performance.now() - start)
    }
    times.sort((a, b) => a - b)
    // A round's reading is its median: single calls meet the scheduler.
    readings.push((times[times.length >> 1] ?? 0) * 1000)
  }
  const result = resultOf(`dispatch/${name}`, 'µs', readings)
  if (mark === undefined) return result
  return { ...result, mark: atMost(result[mark.of], mark.most, `µs (${mark.of})`) }
}

const BYTES = new Uint8Array(900)

const RECORD: RecordRequest = {
  write(_, to) {
    to.bytes(BYTES)
    return true
  },
  read(from) {
    if (from.bytes().length !== BYTES.length) throw new Error('the echo is not what was sent')
  },
}

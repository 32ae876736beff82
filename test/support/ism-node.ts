import type { EngineOptions } from '../../src/engine/api/engine-api.ts'
import { openRest, type Rest } from './rest-calls.ts'

/** An interval and its whole jitter later every job is due again. */
const INTERVAL_IN_MILLIS = 10 * 60_000

/** A node whose jobs run when a test says so, on a clock that the test moves. */
export interface IsmNode extends Rest {
  /** Milliseconds since 1970 on the node's clock for jobs. */
  now(): number
  /** Moves the clock on. */
  wait(millis: number): void
  /** Sets how much of the heap seems to be in use, 0–100. */
  setHeap(percent: number): void
  /** Runs every job so often, an interval apart. */
  run(times?: number): Promise<void>
}

/** Opens one, in memory unless a folder is given. */
export async function openIsm(
  settings: Record<string, string> = {},
  folder: string | null = null,
  disk: Pick<EngineOptions, 'diskUsage' | 'onLog'> = {},
): Promise<IsmNode> {
  let moment = Date.now()
  let heap = 10
  const now = (): number => moment
  const rest = await openRest(settings, folder, disk, {
    now,
    everyMillis: () => () => {},
    heapUsedPercent: () => heap,
  })
  const wait = (millis: number): void => {
    moment += millis
  }
  return {
    ...rest,
    now,
    wait,
    setHeap(percent) {
      heap = percent
    },
    async run(times = 1) {
      for (let i = 0; i < times; i++) {
        wait(INTERVAL_IN_MILLIS)
        await rest.services.ism.sweep()
      }
    },
  }
}

/** A policy of one state with these actions. */
export function policyOf(actions: readonly object[], more: object = {}): object {
  const states = [{ name: 'only', actions, transitions: [] }]
  return { policy: { description: 'a test', default_state: 'only', states, ...more } }
}

/**
 * Times the fetch of one shard's hits on the calling thread: its own steps, and those of each
 * phase. Every call is measured; there are a few for each hit.
 */
import { nowInNanos } from '../util/clock.ts'
import type { JsonRecord } from '../util/json/json-value.ts'
import { durations } from './human-duration.ts'

/** The steps of the fetch itself, in print order. */
const FETCH_STEPS = [
  'build_sub_phase_processors',
  'create_stored_fields_visitor',
  'get_next_reader',
  'load_source',
  'load_stored_fields',
] as const
/** The steps of each phase. */
const PHASE_STEPS = ['process', 'set_next_reader'] as const

/** A step of the fetch: preparing it, opening a segment, reading a hit. */
export type FetchStep = (typeof FETCH_STEPS)[number]

interface Tally {
  time: number
  count: number
}

/** Measures one shard's fetch; used once. */
export class FetchProfiler {
  readonly #now: () => number
  readonly #steps = newTallies(FETCH_STEPS)
  readonly #phases = new Map<string, Map<string, Tally>>()
  readonly #name: string
  /** Fetches for parts of hits and for aggregations, by name. */
  readonly #others = new Map<string, FetchProfiler>()

  /**
   * @param now  the clock, in whole nanoseconds
   * @param name of the fetch, as the report gives it
   */
  constructor(now: () => number = nowInNanos, name = 'fetch') {
    this.#now = now
    this.#name = name
  }

  /** The profiler of another fetch of the shard, by its name: an entry of its own behind this one. */
  beside(name: string): FetchProfiler {
    let other = this.#others.get(name)
    if (other === undefined) {
      other = new FetchProfiler(this.#now, name)
      this.#others.set(name, other)
    }
    return other
  }

  /** Runs and times a step of the fetch; a call takes at least 1 ns. */
  step<T>(step: FetchStep, run: () => T): T {
    return this.#time(this.#steps.get(step)!, run)
  }

  /**
   * Runs and times one phase's work on a hit.
   * @param phase its class in the reference server, as the report names it
   */
  process<T>(phase: string, run: () => T): T {
    return this.#time(this.#of(phase).get('process')!, run)
  }

  /** Counts the start of another segment for phases, which costs them no time here. */
  nextReader(phases: readonly string[]): void {
    for (const phase of phases) this.#time(this.#of(phase).get('set_next_reader')!, () => {})
  }

  /**
   * The `fetch` entries of the shard's profile: a root with its phases, and those of the fetches beside
   * it; none where no hit was read.
   * @param human adds a text twin to each duration
   */
  report(human: boolean): readonly JsonRecord[] {
    const others = [...this.#others.values()].flatMap(other => other.report(human))
    if (this.#steps.get('get_next_reader')!.count === 0) return others
    const children = [...this.#phases].map(([phase, tallies]) => ({
      type: phase,
      description: phase,
      ...durations([['time', sumOf(tallies)]], human),
      breakdown: breakdownOf(tallies),
    }))
    let time = sumOf(this.#steps)
    for (const tallies of this.#phases.values()) time += sumOf(tallies)
    return [
      {
        type: this.#name,
        description: this.#name,
        ...durations([['time', time]], human),
        breakdown: breakdownOf(this.#steps),
        children: children.length > 0 ? children : undefined,
      },
      ...others,
    ]
  }

  #of(phase: string): Map<string, Tally> {
    let tallies = this.#phases.get(phase)
    if (tallies === undefined) {
      tallies = newTallies(PHASE_STEPS)
      this.#phases.set(phase, tallies)
    }
    return tallies
  }

  #time<T>(tally: Tally, run: () => T): T {
    const start = this.#now()
    const result = run()
    tally.time += Math.max(1, this.#now() - start)
    tally.count++
    return result
  }
}

function newTallies(steps: readonly string[]): Map<string, Tally> {
  return new Map(steps.map(step => [step, { time: 0, count: 0 }]))
}

function sumOf(tallies: ReadonlyMap<string, Tally>): number {
  let sum = 0
  for (const { time } of tallies.values()) sum += time
  return sum
}

/** Each step's time and count, in alphabetical order. */
function breakdownOf(tallies: ReadonlyMap<string, Tally>): JsonRecord {
  return Object.fromEntries(
    [...tallies].flatMap(([step, { time, count }]) => [
      [step, time],
      [`${step}_count`, count],
    ]),
  )
}

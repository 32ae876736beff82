import type { Translog } from '../store/translog/translog.ts'
import { Supply } from '../util/supply.ts'
import type { AcceptedOperations } from './accepted-operations.ts'
import type { SealedSegment } from './lane-buffer.ts'
import { ReplayRun } from './replay-run.ts'
import type { ShardContext } from './shard-context.ts'

/** Input of a replay. */
export interface Replay {
  readonly context: ShardContext
  readonly log: Translog
  readonly accepted: AcceptedOperations
  /** The next name for a segment. */
  takeStem(): string
  /** Appends a segment to the list. */
  append(stem: string, sealed: SealedSegment): void
}

/** Runs that are being read, made or appended: one for each write thread, and the next one. */
export class RunsInHand {
  readonly #replay: Replay
  /** Idle write threads. */
  readonly #lanes: Supply<number>
  /** One ticket for each allowed run. */
  readonly #tickets: Supply<null>
  /** Appending of the last run begun; each waits for the ones before it. */
  #takenOver: Promise<void> = Promise.resolve()
  readonly #made = new Set<Promise<unknown>>()
  #failure: { readonly cause: unknown } | null = null

  constructor(replay: Replay) {
    this.#replay = replay
    const { size } = replay.context.lanes
    this.#lanes = new Supply(Array.from({ length: size }, (_, lane) => lane))
    this.#tickets = new Supply(new Array<null>(size + 1).fill(null))
  }

  /**
   * A run to read operations into; resolves when a ticket is free.
   * @throws the failure of an earlier run
   */
  async begin(): Promise<ReplayRun> {
    await this.#tickets.take()
    if (this.#failure !== null) throw this.#failure.cause
    const run = new ReplayRun(this.#replay.context)
    const stem = this.#replay.takeStem()
    const made = this.#make(run, stem)
    made.catch(() => {})
    this.#made.add(made)
    const before = this.#takenOver
    this.#takenOver = this.#takeOver(run, stem, made, before)
    this.#takenOver.catch((cause: unknown) => {
      this.#failure ??= { cause }
    })
    return run
  }

  /** @throws the failure of a run */
  takenOver(): Promise<void> {
    return this.#takenOver
  }

  /** Resolves when no thread works for the replay any more, with or without a failure. */
  async settled(): Promise<void> {
    await Promise.allSettled([...this.#made, this.#takenOver])
  }

  async #make(run: ReplayRun, stem: string): Promise<SealedSegment | null> {
    const lane = await this.#lanes.take()
    try {
      return await run.make(lane, stem)
    } finally {
      this.#lanes.give(lane)
    }
  }

  async #takeOver(
    run: ReplayRun,
    stem: string,
    made: Promise<SealedSegment | null>,
    before: Promise<void>,
  ): Promise<void> {
    try {
      await before
      const sealed = await made
      const { accepted, append } = this.#replay
      for (const each of run.operations) accepted.replay(each, each.location, each.isLast)
      if (sealed !== null) append(stem, sealed)
      this.#made.delete(made)
    } finally {
      this.#tickets.give(null)
    }
  }
}

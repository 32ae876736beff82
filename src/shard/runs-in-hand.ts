import type { Translog } from '../store/translog/translog.ts'
import { Supply } from '../util/supply.ts'
import type { AcceptedOperations } from './accepted-operations.ts'
import type { SealedSegment } from './lane-buffer.ts'
import { ReplayRun } from './replay-run.ts'
import type { ShardContext } from './shard-context.ts'

/** What a replay works on. */
export interface Replay {
  readonly context: ShardContext
  readonly log: Translog
  readonly accepted: AcceptedOperations
  /** The next name for a segment. */
  takeStem(): string
  /** Takes a segment over, behind those that there are. */
  append(stem: string, sealed: SealedSegment): void
}

/** The runs that are being read, made or taken over: one for each write thread, and the next one. */
export class RunsInHand {
  readonly #replay: Replay
  /** Write threads that no run has. */
  readonly #lanes: Supply<number>
  /** A ticket for each run that there may be. */
  readonly #tickets: Supply<null>
  /** Of the last run that was begun; it follows those before it. */
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
   * A run to read operations into; resolves when there is room for it.
   * @throws what a run before it failed with
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

  /** @throws what a run failed with */
  takenOver(): Promise<void> {
    return this.#takenOver
  }

  /** Resolves when no thread works for the replay any more, however it went. */
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
      for (const each of run.operations) accepted.replay(each, each.place, each.isLast)
      if (sealed !== null) append(stem, sealed)
      this.#made.delete(made)
    } finally {
      this.#tickets.give(null)
    }
  }
}

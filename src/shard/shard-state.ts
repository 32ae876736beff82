import { EngineError, toErrorRecord } from '../util/errors.ts'
import type { ShardContext } from './shard-context.ts'

/**
 * The state that all steps of a shard share: their order, the first failure, whether the shard is
 * closed, and whether a refresh or a flush would change something.
 */
export class ShardState {
  readonly #context: ShardContext
  #chain: Promise<unknown> = Promise.resolve()
  #stepsWaiting = 0
  #failure: EngineError | null = null
  #closedBy: EngineError | null = null
  #isDirty = false

  constructor(context: ShardContext) {
    this.#context = context
  }

  /** The first failure; null while the shard works. Nothing is acknowledged after it. */
  get failure(): EngineError | null {
    return this.#failure
  }

  get isClosed(): boolean {
    return this.#closedBy !== null
  }

  /** Whether steps wait that have not begun. */
  get hasWaitingSteps(): boolean {
    return this.#stepsWaiting > 0
  }

  /** The error that refuses a new step; null: none does. */
  get refusal(): EngineError | null {
    return this.#failure ?? this.#closedBy
  }

  /** Runs steps that change the shard one after another. */
  serial<T>(step: () => Promise<T>): Promise<T> {
    this.#stepsWaiting++
    const run = this.#chain.then(() => {
      this.#stepsWaiting--
      return step()
    })
    this.#chain = run.catch(() => {})
    return run
  }

  /** Resolves when every step that has been asked for is over. */
  settled(): Promise<unknown> {
    return this.#chain
  }

  /** Runs a step whose failure loses no data: it is told and goes no further. */
  attempt(step: () => void): void {
    try {
      step()
    } catch (error) {
      this.#context.onFailure(error)
    }
  }

  /** Tells, once until `markClean`, that a refresh or a flush would change something. */
  markDirty(): void {
    if (this.#isDirty || this.isClosed) return
    this.#isDirty = true
    this.#context.onDirty()
  }

  /** At the start of a refresh. */
  markClean(): void {
    this.#isDirty = false
  }

  /** Fails the shard. The first failure is final; later ones change nothing. */
  fail(error: unknown): void {
    if (this.#failure !== null) return
    const { index, shard } = this.#context.name
    const cause = toErrorRecord(error)
    this.#failure = new EngineError({
      type: 'unavailable_shards_exception',
      reason: `[${index}][${shard}] failed: ${cause.reason}`,
      causedBy: cause,
    })
  }

  /**
   * Closes the shard for new steps.
   * @param reason of their refusal; absent: `index_closed_exception`
   * @returns the reason
   */
  close(reason: EngineError = this.#closedError()): EngineError {
    this.#closedBy = reason
    return reason
  }

  #closedError(): EngineError {
    const { index, uuid } = this.#context.name
    return new EngineError({
      type: 'index_closed_exception',
      reason: 'closed',
      extra: { index, index_uuid: uuid },
    })
  }
}

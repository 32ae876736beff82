import { setTimeout as sleep } from 'node:timers/promises'
import { AbortError, throwIfAborted } from './abort-error.ts'

/** How far a snapshot or a restore is. */
export interface SnapshotProgress {
  readonly shards: number
  readonly doneShards: number
  /** To be copied; files that are there already are not among them. */
  readonly files: number
  readonly copiedFiles: number
  readonly bytes: number
  readonly copiedBytes: number
}

/** The steps of a run. */
export interface RunSteps<R> {
  work(): Promise<R>
  /** Null before it is known, and after the end. */
  progress(): Promise<SnapshotProgress | null>
  /** Gives the work up; it then rejects. */
  cancel(): Promise<void>
}

/** Time between two looks at how far the work is. */
const LOOK_EVERY_IN_MILLIS = 50

/**
 * A snapshot or a restore that has not begun: iterating it runs it and tells how far it is, awaiting it
 * runs it to its end. An iteration that is left does not stop it; its signal does.
 */
export class SnapshotRun<R> implements AsyncIterable<SnapshotProgress>, PromiseLike<R> {
  readonly #signal: AbortSignal | undefined
  readonly #steps: RunSteps<R>
  #result: Promise<R> | null = null

  /** Made by `Snapshots.take` and `Snapshots.restore`. */
  constructor(signal: AbortSignal | undefined, steps: RunSteps<R>) {
    this.#signal = signal
    this.#steps = steps
  }

  /** Runs it to its end. */
  // biome-ignore lint/suspicious/noThenProperty: a snapshot that is awaited must run
  then<A = R, B = never>(
    onEnd?: ((result: R) => A | PromiseLike<A>) | null,
    onFailure?: ((error: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    return this.#begin().then(onEnd, onFailure)
  }

  /** How far it is, again and again until its end, whose error it throws. */
  async *[Symbol.asyncIterator](): AsyncGenerator<SnapshotProgress, void, undefined> {
    const result = this.#begin()
    let isOver = false
    const over = result.then(
      () => {
        isOver = true
      },
      () => {
        isOver = true
      },
    )
    while (!isOver) {
      const progress = await this.#steps.progress()
      if (progress !== null) yield progress
      await Promise.race([over, sleep(LOOK_EVERY_IN_MILLIS)])
    }
    await result
  }

  #begin(): Promise<R> {
    this.#result ??= this.#run()
    return this.#result
  }

  async #run(): Promise<R> {
    const signal = this.#signal
    throwIfAborted(signal)
    let isOver = false
    // It may not be there yet to be cancelled.
    const cancel = async (): Promise<void> => {
      while (!isOver) {
        await this.#steps.cancel()
        await sleep(LOOK_EVERY_IN_MILLIS)
      }
    }
    let cancelling: Promise<void> = Promise.resolve()
    const onAbort = (): void => {
      cancelling = cancel()
    }
    signal?.addEventListener('abort', onAbort, { once: true })
    try {
      return await this.#steps.work()
    } catch (error) {
      throw signal?.aborted === true ? new AbortError(signal.reason) : error
    } finally {
      isOver = true
      signal?.removeEventListener('abort', onAbort)
      await cancelling
    }
  }
}

/** The calls of index-state management on other services and on the machine. */

import type { Asker } from '../../task/access.ts'
import type { CallContext } from '../../task/call-context.ts'
import type { KeptCaller } from '../../task/kept-caller.ts'

/** The rest of the node, and what tests put in its place. */
export interface IsmPorts {
  /** Milliseconds since 1970. */
  now(): number
  /** Calls a step again and again, until what it returns is called. */
  everyMillis(millis: number, step: () => void): () => void
  /** The caller as a record keeps him; null: the program itself. */
  callerOf(context: CallContext): KeptCaller | null
  /** A caller that was kept, with the permissions that he has now. */
  askerOf(caller: KeptCaller | null): Asker
  /** How much of the heap of the coordinating thread is in use, 0–100. */
  heapUsedPercent(): number
  /**
   * Takes a message for a channel; it is durable when this resolves.
   * @throws {EngineError} there is no such channel
   */
  notify(channelId: string, title: string, text: string): Promise<void>
  /**
   * Begins a snapshot of one index.
   * @throws {EngineError} it cannot be begun
   */
  startSnapshot(
    repository: string,
    snapshot: string,
    index: string,
    context: CallContext,
  ): Promise<void>
  /**
   * The state of a snapshot, `SUCCESS` or the like; null: there is none of that name.
   * @throws {EngineError} the repository cannot be read
   */
  snapshotState(repository: string, snapshot: string): Promise<string | null>
  /** Whether `startSnapshot` began it since the node was opened, and it did not succeed yet. */
  hasBegunSnapshot(repository: string, snapshot: string): boolean
}

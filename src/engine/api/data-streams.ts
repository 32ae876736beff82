/** Data streams: names that stand for hidden indices, the newest of which takes new documents. */
import type { CallContext } from '../../task/call-context.ts'
import type { HealthStatus } from './cluster.ts'
import type { ShardCounts } from './target.ts'

/** A data stream as it can be shown. */
export interface ShownDataStream {
  readonly name: string
  readonly timestampField: string
  /** Oldest first. */
  readonly indices: readonly { readonly name: string; readonly uuid: string }[]
  readonly generation: number
  /** The worst of its indices'. */
  readonly status: HealthStatus
  /** The index template that makes its indices; null: none does any more. */
  readonly template: string | null
}

/** Sizes of data streams. */
export interface DataStreamStats {
  readonly shards: ShardCounts
  readonly streams: readonly {
    readonly name: string
    readonly backingIndices: number
    readonly storeInBytes: number
    /** The latest time of a document, in milliseconds since 1970; 0 without documents. */
    readonly maximumTimestamp: number
  }[]
}

/** One change of a batch: an index joins a data stream behind its write index, or leaves it. */
export interface StreamAction {
  readonly kind: 'add' | 'remove'
  readonly stream: string
  readonly index: string
}

/** Calls on data streams; names may hold `*`, and one without that is missing is refused. */
export interface DataStreamsApi {
  create(name: string, context: CallContext): Promise<void>
  /** In order of name. */
  show(names: readonly string[], context: CallContext): readonly ShownDataStream[]
  /** With all their indices. */
  delete(names: readonly string[], context: CallContext): Promise<void>
  stats(names: readonly string[], context: CallContext): Promise<DataStreamStats>
  /** All changes of a batch or none. */
  modify(actions: readonly StreamAction[], context: CallContext): Promise<void>
}

/** A data stream: a name for hidden indices, of which the newest takes writes. */
import type { IndexMetadata } from './index-metadata.ts'

/** An index of a data stream. */
export interface BackingIndex {
  readonly name: string
  readonly uuid: string
}

/** A data stream as the cluster state keeps it: immutable, a change makes a new one. */
export interface DataStream {
  readonly name: string
  /** The field of dates of which every document has one value. */
  readonly timestampField: string
  /** Min one, oldest first; the last takes writes. */
  readonly indices: readonly BackingIndex[]
  /** Rises by one with every rollover, from 1; the write index is numbered by it. */
  readonly generation: number
}

/** Data streams by name. */
export type DataStreams = ReadonlyMap<string, DataStream>

/** The name of an index that a data stream makes: `.ds-logs-000001`. */
export function backingIndexName(stream: string, generation: number): string {
  return `.ds-${stream}-${String(generation).padStart(6, '0')}`
}

/** The index that takes writes. */
export function writeIndexOfStream({ indices }: DataStream): BackingIndex {
  return indices[indices.length - 1]!
}

/** A data stream that goes on to a new write index. */
export function rolledOver(stream: DataStream, { name, uuid }: IndexMetadata): DataStream {
  return {
    ...stream,
    indices: [...stream.indices, { name, uuid }],
    generation: stream.generation + 1,
  }
}

/** A data stream without some of its indices. */
export function withoutIndices(stream: DataStream, uuids: ReadonlySet<string>): DataStream {
  return { ...stream, indices: stream.indices.filter(({ uuid }) => !uuids.has(uuid)) }
}

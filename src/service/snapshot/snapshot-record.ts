/** A snapshot as its file keeps it: how it was taken, and the files of each of its shards. */
import type { StreamEntry } from '../../engine/api/snapshots.ts'
import type { JsonNode } from '../../util/json/json-tree.ts'
import type { JsonValue } from '../../util/json/json-value.ts'
import { jsonValueOf } from '../../util/json/json-writer.ts'
import { printShard, readShard, type ShardRecord } from './shard-record.ts'
import { parseState, type SnapshotState } from './snapshot-state.ts'
import {
  booleanAt,
  integerAt,
  itemsAt,
  nodeAt,
  nodeOrNull,
  textAt,
  textsAt,
} from './stored-fields.ts'

/** An index of a snapshot. */
export interface IndexRecord {
  readonly name: string
  readonly uuid: string
  /** Its metadata, as the engine gave it. */
  readonly entry: JsonNode
  /** By number. */
  readonly shards: readonly ShardRecord[]
}

/** A whole snapshot. */
export interface SnapshotRecord {
  readonly name: string
  readonly uuid: string
  readonly state: SnapshotState
  /** Release that took it. */
  readonly version: string
  readonly includesGlobalState: boolean
  /** As the caller gave it; null without. */
  readonly metadata: JsonNode | null
  readonly startInMillis: number
  readonly endInMillis: number
  readonly dataStreams: readonly StreamEntry[]
  /** As the engine gave it; null where it is not included. */
  readonly globalState: JsonNode | null
  /** In order of name. */
  readonly indices: readonly IndexRecord[]
}

/** A snapshot as JSON. */
export function printRecord(record: SnapshotRecord): JsonValue {
  const { metadata, globalState } = record
  return {
    name: record.name,
    uuid: record.uuid,
    state: record.state,
    version: record.version,
    include_global_state: record.includesGlobalState,
    metadata: metadata === null ? null : jsonValueOf(metadata),
    start: record.startInMillis,
    end: record.endInMillis,
    data_streams: record.dataStreams.map(stream => ({
      name: stream.name,
      timestamp_field: stream.timestampField,
      generation: stream.generation,
      indices: stream.indices,
    })),
    global_state: globalState === null ? null : jsonValueOf(globalState),
    indices: record.indices.map(({ name, uuid, entry, shards }) => ({
      name,
      uuid,
      entry: jsonValueOf(entry),
      shards: shards.map(printShard),
    })),
  }
}

/** @throws {CorruptSegmentError} bytes that `printRecord` never wrote */
export function readRecord(node: JsonNode): SnapshotRecord {
  return {
    name: textAt(node, 'name'),
    uuid: textAt(node, 'uuid'),
    state: parseState(textAt(node, 'state')),
    version: textAt(node, 'version'),
    includesGlobalState: booleanAt(node, 'include_global_state'),
    metadata: nodeOrNull(node, 'metadata'),
    startInMillis: integerAt(node, 'start'),
    endInMillis: integerAt(node, 'end'),
    dataStreams: itemsAt(node, 'data_streams').map(stream => ({
      name: textAt(stream, 'name'),
      timestampField: textAt(stream, 'timestamp_field'),
      generation: integerAt(stream, 'generation', 1),
      indices: textsAt(stream, 'indices'),
    })),
    globalState: nodeOrNull(node, 'global_state'),
    indices: itemsAt(node, 'indices').map(index => ({
      name: textAt(index, 'name'),
      uuid: textAt(index, 'uuid'),
      entry: nodeAt(index, 'entry'),
      shards: itemsAt(index, 'shards').map(readShard),
    })),
  }
}

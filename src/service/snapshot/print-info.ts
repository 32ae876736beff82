/** Snapshots as the API prints them. */
import type { JsonRecord, JsonValue } from '../../util/json/json-value.ts'
import { jsonValueOf } from '../../util/json/json-writer.ts'
import { RELEASE } from './release.ts'
import type { RootEntry } from './repository-root.ts'
import type { RunningSnapshot } from './running-snapshot.ts'
import { isStored } from './shard-record.ts'
import type { SnapshotRecord } from './snapshot-record.ts'

/** A snapshot with all that is known of it. */
export function printInfo(record: SnapshotRecord): JsonRecord {
  const { indices, startInMillis, endInMillis } = record
  const shards = indices.flatMap(index => index.shards)
  const failures = indices.flatMap(({ name, uuid, shards: own }) =>
    own.flatMap((shard, number): JsonValue[] =>
      isStored(shard)
        ? []
        : [
            {
              index: name,
              index_uuid: uuid,
              shard_id: number,
              reason: shard.failure,
              status: 'INTERNAL_SERVER_ERROR',
            },
          ],
    ),
  )
  const failed = failures.length
  return {
    snapshot: record.name,
    uuid: record.uuid,
    version_id: versionId(record.version),
    version: record.version,
    remote_store_index_shallow_copy: false,
    indices: indices.map(({ name }) => name),
    data_streams: record.dataStreams.map(({ name }) => name),
    include_global_state: record.includesGlobalState,
    metadata: record.metadata === null ? undefined : jsonValueOf(record.metadata),
    state: record.state,
    ...times(startInMillis, endInMillis),
    failures,
    shards: { total: shards.length, failed, successful: shards.length - failed },
  }
}

/** A snapshot that is being taken. */
export function printRunning(running: RunningSnapshot, isVerbose: boolean): JsonRecord {
  const { startInMillis, metadata } = running
  return {
    snapshot: running.name,
    uuid: running.uuid,
    ...(isVerbose
      ? {
          version_id: versionId(RELEASE),
          version: RELEASE,
          remote_store_index_shallow_copy: false,
        }
      : {}),
    indices: [...running.indices.keys()],
    data_streams: running.dataStreams.map(({ name }) => name),
    ...(isVerbose
      ? {
          include_global_state: running.includesGlobalState,
          metadata: metadata === null ? undefined : jsonValueOf(metadata),
          state: 'IN_PROGRESS',
          ...times(startInMillis, 0),
          failures: [],
          shards: { total: 0, failed: 0, successful: 0 },
        }
      : { state: 'IN_PROGRESS' }),
  }
}

/** A snapshot as the root alone tells it. */
export function printEntry({ name, uuid, state, indices, dataStreams }: RootEntry): JsonRecord {
  return { snapshot: name, uuid, indices, data_streams: dataStreams, state }
}

function times(start: number, end: number): JsonRecord {
  return {
    start_time: new Date(start).toISOString(),
    start_time_in_millis: start,
    end_time: new Date(end).toISOString(),
    end_time_in_millis: end,
    duration_in_millis: Math.max(0, end - start),
  }
}

/** The number of a release as the real server writes it: `3.6.0` is 3060099 with a bit for itself. */
function versionId(release: string): number {
  const [major = 0, minor = 0, patch = 0] = release.split('.').map(Number)
  return (major * 1_000_000 + minor * 10_000 + patch * 100 + 99) ^ 0x08000000
}

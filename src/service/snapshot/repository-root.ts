/** The root of a repository: the list of its snapshots, replaced as a whole by every change. */
import type { JsonNode } from '../../util/json/json-tree.ts'
import type { JsonValue } from '../../util/json/json-value.ts'
import { parseState, type SnapshotState } from './snapshot-state.ts'
import { integerAt, itemsAt, textAt, textsAt, wrong } from './stored-fields.ts'

/** A snapshot as the root lists it. */
export interface RootEntry {
  readonly name: string
  /** 22 url-safe characters; names its file. */
  readonly uuid: string
  readonly state: SnapshotState
  readonly startInMillis: number
  /** In order. */
  readonly indices: readonly string[]
  readonly dataStreams: readonly string[]
  /** Of its file. */
  readonly length: number
  readonly checksum: number
}

/** The content of a root. */
export interface RepositoryRoot {
  /** 0 of a repository that has none yet; rises by one with every change. */
  readonly generation: number
  /** In the order in which they were taken. */
  readonly snapshots: readonly RootEntry[]
}

/** A repository without snapshots. */
export const EMPTY_ROOT: RepositoryRoot = { generation: 0, snapshots: [] }

/** A root as JSON. */
export function printRoot({ generation, snapshots }: RepositoryRoot): JsonValue {
  return {
    generation,
    snapshots: snapshots.map(entry => ({
      name: entry.name,
      uuid: entry.uuid,
      state: entry.state,
      start: entry.startInMillis,
      indices: entry.indices,
      data_streams: entry.dataStreams,
      length: entry.length,
      checksum: entry.checksum,
    })),
  }
}

/** @throws {CorruptSegmentError} bytes that `printRoot` never wrote */
export function parseRoot(node: JsonNode): RepositoryRoot {
  return {
    generation: integerAt(node, 'generation', 1),
    snapshots: itemsAt(node, 'snapshots').map(entry => {
      const uuid = textAt(entry, 'uuid')
      // It becomes the name of a file.
      if (!/^[\w-]{22}$/.test(uuid)) throw wrong('22 url-safe characters', 'another uuid')
      return {
        name: textAt(entry, 'name'),
        uuid,
        state: parseState(textAt(entry, 'state')),
        startInMillis: integerAt(entry, 'start'),
        indices: textsAt(entry, 'indices'),
        dataStreams: textsAt(entry, 'data_streams'),
        length: integerAt(entry, 'length'),
        checksum: integerAt(entry, 'checksum'),
      }
    }),
  }
}

/** A shard of a snapshot: its segments by their files, or why there are none. */
import type { RestoredIndex } from '../../engine/api/snapshots.ts'
import type { JsonNode } from '../../util/json/json-tree.ts'
import type { JsonValue } from '../../util/json/json-value.ts'
import { booleanAt, integerAt, itemsAt, nodeAt, textAt, wrong } from './stored-fields.ts'

type Shard = NonNullable<RestoredIndex['shards'][number]>
type Segment = Shard['segments'][number]
type Kind = Segment['files'][number]['kind']

/** A file of a segment, kept in the repository under a name that follows from all of this. */
export interface StoredFile {
  /** Of its segment: 32 hexadecimal digits. */
  readonly segmentId: string
  readonly kind: Kind
  readonly length: number
  /** CRC-32 of the file without its last eight bytes, as in its own footer. */
  readonly checksum: number
  /** Length of the parts that it is kept in; null: it is whole, or its record is of a release that noted none. */
  readonly partBytes: number | null
}

/** A segment of a snapshot. */
export interface StoredSegment extends Omit<Segment, 'files'> {
  readonly files: readonly StoredFile[]
}

/** A number of files and the sum of their lengths. */
export interface FileCount {
  readonly count: number
  readonly bytes: number
}

/** No files. */
export const NO_FILES: FileCount = { count: 0, bytes: 0 }

/** A shard that is in the repository. */
export interface StoredShard extends Omit<Shard, 'segments'> {
  readonly segments: readonly StoredSegment[]
  readonly startInMillis: number
  readonly tookInMillis: number
  /** Files that it was the first to bring, its commit point among them. */
  readonly incremental: FileCount
}

/** A shard that is not. */
export interface FailedShard {
  readonly failure: string
  /** Nothing of it was tried. */
  readonly isSkipped: boolean
}

/** One shard. */
export type ShardRecord = StoredShard | FailedShard

/** Whether it is in the repository. */
export function isStored(shard: ShardRecord): shard is StoredShard {
  return 'segments' in shard
}

/** The files of a shard, segment by segment. */
export function filesOf({ segments }: Pick<StoredShard, 'segments'>): readonly StoredFile[] {
  return segments.flatMap(({ files }) => files)
}

/** All files of a shard; a commit point, which the record itself holds, is one of them. */
export function totalOf(shard: Pick<StoredShard, 'segments' | 'commitBytes'>): FileCount {
  const files = filesOf(shard)
  const bytes = files.reduce((sum, { length }) => sum + length, shard.commitBytes)
  return { count: files.length + 1, bytes }
}

/** A sum of counts. */
export function sumOf(counts: readonly FileCount[]): FileCount {
  return counts.reduce(
    (sum, { count, bytes }) => ({ count: sum.count + count, bytes: sum.bytes + bytes }),
    NO_FILES,
  )
}

/** A shard as JSON; a file is a list of kind, length, checksum and, in parts, their length. */
export function printShard(shard: ShardRecord): JsonValue {
  if (!isStored(shard)) return { failure: shard.failure, skipped: shard.isSkipped }
  return {
    max_seq_no: shard.maxSeqNo,
    primary_term: shard.primaryTerm,
    commit: shard.commitBytes,
    start: shard.startInMillis,
    took: shard.tookInMillis,
    incremental: [shard.incremental.count, shard.incremental.bytes],
    segments: shard.segments.map(segment => ({
      id: Buffer.from(segment.id).toString('hex'),
      max_doc: segment.maxDoc,
      deleted: segment.deletedDocs,
      min_seq_no: segment.minSeqNo,
      max_seq_no: segment.maxSeqNo,
      files: segment.files.map(({ kind, length, checksum, partBytes }) => [
        kind,
        length,
        checksum,
        ...(partBytes === null ? [] : [partBytes]),
      ]),
    })),
  }
}

/** @throws {CorruptSegmentError} bytes that `printShard` never wrote */
export function readShard(node: JsonNode): ShardRecord {
  if (node.kind === 'object' && node.entries.some(({ key }) => key === 'failure'))
    return { failure: textAt(node, 'failure'), isSkipped: booleanAt(node, 'skipped') }
  const incremental = numbersOf(nodeAt(node, 'incremental'), 2)
  return {
    maxSeqNo: integerAt(node, 'max_seq_no', -1),
    primaryTerm: integerAt(node, 'primary_term', 1),
    commitBytes: integerAt(node, 'commit'),
    startInMillis: integerAt(node, 'start'),
    tookInMillis: integerAt(node, 'took'),
    incremental: { count: incremental[0]!, bytes: incremental[1]! },
    segments: itemsAt(node, 'segments').map(readSegment),
  }
}

function readSegment(node: JsonNode): StoredSegment {
  const segmentId = textAt(node, 'id')
  if (!/^[0-9a-f]{32}$/.test(segmentId)) throw wrong('an id of 32 digits', segmentId)
  const files = itemsAt(node, 'files').map((file): StoredFile => {
    const items = file.kind === 'array' ? file.items : []
    const [kind, ...others] = items
    if (![3, 4].includes(items.length) || kind?.kind !== 'string') throw wrong('a file', file.kind)
    const numbers = others.map(each => (each.kind === 'number' ? each.value : -1))
    if (!numbers.every(each => Number.isSafeInteger(each) && each >= 0))
      throw wrong('a length and a checksum', 'others')
    const [length, checksum, partBytes = null] = numbers
    if (partBytes === 0) throw wrong('parts of some bytes', 'none')
    return {
      segmentId,
      kind: kindOf(kind.value),
      length: length!,
      checksum: checksum!,
      partBytes,
    }
  })
  if (new Set(files.map(({ kind }) => kind)).size !== files.length)
    throw wrong('one file of a kind', 'several')
  return {
    id: Buffer.from(segmentId, 'hex'),
    maxDoc: integerAt(node, 'max_doc'),
    deletedDocs: integerAt(node, 'deleted'),
    minSeqNo: integerAt(node, 'min_seq_no', -1),
    maxSeqNo: integerAt(node, 'max_seq_no', -1),
    files,
  }
}

function numbersOf(node: JsonNode, count: number): readonly number[] {
  const numbers = (node.kind === 'array' ? node.items : []).map(item =>
    item.kind === 'number' ? item.value : -1,
  )
  if (numbers.length !== count || !numbers.every(each => Number.isSafeInteger(each) && each >= 0))
    throw wrong(`${count} numbers`, node.kind)
  return numbers
}

function kindOf(text: string): Kind {
  if (text === 'seg' || text === 'sto' || text === 'liv') return text
  throw wrong('a kind of file', text)
}

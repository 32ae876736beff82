/** Records of a log: format, writing, reading, and telling corruption from a torn tail. */

import { crc32 } from 'node:zlib'
import { CorruptSegmentError } from '../../util/errors.ts'
import { highHalf, longOfHalves, lowHalf } from '../../util/long.ts'
import type { LogOperation } from './translog.ts'

/**
 * One operation in a file of the log, little-endian.
 *
 *   record := 48 bytes, id, routing, payload
 *      0  4 bytes  "LREC"
 *      4  u32      CRC-32 of all that follows
 *      8  u32      length of the record, from the magic to its end
 *     12  u8       1 index, 2 delete, 3 no operation
 *     13  u8       1 when the operation has a routing, else 0
 *     14  u16      length of the id in bytes
 *     16  u64      sequence number
 *     24  i64      version; 0 of no operation
 *     32  u32      primary term
 *     36  u32      length of the routing in bytes
 *     40  u64      bytes of this file that were durable when the record was appended
 *   payload := the document of an index operation, the reason of no operation, nothing of a delete
 *
 * The last number distinguishes a torn tail from corruption: a record torn by a crash was not synced when
 * later records were appended.
 *
 * Example: document {} with id "7", the fifth operation of its shard, its second version.
 *
 *   4c 52 45 43              | "LREC"
 *   d2 f1 fa a7              | CRC-32
 *   33 00 00 00              | length
 *   01                       | index
 *   00                       | no routing
 *   01 00                    | length of the id
 *   04 00 00 00 00 00 00 00  | sequence number
 *   02 00 00 00 00 00 00 00  | version
 *   01 00 00 00              | primary term
 *   00 00 00 00              | length of the routing
 *   28 00 00 00 00 00 00 00  | durable bytes of the file
 *   37                       | "7"
 *   7b 7d                    | "{}"
 *   => { kind: "index", id: "7", seqNo: 4, primaryTerm: 1, version: 2, routing: null, source: "{}" }
 */
export const RECORD_BYTES = 48
const MAGIC = 0x4345524c
const KINDS = ['index', 'delete', 'noOp'] as const

/** Buffer of records to be written. */
export class RecordWriter {
  #bytes: Buffer = Buffer.allocUnsafeSlow(4096)
  #length = 0

  get length(): number {
    return this.#length
  }

  /** Appends a record. @returns its length */
  append(operation: LogOperation, durable: number): number {
    const start = this.#length
    const { kind, seqNo, primaryTerm } = operation
    const id = kind === 'noOp' ? '' : operation.id
    const routing = kind === 'noOp' ? null : operation.routing
    const source = kind === 'index' ? operation.source : null
    const reason = kind === 'noOp' ? operation.reason : ''
    const texts = id.length + reason.length + (routing?.length ?? 0)
    this.#reserve(RECORD_BYTES + 3 * texts + (source?.length ?? 0))
    const bytes = this.#bytes
    let at = start + RECORD_BYTES
    const idLength = bytes.write(id, at, 'utf8')
    at += idLength
    const routingLength = routing === null ? 0 : bytes.write(routing, at, 'utf8')
    at += routingLength
    if (source !== null) {
      bytes.set(source, at)
      at += source.length
    } else if (kind === 'noOp') at += bytes.write(reason, at, 'utf8')
    bytes.writeUInt32LE(MAGIC, start)
    bytes.writeUInt32LE(at - start, start + 8)
    bytes[start + 12] = kind === 'index' ? 1 : kind === 'delete' ? 2 : 3
    bytes[start + 13] = routing === null ? 0 : 1
    bytes.writeUInt16LE(idLength, start + 14)
    writeU64(bytes, start + 16, seqNo)
    const version = kind === 'noOp' ? 0 : operation.version
    bytes.writeUInt32LE(lowHalf(version), start + 24)
    bytes.writeInt32LE(highHalf(version), start + 28)
    bytes.writeUInt32LE(primaryTerm, start + 32)
    bytes.writeUInt32LE(routingLength, start + 36)
    writeU64(bytes, start + 40, durable)
    bytes.writeUInt32LE(crc32(bytes.subarray(start + 8, at)), start + 4)
    this.#length = at
    return at - start
  }

  /** The records in place, valid until the next append. */
  view(): Uint8Array {
    return this.#bytes.subarray(0, this.#length)
  }

  clear(): void {
    this.#length = 0
    // One large request must not keep its buffer forever.
    if (this.#bytes.length > KEPT_BYTES) this.#bytes = Buffer.allocUnsafeSlow(4096)
  }

  #reserve(count: number): void {
    const needed = this.#length + count
    if (needed <= this.#bytes.length) return
    const grown = Buffer.allocUnsafeSlow(Math.max(needed, this.#bytes.length * 2))
    grown.set(this.#bytes.subarray(0, this.#length))
    this.#bytes = grown
  }
}

/** Max buffer kept between syncs. */
const KEPT_BYTES = 4 << 20

function writeU64(bytes: Buffer, at: number, value: number): void {
  bytes.writeUInt32LE(value >>> 0, at)
  bytes.writeUInt32LE(Math.floor(value / 4294967296), at + 4)
}

function readU64(bytes: Buffer, at: number): number {
  return bytes.readUInt32LE(at) + bytes.readUInt32LE(at + 4) * 4294967296
}

/** Length of a record by its first bytes; 0 when they are not a record's. */
export function recordLength(bytes: Buffer, at: number): number {
  if (at + RECORD_BYTES > bytes.length || bytes.readUInt32LE(at) !== MAGIC) return 0
  const length = bytes.readUInt32LE(at + 8)
  return length < RECORD_BYTES ? 0 : length
}

/** A whole record in place, decoded on access. */
export class RecordView {
  readonly length: number
  readonly #bytes: Buffer
  readonly #at: number

  /** @param bytes hold the record, which `readRecord` has verified */
  constructor(bytes: Buffer, at: number, length: number) {
    this.#bytes = bytes
    this.#at = at
    this.length = length
  }

  get seqNo(): number {
    return readU64(this.#bytes, this.#at + 16)
  }

  /** Bytes of the file that were durable when it was appended. */
  get durable(): number {
    return readU64(this.#bytes, this.#at + 40)
  }

  /** Decodes the operation; its document is a view of the record. */
  operation(): LogOperation {
    const bytes = this.#bytes
    const at = this.#at
    const kind = KINDS[bytes[at + 12]! - 1]!
    const idEnd = at + RECORD_BYTES + bytes.readUInt16LE(at + 14)
    const routingEnd = idEnd + bytes.readUInt32LE(at + 36)
    const end = at + this.length
    const { seqNo } = this
    const primaryTerm = bytes.readUInt32LE(at + 32)
    if (kind === 'noOp')
      return { kind, seqNo, primaryTerm, reason: bytes.toString('utf8', routingEnd, end) }
    const id = bytes.toString('utf8', at + RECORD_BYTES, idEnd)
    const routing = bytes[at + 13] === 1 ? bytes.toString('utf8', idEnd, routingEnd) : null
    const version = longOfHalves(bytes.readInt32LE(at + 28), bytes.readUInt32LE(at + 24))
    if (kind === 'delete') return { kind, id, routing, seqNo, primaryTerm, version }
    const source = new Uint8Array(bytes.buffer, bytes.byteOffset + routingEnd, end - routingEnd)
    return { kind, id, routing, seqNo, primaryTerm, version, source }
  }
}

/**
 * The record at `at`, of the length that `recordLength` gave, all within `bytes`.
 * @returns null when its checksum or its lengths are wrong
 */
export function readRecord(bytes: Buffer, at: number, length: number): RecordView | null {
  if (crc32(bytes.subarray(at + 8, at + length)) !== bytes.readUInt32LE(at + 4)) return null
  const texts = bytes.readUInt16LE(at + 14) + bytes.readUInt32LE(at + 36)
  const isKnown = KINDS[bytes[at + 12]! - 1] !== undefined
  return isKnown && RECORD_BYTES + texts <= length ? new RecordView(bytes, at, length) : null
}

/**
 * Searches behind a corrupt record for one that proves it was durable: then the log is corrupt, not
 * torn.
 * @param bytes from the corrupt record on
 * @param offset of `bytes` in the file
 * @throws {CorruptSegmentError} when there is one
 */
export function refuseDamage(file: string, bytes: Buffer, offset: number): void {
  const magic = Buffer.from('LREC')
  // Forged lengths could make this quadratic: bound the bytes checksummed.
  let budget = bytes.length * 4 + 4096
  for (let at = bytes.indexOf(magic, 1); at >= 0; at = bytes.indexOf(magic, at + 1)) {
    const length = recordLength(bytes, at)
    if (length === 0 || at + length > bytes.length) continue
    budget -= length
    const record = budget < 0 ? null : readRecord(bytes, at, length)
    if (budget < 0 || (record !== null && record.durable > offset))
      throw new CorruptSegmentError(
        file,
        offset,
        'a whole record: one behind it was written after it had been synced',
        'a broken one',
      )
  }
}

/** Files of a log's generations: format, names, reading. */
import { crc32 } from 'node:zlib'
import { CorruptSegmentError, UnsupportedFormatError } from '../../util/errors.ts'
import type { Directory, RandomAccessFile } from '../directory.ts'
import {
  RECORD_BYTES,
  type RecordView,
  readRecord,
  recordLength,
  refuseDamage,
} from './log-record.ts'

/**
 * One generation of a log: a header, then records one behind the other, little-endian.
 *
 *   header := 0  4 bytes  "LLOG"
 *             4  u32      CRC-32 of all that follows
 *             8  u32      version of the format, 1
 *            12  u32      0
 *            16  16 bytes id of the log
 *            32  f64      generation
 *
 * Example: the header of generation 2.
 *
 *   4c 4c 4f 47              | "LLOG"
 *   b7 64 b0 57              | CRC-32
 *   01 00 00 00              | version
 *   00 00 00 00
 *   a0 a1 a2 a3 a4 a5 a6 a7 a8 a9 aa ab ac ad ae af  | id
 *   00 00 00 00 00 00 00 40  | generation 2.0
 *   => { records: 0 }
 */
export const LOG_HEADER_BYTES = 40
const MAGIC = 0x474f4c4c
const VERSION = 1
/** Bytes per read; a longer record gets a window of its own. */
const WINDOW_BYTES = 4 << 20

/** Name of the file of a generation. */
export function logFileName(generation: number): string {
  return `translog_${generation}`
}

/** The generations whose files a folder holds, ascending. */
export function logGenerations(directory: Directory): number[] {
  return directory
    .list()
    .flatMap(name => /^translog_([1-9]\d{0,14})$/.exec(name)?.[1] ?? [])
    .map(Number)
    .sort((a, b) => a - b)
}

/** Total bytes of all generations' files. */
export function logFileBytes(directory: Directory): number {
  let bytes = 0
  for (const generation of logGenerations(directory))
    bytes += directory.length(logFileName(generation))
  return bytes
}

/** The header of a generation’s file. */
export function logHeader(id: Uint8Array, generation: number): Uint8Array {
  const header = Buffer.alloc(LOG_HEADER_BYTES)
  header.writeUInt32LE(MAGIC, 0)
  header.writeUInt32LE(VERSION, 8)
  header.set(id, 16)
  header.writeDoubleLE(generation, 32)
  header.writeUInt32LE(crc32(header.subarray(8)), 4)
  return header
}

/**
 * Opens a generation's file.
 * @throws {CorruptSegmentError} no file, another log's, or a corrupt header
 * @throws {UnsupportedFormatError} a newer version than this build reads
 */
export function openLogFile(
  directory: Directory,
  id: Uint8Array,
  generation: number,
): RandomAccessFile {
  const name = logFileName(generation)
  if (directory.length(name) < LOG_HEADER_BYTES)
    throw new CorruptSegmentError(
      name,
      0,
      'a log of what no commit holds',
      directory.length(name) < 0 ? 'no file' : `${directory.length(name)} bytes`,
    )
  const file = directory.open(name)
  try {
    const header = Buffer.alloc(LOG_HEADER_BYTES)
    file.readInto(0, header)
    const isWhole =
      header.readUInt32LE(0) === MAGIC && header.readUInt32LE(4) === crc32(header.subarray(8))
    if (isWhole && header.readUInt32LE(8) > VERSION)
      throw new UnsupportedFormatError(name, 'LLOG', header.readUInt32LE(8), VERSION)
    if (!isWhole || header.readDoubleLE(32) !== generation || !header.subarray(16, 32).equals(id))
      throw new CorruptSegmentError(
        name,
        0,
        `the header of generation ${generation} of log ${Buffer.from(id).toString('base64url')}`,
        isWhole ? 'that of another' : 'a broken one',
      )
    return file
  } catch (error) {
    file.close()
    throw error
  }
}

/**
 * Reads the records of an open generation in order, each with its offset, up to the end or to a
 * torn tail left by a crash. A record is valid until the next one is read.
 * @param end length of the file
 * @param durable bytes that must be intact
 * @throws {CorruptSegmentError} a corrupt record among them, or behind them a record that proves
 *   the corrupt one durable
 */
export function* readRecords(
  file: Pick<RandomAccessFile, 'readInto'>,
  name: string,
  end: number,
  durable: number,
): Generator<readonly [offset: number, record: RecordView], void> {
  let room = Buffer.alloc(0)
  let window = room
  /** Offset of the window in the file. */
  let base = LOG_HEADER_BYTES
  const holds = (offset: number, count: number): boolean => {
    if (offset + count > end) return false
    if (offset + count <= base + window.length) return true
    const length = Math.min(Math.max(count, WINDOW_BYTES), end - offset)
    if (length > room.length) room = Buffer.allocUnsafeSlow(length)
    window = room.subarray(0, length)
    base = offset
    file.readInto(offset, window)
    return true
  }
  for (let offset = LOG_HEADER_BYTES; offset < end; ) {
    const length = holds(offset, RECORD_BYTES) ? recordLength(window, offset - base) : 0
    const isThere = length > 0 && holds(offset, length)
    const record = isThere ? readRecord(window, offset - base, length) : null
    if (record === null) {
      if (offset < durable)
        throw new CorruptSegmentError(name, offset, 'a whole record', 'a broken one')
      const rest = Buffer.alloc(end - offset)
      file.readInto(offset, rest)
      refuseDamage(name, rest, offset)
      return
    }
    yield [offset, record]
    offset += length
  }
  if (end < durable)
    throw new CorruptSegmentError(name, end, `${durable} bytes`, 'the end of the file')
}

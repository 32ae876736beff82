/** The checkpoint of a log: its file format, reader and writer. */
import { crc32 } from 'node:zlib'
import { CorruptSegmentError } from '../../util/errors.ts'
import type { Directory, WritableFile } from '../directory.ts'

/** The durable end of a log; every acknowledgement waits for it. */
export interface LogCheckpoint {
  /** Files of lower generations are complete. */
  readonly generation: number
  /** Durable bytes of that generation's file; 0 when it may not exist. */
  readonly offset: number
  /** Sequence number of the last durable operation, −1 before the first. */
  readonly maxSeqNo: number
}

/**
 * The file of the checkpoint: two slots of 64 bytes, 512 apart, written in turn, so that a write
 * torn by a crash leaves the previous one. The last one written is valid.
 *
 *   slot  := 0  4 bytes  "LCKP"
 *            4  u32      CRC-32 of all that follows
 *            8  u32      version of the format, 1
 *           12  u32      0
 *           16  16 bytes id of the log
 *           32  f64      number of the writing, rising by one
 *           40  f64      generation
 *           48  f64      offset
 *           56  f64      highest sequence number
 *
 * Example: the first writing: generation 2 is durable to byte 95, with operation 4.
 *
 *   00 × 512                 | a slot never written
 *   4c 43 4b 50              | "LCKP"
 *   83 20 b5 a6              | CRC-32
 *   01 00 00 00              | version
 *   00 00 00 00
 *   a0 a1 a2 a3 a4 a5 a6 a7 a8 a9 aa ab ac ad ae af  | id
 *   00 00 00 00 00 00 f0 3f  | writing 1.0
 *   00 00 00 00 00 00 00 40  | generation 2.0
 *   00 00 00 00 00 c0 57 40  | offset 95.0
 *   00 00 00 00 00 00 10 40  | highest sequence number 4.0
 *   => { generation: 2, offset: 95, maxSeqNo: 4, writing: 1 }
 */
export const CHECKPOINT_FILE = 'translog_checkpoint'
const PENDING_FILE = 'pending_translog_checkpoint'
const SLOT_BYTES = 64
const DISTANCE = 512
const FILE_BYTES = DISTANCE + SLOT_BYTES
const MAGIC = 0x504b434c
const VERSION = 1

/** Writes the checkpoint of one log. */
export class CheckpointFile {
  readonly #directory: Directory
  readonly #id: Uint8Array
  #file: WritableFile | null = null
  #writing: number
  #isNew: boolean

  /** @param found the result of `readCheckpoint`; null creates the file at the first write */
  constructor(directory: Directory, id: Uint8Array, found: FoundCheckpoint | null) {
    this.#directory = directory
    this.#id = id
    this.#writing = found?.writing ?? 0
    this.#isNew = found === null
  }

  /** Makes a checkpoint durable. */
  async write(checkpoint: LogCheckpoint): Promise<void> {
    const writing = this.#writing + 1
    const at = (writing % 2) * DISTANCE
    const slot = encode(this.#id, writing, checkpoint)
    if (this.#isNew) this.#make(at, slot)
    else {
      this.#file ??= this.#directory.openWritable(CHECKPOINT_FILE)
      this.#file.writeAt(at, slot)
      await this.#file.sync()
    }
    this.#writing = writing
  }

  /** Creates the file by a rename: a crash leaves no half of it. */
  #make(at: number, slot: Uint8Array): void {
    const bytes = new Uint8Array(FILE_BYTES)
    bytes.set(slot, at)
    this.#directory.delete(PENDING_FILE)
    this.#directory.write(PENDING_FILE, bytes)
    this.#directory.sync([PENDING_FILE])
    this.#directory.rename(PENDING_FILE, CHECKPOINT_FILE)
    this.#directory.syncFolder()
    this.#isNew = false
  }

  close(): void {
    this.#file?.close()
    this.#file = null
  }
}

/** A checkpoint that was read, with the log's id and the number of its writing. */
export interface FoundCheckpoint extends LogCheckpoint {
  readonly id: Uint8Array
  readonly writing: number
}

/**
 * Reads the last checkpoint of a folder.
 * @returns null when there is no file
 * @throws {CorruptSegmentError} neither slot is valid
 */
export function readCheckpoint(directory: Directory): FoundCheckpoint | null {
  const length = directory.length(CHECKPOINT_FILE)
  if (length < 0) return null
  const bytes = Buffer.from(directory.read(CHECKPOINT_FILE))
  const slots = [0, DISTANCE].flatMap(at => {
    const slot = bytes.subarray(at, at + SLOT_BYTES)
    return slot.length < SLOT_BYTES ? [] : [decode(slot)]
  })
  let last: FoundCheckpoint | null = null
  for (const slot of slots)
    if (slot !== null && (last === null || slot.writing > last.writing)) last = slot
  if (last !== null && length === FILE_BYTES) return last
  throw new CorruptSegmentError(
    CHECKPOINT_FILE,
    0,
    `a checkpoint in ${FILE_BYTES} bytes`,
    `${length} bytes ${last === null ? 'without' : 'with'} one`,
  )
}

/**
 * Verifies every byte of a checkpoint file: each slot is valid or was never written, and there is
 * nothing else.
 * @throws {CorruptSegmentError} otherwise
 */
export function verifyCheckpoint(directory: Directory): void {
  if (readCheckpoint(directory) === null) return
  const bytes = Buffer.from(directory.read(CHECKPOINT_FILE))
  const isEmpty = (start: number, end: number): boolean =>
    bytes.subarray(start, end).every(byte => byte === 0)
  for (const at of [0, DISTANCE])
    if (!isEmpty(at, at + SLOT_BYTES) && decode(bytes.subarray(at, at + SLOT_BYTES)) === null)
      throw new CorruptSegmentError(CHECKPOINT_FILE, at, 'a whole place', 'a broken one')
  if (!isEmpty(SLOT_BYTES, DISTANCE))
    throw new CorruptSegmentError(CHECKPOINT_FILE, SLOT_BYTES, 'zeros', 'something else')
}

function encode(id: Uint8Array, writing: number, checkpoint: LogCheckpoint): Buffer {
  const slot = Buffer.alloc(SLOT_BYTES)
  slot.writeUInt32LE(MAGIC, 0)
  slot.writeUInt32LE(VERSION, 8)
  slot.set(id, 16)
  slot.writeDoubleLE(writing, 32)
  slot.writeDoubleLE(checkpoint.generation, 40)
  slot.writeDoubleLE(checkpoint.offset, 48)
  slot.writeDoubleLE(checkpoint.maxSeqNo, 56)
  slot.writeUInt32LE(crc32(slot.subarray(8)), 4)
  return slot
}

function decode(slot: Buffer): FoundCheckpoint | null {
  if (slot.readUInt32LE(0) !== MAGIC || slot.readUInt32LE(8) !== VERSION) return null
  if (crc32(slot.subarray(8)) !== slot.readUInt32LE(4)) return null
  return {
    id: new Uint8Array(slot.subarray(16, 32)),
    writing: slot.readDoubleLE(32),
    generation: slot.readDoubleLE(40),
    offset: slot.readDoubleLE(48),
    maxSeqNo: slot.readDoubleLE(56),
  }
}

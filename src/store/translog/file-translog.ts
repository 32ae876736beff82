import { randomBytes } from 'node:crypto'
import { CorruptSegmentError } from '../../util/errors.ts'
import type { Directory, RandomAccessFile, WritableFile } from '../directory.ts'
import { CHECKPOINT_FILE, CheckpointFile, readCheckpoint } from './log-checkpoint.ts'
import {
  LOG_HEADER_BYTES,
  logFileName,
  logGenerations,
  logHeader,
  openLogFile,
  readRecords,
} from './log-file.ts'
import { RECORD_BYTES, RecordWriter, readRecord, recordLength } from './log-record.ts'
import type { OpenLogs } from './open-logs.ts'
import type { LogLocation, LogOperation, LogStart, LogStats, Translog } from './translog.ts'

/** One file of the log. */
interface Generation {
  readonly number: number
  readonly writer: RecordWriter
  /** Bytes written, and how many of them are durable. */
  written: number
  durable: number
  operations: number
  /** Sequence number of its last operation, −1 without any. */
  maxSeqNo: number
  /** The file exists; its header is written with the first records. */
  isMade: boolean
  /** The file has bytes left by a crash behind `written`. */
  isTorn: boolean
  /** When it was last written to, or else opened: milliseconds since 1970. */
  writtenAt: number
  file: WritableFile | null
}

/** A location is generation · 2³² + offset in its file. */
const GENERATION_STEP = 2 ** 32

/**
 * A log in files, one for each generation, with a checkpoint beside them. Group commit: one write
 * and one sync serve all operations that were appended before they began; then the checkpoint is
 * made durable, and only then does `sync` resolve. Files are created with the first operation.
 */
export class FileTranslog implements Translog {
  readonly id: string
  /**
   * Files left by a crash without any acknowledged operation: to be deleted before the first write.
   */
  readonly leftovers: readonly string[]
  readonly #directory: Directory
  readonly #idBytes: Uint8Array
  readonly #checkpoint: CheckpointFile
  readonly #openLogs: OpenLogs
  readonly #generationBytes: () => number
  /** Ascending; operations are appended to the last one. */
  readonly #generations: Generation[] = []
  #hasCheckpoint: boolean
  #maxSeqNo: number
  #failure: unknown = null
  #isClosed = false
  #isWriting = false
  #last: Promise<void> = Promise.resolve()
  #waiting: Promise<void> | null = null

  /**
   * Opens the log of a folder and verifies uncommitted operations against the checkpoint.
   * @param start where the last commit continues the log; null when there is no commit
   * @param generationBytes size at which the next generation starts
   * @throws {CorruptSegmentError} an acknowledged operation is missing or corrupt
   */
  constructor(
    directory: Directory,
    start: LogStart | null,
    generationBytes: () => number,
    openLogs: OpenLogs,
  ) {
    this.#directory = directory
    this.#generationBytes = generationBytes
    this.#openLogs = openLogs
    const found = readCheckpoint(directory)
    const first = start?.logGeneration ?? 1
    const present = logGenerations(directory)
    if (found === null && (present.length > 0 || (start !== null && start.maxSeqNo >= 0)))
      throw new CorruptSegmentError(CHECKPOINT_FILE, 0, 'the checkpoint of the log', 'no file')
    this.#idBytes = found?.id ?? idOf(start) ?? randomBytes(16)
    this.id = Buffer.from(this.#idBytes).toString('base64url')
    if (start !== null && start.logId !== this.id)
      throw new CorruptSegmentError(CHECKPOINT_FILE, 16, `log ${start.logId}`, this.id)
    this.#checkpoint = new CheckpointFile(directory, this.#idBytes, found)
    this.#hasCheckpoint = found !== null
    const covered = start?.maxSeqNo ?? -1
    this.#maxSeqNo = covered
    const named = found?.generation ?? 0
    for (let number = first, isOpen = true; isOpen; number++) {
      const durable = number < named ? null : number === named ? found!.offset : 0
      const generation = this.#open(number, durable)
      // Behind the checkpoint there may be more operations, none of them acknowledged.
      const goesOn = generation.isMade && !generation.isTorn && present.includes(number + 1)
      isOpen = number < named || goesOn
    }
    if (found !== null && found.maxSeqNo > this.#maxSeqNo)
      throw new CorruptSegmentError(
        CHECKPOINT_FILE,
        56,
        `the log up to operation ${found.maxSeqNo}`,
        `nothing behind ${this.#maxSeqNo}`,
      )
    this.leftovers = present
      .filter(number => !this.#generations.some(known => known.number === number && known.isMade))
      .map(logFileName)
  }

  get generation(): number {
    return this.#current.number
  }

  get hasUnsynced(): boolean {
    return this.#generations.some(isUnsynced)
  }

  /** Sequence number of the last operation, −1 before the first. */
  get maxSeqNo(): number {
    return this.#maxSeqNo
  }

  append(operation: LogOperation): LogLocation {
    let generation = this.#current
    if (generation.written + generation.writer.length > this.#generationBytes()) {
      this.roll()
      generation = this.#current
    }
    const offset = generation.written + generation.writer.length
    generation.writer.append(operation, generation.durable)
    generation.operations++
    generation.maxSeqNo = operation.seqNo
    this.#maxSeqNo = operation.seqNo
    return generation.number * GENERATION_STEP + offset
  }

  sync(): Promise<void> {
    if (this.#waiting === null) {
      this.#waiting = this.#last.then(() => {
        this.#waiting = null
        return this.#writeGroup()
      })
      this.#last = this.#waiting.catch(() => {})
    }
    return this.#waiting
  }

  read(location: LogLocation): LogOperation {
    const number = Math.floor(location / GENERATION_STEP)
    const offset = location % GENERATION_STEP
    const generation = this.#generations.find(known => known.number === number)
    if (generation === undefined) throw new Error(`generation ${number} of the log was trimmed`)
    const bytes =
      offset < generation.written
        ? this.#readBytes(generation, offset)
        : Buffer.from(generation.writer.view().subarray(offset - generation.written))
    const record = readRecord(bytes, 0, recordLength(bytes, 0))
    if (record === null)
      throw new CorruptSegmentError(logFileName(number), offset, 'a whole record', 'a broken one')
    return record.operation()
  }

  *operations(from: number, to: number): Iterable<readonly [LogLocation, LogOperation]> {
    for (const generation of this.#generations) {
      const { number, written, isMade, writer } = generation
      // Copied together: a sync between two steps moves these records to the file.
      const pending = Buffer.from(writer.view())
      const name = logFileName(number)
      if (isMade) {
        const file = openLogFile(this.#directory, this.#idBytes, number)
        try {
          for (const [offset, record] of readRecords(file, name, written, written)) {
            const { seqNo } = record
            if (seqNo >= from && seqNo < to)
              yield [number * GENERATION_STEP + offset, record.operation()]
          }
        } finally {
          file.close()
        }
      }
      for (let at = 0; at < pending.length; ) {
        const length = recordLength(pending, at)
        const record = readRecord(pending, at, length)!
        const { seqNo } = record
        if (seqNo >= from && seqNo < to)
          yield [number * GENERATION_STEP + written + at, record.operation()]
        at += length
      }
    }
  }

  roll(): number {
    const number = this.#current.number + 1
    this.#generations.push(newGeneration(number))
    return number
  }

  trim(generation: number): void {
    while (this.#generations[0]!.number < generation) {
      const { number, file, isMade } = this.#generations.shift()!
      file?.close()
      if (isMade) this.#directory.delete(logFileName(number))
    }
  }

  stats(): LogStats {
    let operations = 0
    let bytes = 0
    for (const generation of this.#generations) {
      operations += generation.operations
      bytes += generation.written + generation.writer.length
    }
    return { operations, bytes, oldestWriteAt: this.#generations[0]!.writtenAt }
  }

  async close(): Promise<void> {
    this.#isClosed = true
    await this.#last
    this.closeFiles()
  }

  /** Closes the files until they are needed again. */
  closeFiles(): void {
    for (const generation of this.#generations) {
      generation.file?.close()
      generation.file = null
    }
    this.#checkpoint.close()
    this.#openLogs.forget(this)
  }

  /** True while files are being written. */
  get isBusy(): boolean {
    return this.#isWriting
  }

  get #current(): Generation {
    return this.#generations.at(-1)!
  }

  /** Writes the appended records, syncs them, and then the checkpoint. */
  async #writeGroup(): Promise<void> {
    if (this.#failure !== null) throw this.#failure
    if (this.#isClosed) {
      if (this.hasUnsynced) throw new Error(`log ${this.id} is closed`)
      return
    }
    this.#isWriting = true
    try {
      this.#openLogs.use(this)
      for (const generation of [...this.#generations]) await this.#writeGeneration(generation)
    } catch (error) {
      // A failed sync may have lost pages that a later one would not report.
      this.#failure = error
      this.closeFiles()
      throw error
    } finally {
      this.#isWriting = false
    }
  }

  async #writeGeneration(generation: Generation): Promise<void> {
    if (!isUnsynced(generation)) return
    const { number, writer } = generation
    if (!this.#hasCheckpoint) {
      await this.#checkpoint.write({ generation: number, offset: 0, maxSeqNo: -1 })
      this.#hasCheckpoint = true
    }
    const file = this.#fileOf(generation)
    const isNew = !generation.isMade
    if (isNew) file.writeAt(0, logHeader(this.#idBytes, number))
    if (generation.isTorn) file.truncate(generation.written)
    file.writeAt(generation.written, writer.view())
    generation.written += writer.length
    generation.writtenAt = Date.now()
    generation.isMade = true
    generation.isTorn = false
    writer.clear()
    const { written, maxSeqNo } = generation
    await file.sync()
    if (isNew) this.#directory.syncFolder()
    generation.durable = written
    await this.#checkpoint.write({ generation: number, offset: written, maxSeqNo })
  }

  #fileOf(generation: Generation): WritableFile {
    generation.file ??= this.#directory.openWritable(logFileName(generation.number))
    return generation.file
  }

  #readBytes(generation: Generation, offset: number): Buffer {
    this.#openLogs.use(this)
    const file = this.#fileOf(generation)
    const head = Buffer.alloc(RECORD_BYTES)
    file.readInto(offset, head)
    const bytes = Buffer.allocUnsafeSlow(Math.max(recordLength(head, 0), RECORD_BYTES))
    file.readInto(offset, bytes)
    return bytes
  }

  /**
   * Opens an existing generation.
   * @param durable its durable bytes; null when all are
   */
  #open(number: number, durable: number | null): Generation {
    const generation = newGeneration(number)
    this.#generations.push(generation)
    const file = this.#openFile(number, durable === 0)
    if (file === null) return generation
    const name = logFileName(number)
    try {
      const { length: end } = file
      for (const [offset, { length, seqNo }] of readRecords(file, name, end, durable ?? end)) {
        const isNext = seqNo === this.#maxSeqNo + 1
        if (!isNext && (durable === null || offset < durable))
          throw new CorruptSegmentError(
            name,
            offset,
            `operation ${this.#maxSeqNo + 1}`,
            `operation ${seqNo}`,
          )
        if (!isNext) break
        generation.written = offset + length
        generation.operations++
        generation.maxSeqNo = seqNo
        this.#maxSeqNo = seqNo
      }
      generation.isMade = true
      generation.isTorn = generation.written < file.length
      generation.durable = Math.min(durable ?? generation.written, generation.written)
    } finally {
      file.close()
    }
    return generation
  }

  /** @param mayLack nothing in it is durable: it may be incomplete, and is then made anew */
  #openFile(number: number, mayLack: boolean): RandomAccessFile | null {
    try {
      return openLogFile(this.#directory, this.#idBytes, number)
    } catch (error) {
      if (mayLack && error instanceof CorruptSegmentError) return null
      throw error
    }
  }
}

/** Whether some operation is not durable: appended, or found behind the checkpoint. */
function isUnsynced({ writer, isMade, written, durable }: Generation): boolean {
  return writer.length > 0 || (isMade && durable < written)
}

function newGeneration(number: number): Generation {
  return {
    number,
    writer: new RecordWriter(),
    written: LOG_HEADER_BYTES,
    durable: 0,
    operations: 0,
    maxSeqNo: -1,
    isMade: false,
    isTorn: false,
    writtenAt: Date.now(),
    file: null,
  }
}

/** The 16 bytes of a commit's log id; null without a commit. */
function idOf(start: LogStart | null): Uint8Array | null {
  if (start === null) return null
  const id = Buffer.from(start.logId, 'base64url')
  return id.length === 16 ? id : null
}

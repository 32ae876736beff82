/** Verifies segment files byte by byte against checksums and the commit. */
import { crc32 } from 'node:zlib'
import { readSegmentFile } from '../codec/directory/reader.ts'
import { type FileFormat, hex32, refuseOtherId, verifyFile } from '../codec/file-frame.ts'
import { readLiveDocs } from '../codec/live-docs/reader.ts'
import type { ManifestSegment } from '../codec/manifest/format.ts'
import { StoredReader } from '../codec/stored/reader.ts'
import type { Directory } from '../store/directory.ts'
import { CorruptSegmentError, EngineError } from '../util/errors.ts'
import { isDispensable, liveDocsFileName, segmentFileName, storedFileName } from './open-segment.ts'

/** One corruption: its location, the expected and the found value. */
export interface FoundDamage {
  readonly file: string
  readonly offset: number
  readonly expected: string
  readonly found: string
}

/** Runs a check and records the corruption that it throws; any other error is recorded as well. */
export function noteDamage(file: string, damages: FoundDamage[], check: () => void): void {
  try {
    check()
  } catch (error) {
    const extra = error instanceof EngineError ? error.record.extra : undefined
    damages.push({
      file: typeof extra?.['file'] === 'string' ? extra['file'] : file,
      offset: typeof extra?.['offset'] === 'number' ? extra['offset'] : 0,
      expected: typeof extra?.['expected'] === 'string' ? extra['expected'] : 'a readable file',
      found: String(extra?.['found'] ?? (error instanceof Error ? error.message : error)),
    })
  }
}

/** Verifies a whole framed file by its own checksum. */
export function verifyFramedFile(directory: Directory, name: string, format: FileFormat): void {
  verifyFile(name, directory.read(name), format)
}

/**
 * Verifies every byte of a segment's files by checksum, and the files against each other and
 * against the commit point.
 * @param onDispensable told of damaged sections that searches do without; absent: they are damages too
 */
export function verifySegment(
  directory: Directory,
  entry: ManifestSegment,
  damages: FoundDamage[],
  onDispensable: OnDispensable | null = null,
): void {
  const segmentName = segmentFileName(entry.name)
  const storedName = storedFileName(entry.name)
  const liveName = liveDocsFileName(entry.name, entry.liveDocsGeneration)
  for (const file of entry.files)
    noteDamage(file.name, damages, () => {
      const bytes = directory.read(file.name)
      expectEqual(file.name, bytes.length, 'length', file.length, bytes.length)
      if (file.name === segmentName) verifySegmentBytes(segmentName, bytes, entry, onDispensable)
      else if (file.name === storedName) verifyStored(storedName, bytes, entry)
      else if (file.name === liveName) verifyLiveDocs(liveName, bytes, entry)
      else throw new CorruptSegmentError(file.name, 0, 'a file of the segment', file.name)
      const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
      const checksum = view.getUint32(bytes.length - 8, true)
      expectEqual(file.name, bytes.length - 8, 'checksum', hex32(file.checksum), hex32(checksum))
    })
}

/** Takes the damage of a section that searches do without. */
type OnDispensable = (error: CorruptSegmentError) => void

/**
 * Verifies all segments of a commit.
 * @param onDispensable told of damaged sections that searches do without
 * @throws {CorruptSegmentError} the first corruption
 */
export function refuseDamagedSegments(
  directory: Directory,
  entries: readonly ManifestSegment[],
  onDispensable: OnDispensable,
): void {
  for (const entry of entries) {
    const damages: FoundDamage[] = []
    verifySegment(directory, entry, damages, onDispensable)
    const first = damages[0]
    if (first !== undefined)
      throw new CorruptSegmentError(first.file, first.offset, first.expected, first.found)
  }
}

function verifySegmentBytes(
  name: string,
  bytes: Uint8Array,
  entry: ManifestSegment,
  onDispensable: OnDispensable | null,
): void {
  const readAt = (offset: number, length: number): Uint8Array =>
    bytes.subarray(offset, offset + length)
  const { id, directory } = readSegmentFile(name, bytes.length, readAt)
  refuseOtherId(name, entry.id, id)
  expectEqual(name, 0, 'documents', entry.maxDoc, directory.maxDoc)
  // A corrupt section is reported by its own location, ahead of the whole file.
  let isWhole = true
  for (const section of directory.sections) {
    const found = crc32(readAt(section.offset, section.length))
    if (found === section.checksum) continue
    const error = new CorruptSegmentError(
      name,
      section.offset,
      `checksum ${hex32(section.checksum)} of section [${section.kind}]`,
      hex32(found),
    )
    if (onDispensable === null || !isDispensable(section.kind)) throw error
    onDispensable(error)
    isWhole = false
  }
  // The checksum of the file is that of its sections' bytes too.
  if (isWhole) verifyFile(name, bytes, 'segment')
  const numbers = new Set(directory.fields.map(field => field.number))
  for (const section of directory.sections)
    if (section.field !== -1 && !numbers.has(section.field))
      throw new CorruptSegmentError(
        name,
        section.offset,
        `a field of number ${section.field}`,
        'none',
      )
}

function verifyStored(name: string, bytes: Uint8Array, entry: ManifestSegment): void {
  const reader = new StoredReader(name, bytes.length, (offset, length) =>
    bytes.subarray(offset, offset + length),
  )
  for (let block = 0; block < reader.blockCount; block++) reader.readBlock(block)
  verifyFile(name, bytes, 'stored')
  refuseOtherId(name, entry.id, bytes.subarray(16, 32))
  expectEqual(name, 0, 'documents', entry.maxDoc, reader.maxDoc)
}

function verifyLiveDocs(name: string, bytes: Uint8Array, entry: ManifestSegment): void {
  const { segmentId, live, deletedCount } = readLiveDocs(name, bytes)
  refuseOtherId(name, entry.id, segmentId)
  expectEqual(name, 0, 'documents', entry.maxDoc, live.size)
  expectEqual(name, 0, 'deleted documents', entry.deletedDocs, deletedCount)
}

function expectEqual(
  name: string,
  offset: number,
  what: string,
  expected: number | string,
  found: number | string,
): void {
  if (expected !== found)
    throw new CorruptSegmentError(name, offset, `${what} ${expected}`, `${found}`)
}

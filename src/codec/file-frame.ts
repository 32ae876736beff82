/** Header and footer of every file: format, writing and checks. */
import { crc32 } from 'node:zlib'
import { ByteWriter } from '../util/byte-writer.ts'
import { CorruptSegmentError, UnsupportedFormatError } from '../util/errors.ts'

/**
 * Header and footer of every file, little-endian.
 *
 *   header := 32 bytes
 *      0  4 bytes  "LMLA"
 *      4  4 bytes  the format's name: "SEG ", "STO ", "LIV ", "CMT ", "MET "
 *      8  u32      version of the format
 *     12  u32      0
 *     16  16 bytes id of the segment or store that the file belongs to
 *   footer := 32 bytes
 *      0  u64      offset of the directory, 0 where the format has none
 *      8  u32      length of the directory
 *     12  u32      CRC-32 of the directory
 *     16  u64      length of the file, so that a longer one is seen
 *     24  u32      CRC-32 of all before these four bytes
 *     28  4 bytes  "ALML"
 *
 * Example: the bytes 01 02 03 as a state of metadata.
 *
 *   4c 4d 4c 41              | "LMLA"
 *   4d 45 54 20              | "MET "
 *   01 00 00 00              | version
 *   00 00 00 00
 *   a0 a1 a2 a3 a4 a5 a6 a7 a8 a9 aa ab ac ad ae af  | id
 *   01 02 03                 | the body, which is its directory
 *   20 00 00 00 00 00 00 00  | offset of the directory
 *   03 00 00 00              | its length
 *   1d 80 bc 55              | its CRC-32
 *   43 00 00 00 00 00 00 00  | length of the file
 *   25 cb 36 11              | CRC-32 of all before
 *   41 4c 4d 4c              | "ALML"
 *   => { body: [1, 2, 3] }
 */
export const HEADER_BYTES = 32
export const FOOTER_BYTES = 32
const MAGIC = 0x414c4d4c
const END_MAGIC = 0x4c4d4c41

/** File formats, their four-letter names and the versions that this build writes. */
export const FILE_FORMATS = {
  segment: { name: 'SEG ', version: 1 },
  stored: { name: 'STO ', version: 1 },
  liveDocs: { name: 'LIV ', version: 1 },
  commit: { name: 'CMT ', version: 1 },
  metadata: { name: 'MET ', version: 2 },
} as const

/** The name of a file format. */
export type FileFormat = keyof typeof FILE_FORMATS

/** The location of the directory, from the footer. */
export interface Footer {
  readonly directoryOffset: number
  readonly directoryLength: number
  readonly directoryChecksum: number
  readonly fileLength: number
  readonly checksum: number
}

/** Starts a file: its 32-byte header. */
export function fileHeader(format: FileFormat, id: Uint8Array): Uint8Array {
  const { name, version } = FILE_FORMATS[format]
  const out = new ByteWriter(HEADER_BYTES)
  out.bytes(Uint8Array.of(0x4c, 0x4d, 0x4c, 0x41))
  for (let i = 0; i < 4; i++) out.u8(name.charCodeAt(i))
  out.u32(version)
  out.u32(0)
  out.bytes(id, 0, 16)
  return out.copy()
}

/**
 * Ends a file: its 32-byte footer.
 * @param checksum CRC-32 of every byte before the footer
 */
export function fileFooter(
  directoryOffset: number,
  directory: Uint8Array,
  bytesBefore: number,
  checksum: number,
): Uint8Array {
  const out = new ByteWriter(FOOTER_BYTES)
  u64(out, directoryOffset)
  out.u32(directory.length)
  out.u32(directory.length === 0 ? 0 : crc32(directory))
  u64(out, bytesBefore + FOOTER_BYTES)
  out.u32(crc32(out.view(), checksum))
  out.bytes(Uint8Array.of(0x41, 0x4c, 0x4d, 0x4c))
  return out.copy()
}

/**
 * Checks a header.
 * @returns the 16-byte id
 * @throws {CorruptSegmentError} another file or format
 * @throws {UnsupportedFormatError} a newer version than this build reads
 */
export function readHeader(file: string, bytes: Uint8Array, format: FileFormat): Uint8Array {
  const { name, version } = FILE_FORMATS[format]
  if (bytes.length < HEADER_BYTES)
    throw new CorruptSegmentError(file, 0, `${HEADER_BYTES} bytes`, `${bytes.length}`)
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (view.getUint32(0, true) !== MAGIC)
    throw new CorruptSegmentError(file, 0, 'the magic LMLA', hex(bytes.subarray(0, 4)))
  const found = String.fromCharCode(...bytes.subarray(4, 8))
  if (found !== name)
    throw new CorruptSegmentError(file, 4, `format [${name}]`, hex(bytes.subarray(4, 8)))
  const foundVersion = view.getUint32(8, true)
  if (foundVersion > version) throw new UnsupportedFormatError(file, name, foundVersion, version)
  if (foundVersion === 0 || view.getUint32(12, true) !== 0)
    throw new CorruptSegmentError(
      file,
      8,
      `version 1 to ${version} and 0`,
      hex(bytes.subarray(8, 16)),
    )
  return bytes.slice(16, 32)
}

/**
 * Checks that a file's header has the id of its segment.
 * @throws {CorruptSegmentError} another segment's id
 */
export function refuseOtherId(file: string, expected: Uint8Array, found: Uint8Array): void {
  if (Buffer.compare(expected, found) === 0) return
  const text = (id: Uint8Array): string => Buffer.from(id).toString('hex')
  throw new CorruptSegmentError(file, 16, `id ${text(expected)}`, text(found))
}

/**
 * Checks a footer against the file's length; does not read the file.
 * @param bytes the last 32 bytes
 * @throws {CorruptSegmentError} no footer, or a file of another length
 */
export function readFooter(file: string, bytes: Uint8Array, fileLength: number): Footer {
  const at = fileLength - FOOTER_BYTES
  if (bytes.length < FOOTER_BYTES || at < HEADER_BYTES)
    throw new CorruptSegmentError(
      file,
      0,
      `at least ${HEADER_BYTES + FOOTER_BYTES} bytes`,
      `${fileLength}`,
    )
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (view.getUint32(28, true) !== END_MAGIC)
    throw new CorruptSegmentError(file, at + 28, 'the magic ALML', hex(bytes.subarray(28, 32)))
  const length = view.getUint32(16, true) + view.getUint32(20, true) * 4294967296
  if (length !== fileLength)
    throw new CorruptSegmentError(file, at + 16, `a length of ${fileLength}`, `${length}`)
  const directoryOffset = view.getUint32(0, true) + view.getUint32(4, true) * 4294967296
  const directoryLength = view.getUint32(8, true)
  if (directoryOffset !== 0 && directoryOffset + directoryLength !== at)
    throw new CorruptSegmentError(
      file,
      at,
      `a directory that ends at ${at}`,
      `${directoryOffset} + ${directoryLength}`,
    )
  return {
    directoryOffset,
    directoryLength,
    directoryChecksum: view.getUint32(12, true),
    fileLength: length,
    checksum: view.getUint32(24, true),
  }
}

/**
 * Verifies a whole file by its own checksum.
 * @throws {CorruptSegmentError} the checksum does not match
 */
export function verifyFile(file: string, bytes: Uint8Array, format: FileFormat): Footer {
  readHeader(file, bytes, format)
  const footer = readFooter(file, bytes.subarray(-FOOTER_BYTES), bytes.length)
  const found = crc32(bytes.subarray(0, bytes.length - 8))
  if (found !== footer.checksum)
    throw new CorruptSegmentError(
      file,
      bytes.length - 8,
      `checksum ${hex32(footer.checksum)}`,
      hex32(found),
    )
  return footer
}

/** A whole small file: header, body, footer, with the body as its directory. */
export function frameFile(format: FileFormat, id: Uint8Array, body: Uint8Array): Uint8Array {
  const header = fileHeader(format, id)
  const checksum = crc32(body, crc32(header))
  const footer = fileFooter(HEADER_BYTES, body, HEADER_BYTES + body.length, checksum)
  const out = new Uint8Array(header.length + body.length + footer.length)
  out.set(header)
  out.set(body, header.length)
  out.set(footer, header.length + body.length)
  return out
}

/**
 * The id and body of a whole small file.
 * @throws {CorruptSegmentError} its checksum does not match
 */
export function unframeFile(
  file: string,
  bytes: Uint8Array,
  format: FileFormat,
): { id: Uint8Array; body: Uint8Array } {
  verifyFile(file, bytes, format)
  return {
    id: bytes.slice(16, 32),
    body: bytes.subarray(HEADER_BYTES, bytes.length - FOOTER_BYTES),
  }
}

/** A checksum as eight hexadecimal digits. */
export function hex32(value: number): string {
  return value.toString(16).padStart(8, '0')
}

function hex(bytes: Uint8Array): string {
  return Array.from(bytes, byte => byte.toString(16).padStart(2, '0')).join(' ')
}

function u64(out: ByteWriter, value: number): void {
  out.u32(value >>> 0)
  out.u32(Math.floor(value / 4294967296))
}

/** The frame of a repository's own files: its list of snapshots, and what each of them holds. */
import { crc32, deflateRawSync, inflateRawSync } from 'node:zlib'
import { ByteWriter } from '../../util/byte-writer.ts'
import { CorruptSegmentError, UnsupportedFormatError } from '../../util/errors.ts'
import { type JsonNode, parseJsonTree } from '../../util/json/json-tree.ts'
import type { JsonValue } from '../../util/json/json-value.ts'
import { writeJson } from '../../util/json/json-writer.ts'

/**
 * A file of a repository, little-endian:
 *
 *   file := header body footer
 *   header := 16 bytes
 *      0  4 bytes  "LMLR"
 *      4  4 bytes  the kind: "ROOT", "SNAP"
 *      8  u16      version of the format: 2 of a snapshot that says in which parts its files are, else 1
 *     10  u16      1: the body is deflated, else 0
 *     12  u32      length of the body, of a deflated one before it was
 *   body := JSON
 *   footer := 8 bytes
 *      0  u32      CRC-32 of all before
 *      4  4 bytes  "RLML"
 *
 * Example: the body {} of a root that is not deflated.
 *
 *   4c 4d 4c 52 52 4f 4f 54  | "LMLR" "ROOT"
 *   01 00 00 00 02 00 00 00  | version, not deflated, length of the body
 *   7b 7d                    | the body
 *   50 da a9 b7 52 4c 4d 4c  | CRC-32 of all before, "RLML"
 */
const HEADER_BYTES = 16
const FOOTER_BYTES = 8
const MAGIC = 'LMLR'
const END_MAGIC = 'RLML'

/** Longest body: it is held in memory as a whole. */
const MAX_BODY_BYTES = 512 * 2 ** 20

/** Kinds of files. */
export type RepositoryFileKind = 'ROOT' | 'SNAP'

/** The newest version of each that this build reads. */
const VERSIONS: Readonly<Record<RepositoryFileKind, number>> = { ROOT: 1, SNAP: 2 }

/**
 * The whole file of a body.
 * @param version the first one of the format that knows what is in the body
 */
export function writeRepositoryFile(
  kind: RepositoryFileKind,
  body: JsonValue,
  isCompressed: boolean,
  version: 1 | 2 = 1,
): Uint8Array {
  const plain = writeJson(body)
  const stored = isCompressed ? deflateRawSync(plain) : plain
  const out = new ByteWriter(HEADER_BYTES + stored.length + FOOTER_BYTES)
  out.bytes(Buffer.from(MAGIC + kind, 'latin1'))
  out.u32(version | (isCompressed ? 1 << 16 : 0))
  out.u32(plain.length)
  out.bytes(stored)
  out.u32(crc32(out.view()))
  out.bytes(Buffer.from(END_MAGIC, 'latin1'))
  return out.copy()
}

/**
 * The body of a file.
 * @throws {CorruptSegmentError} damage
 * @throws {UnsupportedFormatError} a newer version than this build reads
 */
export function readRepositoryFile(
  name: string,
  kind: RepositoryFileKind,
  bytes: Uint8Array,
): JsonNode {
  if (bytes.length < HEADER_BYTES + FOOTER_BYTES)
    throw new CorruptSegmentError(
      name,
      0,
      `${HEADER_BYTES + FOOTER_BYTES} bytes`,
      `${bytes.length}`,
    )
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  expectText(name, bytes, 0, MAGIC)
  expectText(name, bytes, 4, kind)
  const version = view.getUint16(8, true)
  // Ahead of the checksum: a newer version may end in another way.
  if (version > VERSIONS[kind])
    throw new UnsupportedFormatError(name, kind, version, VERSIONS[kind])
  expectText(name, bytes, bytes.length - 4, END_MAGIC)
  const end = bytes.length - FOOTER_BYTES
  const [expected, found] = [view.getUint32(end, true), crc32(bytes.subarray(0, end))]
  if (expected !== found)
    throw new CorruptSegmentError(name, end, `checksum ${expected}`, String(found))
  const stored = bytes.subarray(HEADER_BYTES, end)
  return parseJsonTree(inflated(name, stored, view.getUint16(10, true), view.getUint32(12, true)))
}

function inflated(name: string, stored: Uint8Array, flags: number, length: number): Uint8Array {
  if (length > MAX_BODY_BYTES)
    throw new CorruptSegmentError(name, 12, `at most ${MAX_BODY_BYTES} bytes`, String(length))
  let plain = stored
  if (flags === 1) {
    try {
      plain = inflateRawSync(stored, { maxOutputLength: Math.max(1, length) })
    } catch (error) {
      throw new CorruptSegmentError(name, HEADER_BYTES, 'a deflated body', String(error))
    }
  }
  if (plain.length !== length || flags > 1)
    throw new CorruptSegmentError(name, 10, `a body of ${length} bytes`, String(plain.length))
  return plain
}

function expectText(name: string, bytes: Uint8Array, at: number, text: string): void {
  const found = Buffer.from(bytes.subarray(at, at + 4)).toString('latin1')
  if (found !== text)
    throw new CorruptSegmentError(name, at, text, Buffer.from(found).toString('hex'))
}

import type { WrittenFile } from '../pool/messages.ts'
import { FsDirectory } from '../store/fs-directory.ts'

/** Stem of a segment's file names: its number in base 36. */
export function segmentStem(number: number): string {
  return `_${number.toString(36)}`
}

/**
 * Writes a segment's files on a worker, or returns their bytes for a store in memory. A failure
 * leaves no file behind.
 * @param folder null returns the bytes
 */
export function writeSegmentFiles(
  folder: string | null,
  files: readonly { readonly name: string; readonly bytes: Uint8Array }[],
): WrittenFile[] {
  const described = files.map(({ name, bytes }) => {
    // The checksum is eight bytes before the end of every framed file.
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    const checksum = view.getUint32(bytes.length - 8, true)
    return { name, length: bytes.length, checksum, bytes: folder === null ? alone(bytes) : null }
  })
  if (folder === null) return described
  const directory = new FsDirectory(folder)
  const written: string[] = []
  try {
    for (const { name, bytes } of files) {
      // An existing file of that name is left from a failed attempt.
      directory.delete(name)
      directory.write(name, bytes)
      written.push(name)
    }
  } catch (error) {
    for (const name of written) directory.delete(name)
    throw error
  }
  return described
}

/** Bytes in a buffer of their own size, to cross threads. */
function alone(bytes: Uint8Array): Uint8Array {
  return bytes.length === bytes.buffer.byteLength ? bytes : bytes.slice()
}

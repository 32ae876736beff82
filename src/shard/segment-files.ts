import type { WrittenFile } from '../pool/messages.ts'
import { FsDirectory } from '../store/fs-directory.ts'

/**
 * Writes a segment's files where workers write, or hands their bytes back for a store in memory. A
 * failure leaves none of them.
 * @param folder null hands the bytes back
 */
export function writeSegmentFiles(
  folder: string | null,
  files: readonly { readonly name: string; readonly bytes: Uint8Array }[],
): WrittenFile[] {
  const described = files.map(({ name, bytes }) => {
    // The checksum stands eight bytes before the end of every framed file.
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    const checksum = view.getUint32(bytes.length - 8, true)
    return { name, length: bytes.length, checksum, bytes: folder === null ? alone(bytes) : null }
  })
  if (folder === null) return described
  const directory = new FsDirectory(folder)
  const written: string[] = []
  try {
    for (const { name, bytes } of files) {
      // A file of that name can only be the rest of an attempt that failed.
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

/** Bytes that cross threads without the room behind them. */
function alone(bytes: Uint8Array): Uint8Array {
  return bytes.length === bytes.buffer.byteLength ? bytes : bytes.slice()
}

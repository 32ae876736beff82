import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readSegmentFile } from '../../src/codec/directory/reader.ts'

/** Flips a bit of every graph of vectors in the segments below a folder. @returns how many there are */
export function damageGraphs(folder: string): number {
  let damaged = 0
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (!name.endsWith('.seg')) continue
    const bytes = new Uint8Array(readFileSync(join(folder, name)))
    const { directory } = readSegmentFile(name, bytes.length, (at, n) => bytes.subarray(at, at + n))
    for (const { kind, offset, length } of directory.sections) {
      if (kind !== 'vectorGraph') continue
      const at = offset + (length >> 1)
      bytes[at] = bytes[at]! ^ 1
      damaged++
    }
    writeFileSync(join(folder, name), bytes)
  }
  return damaged
}

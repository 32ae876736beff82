import { mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

/**
 * Makes a folder with its parents, readable only by their owner; existing ones stay unchanged.
 *
 * `mkdir` with `recursive` never returns if an existing parent refuses children with ENOENT, as
 * `/proc` does. Here each folder of the path is tried at most twice.
 *
 * @throws {Error} of the file system, with its `code`
 */
export function makeFolder(path: string): void {
  if (tryToMake(path) === null) return
  makeFolder(dirname(path))
  const missing = tryToMake(path)
  if (missing !== null) throw missing
}

/** Null once the folder exists, else the ENOENT of a missing parent. */
function tryToMake(path: string): NodeJS.ErrnoException | null {
  try {
    mkdirSync(path, { mode: 0o700 })
    return null
  } catch (error) {
    const refusal = error as NodeJS.ErrnoException
    if (refusal.code === 'ENOENT') return refusal
    // A read-only or foreign parent answers with EROFS or EACCES even if the folder exists.
    if (statSync(path, { throwIfNoEntry: false })?.isDirectory() === true) return null
    throw error
  }
}

import { readdirSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { join, relative, resolve, sep } from 'node:path'
import { IllegalArgumentError } from '../util/errors.ts'

/** Max file size: the whole file is held in memory, and its lines are sent to every thread. */
const MAX_FILE_BYTES = 64 * 2 ** 20

/** Default name of the folder inside the data folder. */
const CONFIG = 'config'

/**
 * Reads the lines of text files (UTF-8) below a node's configuration folder, or the names of the
 * files of a folder in it, sorted.
 * @param given `path.conf`, null for the default; relative to the data folder, if there is one
 * @param dataFolder null in memory
 * @returns takes a path, relative to the folder or absolute within it. It throws
 *   `IllegalArgumentError` for a path outside the folder (links are followed first), no file, a
 *   file that is too large, or a node without such a folder
 */
export function configFolder(
  given: string | null,
  dataFolder: string | null,
): (path: string, kind?: 'lines' | 'names') => readonly string[] {
  const folder =
    given === null
      ? dataFolder === null
        ? null
        : join(dataFolder, CONFIG)
      : resolve(dataFolder ?? '.', given)
  return (path, kind = 'lines') => {
    if (folder === null)
      throw new IllegalArgumentError(
        `cannot read [${path}]: an engine in memory has no configuration folder unless [path.conf] names one`,
      )
    if (kind === 'names')
      return readdirSync(entryWithin(folder, path, true), { withFileTypes: true })
        .filter(entry => !entry.isDirectory())
        .map(entry => entry.name)
        .sort()
    return readFileSync(entryWithin(folder, path, false), 'utf8')
      .replace(/^\ufeff/, '')
      .split(/\r\n|\n|\r/)
  }
}

function entryWithin(folder: string, path: string, isFolder: boolean): string {
  let file: string
  let size: number
  try {
    file = realpathSync(resolve(folder, path))
    const stats = statSync(file)
    if (isFolder ? !stats.isDirectory() : !stats.isFile()) throw new Error('it is another thing')
    size = stats.size
  } catch {
    // The same message for missing and unreadable files: it reveals nothing about other files.
    throw new IllegalArgumentError(`IOException while reading [${path}]: no such file in path.conf`)
  }
  const way = relative(realpathSync(folder), file)
  if (way === '..' || way.startsWith(`..${sep}`) || resolve(way) === way)
    throw new IllegalArgumentError(`IOException while reading [${path}]: no such file in path.conf`)
  if (size > MAX_FILE_BYTES)
    throw new IllegalArgumentError(
      `[${path}] has [${size}] bytes, more than the [${MAX_FILE_BYTES}] that a word file may have`,
    )
  return file
}

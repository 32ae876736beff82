import { existsSync } from 'node:fs'
import type { Database } from '../embed/database.ts'
import type { Index } from '../embed/index-handle.ts'
import { LamellaError } from '../embed/lamella-error.ts'
import type { OpenOptions } from '../embed/open.ts'
import type { Arguments, OptionSpec } from './command-line.ts'
import { CliError } from './exit-code.ts'
import { openDatabase } from './open-database.ts'

/** Where the data lies unless `--data` says otherwise: below the working directory. */
const DEFAULT_FOLDER = 'lamella-data'

/** The option that names the data folder. */
export const DATA_OPTION: OptionSpec = {
  type: 'string',
  valueHint: 'DIR',
  description: `The data folder (default: ${DEFAULT_FOLDER})`,
}

/** The folder that a command line means. */
export function dataFolder(given: Arguments): string {
  return given.text('data') ?? DEFAULT_FOLDER
}

/**
 * Opens a data folder that must be there already, for a verb that reads.
 * @throws {CliError} there is none, or another process holds it
 */
export function openExisting(given: Arguments, options: OpenOptions = {}): Promise<Database> {
  const folder = dataFolder(given)
  if (!existsSync(folder))
    throw new CliError(
      `there is no data folder [${folder}]: fill one with \`lamella index\`, or name it with --data`,
    )
  return openFolder(folder, options)
}

/**
 * Opens a data folder, made when it is not there.
 * @throws {CliError} another process holds it
 */
export async function openFolder(folder: string, options: OpenOptions = {}): Promise<Database> {
  try {
    return await openDatabase(folder, options)
  } catch (error) {
    if (error instanceof LamellaError && error.message.includes('is in use by'))
      throw new CliError(`${error.message}. A running server takes the same requests over HTTP.`)
    throw error
  }
}

/**
 * An index of a database.
 * @throws {CliError} there is none; names those that are there
 */
export async function existingIndex(db: Database, name: string): Promise<Index> {
  try {
    return await db.existing(name)
  } catch (error) {
    if (!(error instanceof LamellaError)) throw error
    const names = await db.indices()
    throw new CliError(
      `${error.message}; the folder holds ${names.length === 0 ? 'none' : names.join(', ')}`,
    )
  }
}

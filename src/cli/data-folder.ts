import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Database } from '../embed/database.ts'
import type { Index } from '../embed/index-handle.ts'
import { LamellaError } from '../embed/lamella-error.ts'
import { open } from '../embed/open.ts'
import type { SettingInputs } from '../embed/setting-values.ts'
import type { Arguments, OptionSpec } from './command-line.ts'
import { CliError, UsageError } from './exit-code.ts'

/** Where the data lies unless `--data` says otherwise: below the working directory. */
const DEFAULT_FOLDER = 'lamella-data'
/** Node settings that a folder brings along. */
const SETTINGS_FILE = 'lamella.json'

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
 * Node settings: those of the folder's lamella.json, then those given as `-E key=value`.
 * @throws {UsageError} an `-E` without `=`
 * @throws {CliError} a lamella.json that is no JSON object of settings
 */
export function nodeSettingsOf(folder: string, given: Arguments): SettingInputs {
  const settings = new Map<string, SettingInputs[string]>()
  const file = join(folder, SETTINGS_FILE)
  if (existsSync(file)) readSettings(file, settings)
  for (const pair of given.list('setting')) {
    const at = pair.indexOf('=')
    if (at <= 0) throw new UsageError(`-E takes key=value, found [${pair}]`)
    settings.set(pair.slice(0, at), pair.slice(at + 1))
  }
  return Object.fromEntries(settings)
}

/** Nested or dotted keys; lists of texts stay lists. */
function readSettings(file: string, settings: Map<string, SettingInputs[string]>): void {
  let root: unknown
  try {
    root = JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    throw new CliError(`cannot read the settings in [${file}]: ${(error as Error).message}`)
  }
  // No recursion: how deep the file is nested is the user's business.
  const open: { path: string; value: unknown }[] = [{ path: '', value: root }]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { path, value } = next
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      if (path === '') throw new CliError(`[${file}] must be a JSON object of node settings`)
      settings.set(path, value as SettingInputs[string])
      continue
    }
    for (const [key, item] of Object.entries(value))
      open.push({ path: path === '' ? key : `${path}.${key}`, value: item })
  }
}

/**
 * Opens a data folder that must be there already, for a verb that reads.
 * @throws {CliError} there is none, or another process holds it
 */
export function openExisting(given: Arguments): Promise<Database> {
  const folder = dataFolder(given)
  if (!existsSync(folder))
    throw new CliError(
      `there is no data folder [${folder}]: fill one with \`lamella index\`, or name it with --data`,
    )
  return openFolder(folder, nodeSettingsOf(folder, given))
}

/**
 * Opens a data folder, made when it is not there.
 * @param onDefect told of the errors behind responses of status 500
 * @throws {CliError} another process holds it
 */
export async function openFolder(
  folder: string,
  settings: SettingInputs,
  onDefect?: (error: unknown) => void,
): Promise<Database> {
  try {
    return await open(folder, { settings, ...(onDefect === undefined ? {} : { onDefect }) })
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

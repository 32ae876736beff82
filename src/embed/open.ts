import { resolve } from 'node:path'
import { openEngine } from '../engine/engine.ts'
import { IllegalArgumentError } from '../util/errors.ts'
import { checkOptions, checkText, type OptionKeys } from './arguments.ts'
import { Database, type DatabaseOptions } from './database.ts'
import { rethrown } from './lamella-error.ts'
import { localBackend } from './local-backend.ts'
import { type SettingInputs, settingChanges } from './setting-values.ts'

/** How a database is opened. */
export interface OpenOptions extends DatabaseOptions {
  /**
   * Node settings by full dotted key: `{ 'lamella.threads.search': 4 }`. They win over those of a
   * `lamella.json` in the folder; null goes back to the default.
   */
  readonly settings?: SettingInputs
}

/** The keys of `OpenOptions`. */
export const OPEN_OPTIONS: OptionKeys<OpenOptions> = { settings: true, onDefect: true, onLog: true }

/**
 * Opens a database; resolves when every committed index answers. A shard whose files are damaged does
 * not keep the rest from opening: it answers with an error that says what is wrong, and is never
 * written to.
 *
 * @param folder of its files, made with mode 0700 when absent; undefined keeps all in memory
 * @throws {LamellaError} `illegal_argument_exception`: a folder that is no path of a folder, or that
 *   cannot be made or written, an unknown option or setting; `illegal_state_exception`: a folder that
 *   another process holds, a full disk; `corrupt_index_exception`: damaged metadata;
 *   `parse_exception`: a `lamella.json` that is no JSON object of settings
 */
export function open(folder?: string, options: OpenOptions = {}): Promise<Database> {
  return rethrown(async () => {
    checkOptions('option of open', options, OPEN_OPTIONS)
    const path = folder === undefined ? null : folderPath(folder)
    const settings = settingChanges(options.settings ?? {}, '')
    const engine = await openEngine({
      folder: path,
      settings,
      ...(options.onLog === undefined ? {} : { onLog: options.onLog }),
    }).catch((error: unknown) => {
      throw folderError(error, path)
    })
    return new Database(localBackend(engine, options.onDefect))
  })
}

function folderPath(folder: string): string {
  checkText('folder', folder, ', or undefined for a database in memory')
  if (folder === '')
    throw new IllegalArgumentError(
      '[folder] must not be empty: name a folder, or leave it out for a database in memory',
    )
  if (folder.includes('\0'))
    throw new IllegalArgumentError('[folder] must not hold the character U+0000')
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(folder))
    throw new IllegalArgumentError(
      `[folder] must be a path, found the URL [${folder}]: fileURLToPath of node:url makes one of ` +
        'a file URL',
    )
  return resolve(folder)
}

/** Codes with which a file system refuses the folder itself, and their meaning for it. */
const FOLDER_REASONS: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EEXIST: 'it is a file',
  EINVAL: 'the file system takes no such name',
  ELOOP: 'its symbolic links lead in a circle',
  ENAMETOOLONG: 'its name is too long',
  ENOENT: 'no folder can be made in its parent',
  ENOTDIR: 'a part of the path is a file',
  EPERM: 'permission denied',
  EROFS: 'the file system is read-only',
}

/** The folder itself is refused by the system; any other error as it is. */
function folderError(error: unknown, folder: string | null): unknown {
  const { code = '', syscall, message } = error as NodeJS.ErrnoException
  const why = FOLDER_REASONS[code]
  if (folder === null || syscall === undefined || why === undefined) return error
  return new IllegalArgumentError(`[folder] [${folder}] cannot be opened: ${why} (${message})`, {
    extra: { code },
  })
}

import { resolve } from 'node:path'
import { openEngine } from '../engine/engine.ts'
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

/**
 * Opens a database; resolves when every committed index answers. A shard whose files are damaged does
 * not keep the rest from opening: it answers with an error that says what is wrong, and is never
 * written to.
 *
 * @param folder of its files, made with mode 0700 when absent; undefined keeps all in memory
 * @throws {LamellaError} a folder that another process holds, damaged metadata, an unknown setting, a
 *   `lamella.json` that is no JSON object of settings
 */
export function open(folder?: string, options: OpenOptions = {}): Promise<Database> {
  return rethrown(async () => {
    const engine = await openEngine({
      folder: folder === undefined ? null : resolve(folder),
      settings: settingChanges(options.settings ?? {}, ''),
    })
    return new Database(localBackend(engine, options.onDefect))
  })
}

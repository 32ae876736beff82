/** The node settings that a data folder brings along, in a file of its owner's. */
import { settingsOfNode } from '../../schema/setting-registry.ts'
import { flattenSettings, Settings } from '../../schema/settings.ts'
import { readOnlyFolder } from '../../store/read-only-folder.ts'
import { EngineError, toErrorRecord } from '../../util/errors.ts'
import { parseJsonTree } from '../../util/json/json-tree.ts'

/** A JSON object of settings, nested or dotted; read when the folder is opened and never written. */
const SETTINGS_FILE = 'lamella.json'

/**
 * Reads `lamella.json` of a data folder; the folder is not made when it is not there.
 * @returns its settings, checked; none when there is no such file
 * @throws {EngineError} `parse_exception` that names the file: no JSON object, an unknown setting, a
 *   value that is none
 */
export function settingsOfFolder(folder: string): Settings {
  const files = readOnlyFolder(folder)
  if (files.length(SETTINGS_FILE) < 0) return Settings.EMPTY
  try {
    return settingsOfNode(flattenSettings(parseJsonTree(files.read(SETTINGS_FILE)), ''))
  } catch (error) {
    const causedBy = toErrorRecord(error)
    throw new EngineError({
      type: 'parse_exception',
      reason: `cannot read the settings in [${folder}/${SETTINGS_FILE}]: ${causedBy.reason}`,
      causedBy,
    })
  }
}

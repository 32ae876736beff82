import type { Settings } from '../schema/settings.ts'

/** Keys of settings that answers show to nobody: salts and paths of keys are among them. */
const UNSHOWN = 'plugins.security.'

/** The settings of a node that answers may show. */
export function shownSettings(settings: Settings): Settings {
  return settings.filter(key => !key.startsWith(UNSHOWN))
}

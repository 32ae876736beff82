import type { Settings } from '../schema/settings.ts'

/** How keys of settings begin that answers show to nobody: salts, passphrases and paths of keys. */
const UNSHOWN: readonly string[] = ['plugins.security.', 'reindex.ssl.key_passphrase']

/** The settings of a node that answers may show. */
export function shownSettings(settings: Settings): Settings {
  return settings.filter(key => !UNSHOWN.some(start => key.startsWith(start)))
}

/** Settings of scripts that name contexts or types, or that only hold together with others. */
import { clusterSettings, nodeSettings } from '../../schema/setting-registry.ts'
import type { Settings } from '../../schema/settings.ts'
import { SCRIPT_CONTEXTS } from '../../script/context/script-contexts.ts'
import { IllegalArgumentError } from '../../util/errors.ts'

const CONTEXT_SETTING =
  /^script\.context\.(.+)\.(cache_max_size|cache_expire|max_compilations_rate)$/
const GENERAL_RATE = 'script.max_compilations_rate'
const USE_CONTEXT = 'use-context'
const DISABLE_RATE = 'script.disable_max_compilations_rate'
const TYPES: readonly string[] = ['inline', 'stored']

/**
 * Refuses settings of caches that name a context which is not there, or that contradict each other.
 * @param settings of the cluster, over those of the start
 * @throws {IllegalArgumentError}
 */
export function checkScriptCaches(settings: Settings): void {
  const keys: string[] = []
  const rates: string[] = []
  for (const key of settings.keys()) {
    const [, context, name] = CONTEXT_SETTING.exec(key) ?? []
    if (context === undefined) continue
    if (!SCRIPT_CONTEXTS.has(context))
      throw new IllegalArgumentError(`Context [${context}] doesn't exist for setting [${key}]`)
    keys.push(key)
    if (name === 'max_compilations_rate') rates.push(key)
  }
  const general = clusterSettings.text(settings, GENERAL_RATE)
  const usesContext = general === USE_CONTEXT
  if (!usesContext && keys.length > 0)
    throw new IllegalArgumentError(
      `Context cache settings [${keys.join(', ')}] requires [${GENERAL_RATE}] to be [${USE_CONTEXT}]`,
    )
  if (!nodeSettings.boolean(settings, DISABLE_RATE)) return
  if (rates.length > 0)
    throw new IllegalArgumentError(
      `Cannot set custom context compilation rates [${rates.join(', ')}] if compile rates disabled via [${DISABLE_RATE}]`,
    )
  if (!usesContext)
    throw new IllegalArgumentError(
      `Cannot set custom general compilation rates [${GENERAL_RATE}] to [${general}] if compile rates disabled via [${DISABLE_RATE}]`,
    )
}

/**
 * Refuses lists of what may run that name something which is not there.
 * @param settings of the start
 * @throws {IllegalArgumentError}
 */
export function checkAllowedScripts(settings: Settings): void {
  checkAllowed(settings, 'script.allowed_types', 'script type', name => TYPES.includes(name))
  checkAllowed(settings, 'script.allowed_contexts', 'script context', name =>
    SCRIPT_CONTEXTS.has(name),
  )
}

function checkAllowed(
  settings: Settings,
  key: string,
  what: string,
  isKnown: (name: string) => boolean,
): void {
  if (!settings.has(key)) return
  const names = nodeSettings.list(settings, key)
  if (names.length === 0)
    throw new IllegalArgumentError(
      `must specify at least one ${what} or none for setting [${key}].`,
    )
  for (const name of names) {
    if (name === 'none' && names.length > 1)
      throw new IllegalArgumentError(
        `cannot specify both [none] and other ${what}s for setting [${key}].`,
      )
    if (name !== 'none' && !isKnown(name))
      throw new IllegalArgumentError(`unknown ${what} [${name}] found in setting [${key}].`)
  }
}

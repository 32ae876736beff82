/**
 * The registries: what each scope's settings are, whether a change may be made, and what holds.
 * Values are checked when they are set; reading one back cannot fail for a checked `Settings`.
 */

import { didYouMean, findAlike } from '../util/did-you-mean.ts'
import { EngineError, IllegalArgumentError, validationFailed } from '../util/errors.ts'
import { matchesWildcard } from '../util/wildcard.ts'
import { CLUSTER_SETTINGS, checkWatermarks } from './cluster-settings.ts'
import { canonicalIndexKey, INDEX_SETTINGS } from './index-settings.ts'
import { NODE_SETTINGS } from './node-settings.ts'
import type { SettingDefinition } from './setting.ts'
import { type SettingChanges, Settings, type SettingValue } from './settings.ts'

/** Setting keys share long prefixes; the server suggests only what is above this ratio. */
const KEY_RATIO = 0.7

/** The settings of one scope. */
export class SettingRegistry {
  readonly #exact: ReadonlyMap<string, SettingDefinition>
  readonly #patterns: readonly SettingDefinition[]
  /** Values that were read of settings, which do not change: a search reads some thirty of them. */
  readonly #parsed = new WeakMap<Settings, Map<string, unknown>>()

  constructor(definitions: readonly SettingDefinition[]) {
    this.#exact = new Map(
      definitions.filter(({ key }) => !key.includes('*')).map(one => [one.key, one]),
    )
    this.#patterns = definitions.filter(({ key }) => key.includes('*'))
  }

  /** The definition that a full key falls under, or null. */
  find(key: string): SettingDefinition | null {
    const exact = this.#exact.get(key)
    if (exact !== undefined) return exact
    return this.#patterns.find(({ key: pattern }) => fits(pattern, key)) ?? null
  }

  /**
   * Refuses an unknown key, with the keys that are alike, and a value that the setting does not
   * take.
   * @throws {IllegalArgumentError}
   */
  check(key: string, value: SettingValue | null): SettingDefinition {
    const definition = this.find(key)
    if (definition === null) {
      const alike = findAlike(key, this.#exact.keys(), KEY_RATIO)
      const advice =
        didYouMean(alike) ||
        ' please check that any required plugins are installed, or check the breaking changes ' +
          'documentation for removed settings'
      throw new IllegalArgumentError(`unknown setting [${key}]${advice}`)
    }
    if (value !== null) this.#parse(definition, key, value)
    return definition
  }

  /** The effective value of a key: its own, else the default; null when there is neither. */
  value(settings: Settings, key: string): SettingValue | null {
    const own = settings.get(key)
    if (own !== null) return own
    const given = this.find(key)?.defaultValue ?? null
    return typeof given === 'function' ? given(settings) : given
  }

  /** The effective value of a key with one value, as text; '' when there is none. */
  text(settings: Settings, key: string): string {
    const value = this.value(settings, key)
    return typeof value === 'string' ? value : (value?.join(',') ?? '')
  }

  /** The effective value of an integer or decimal setting; null when there is none. */
  number(settings: Settings, key: string): number | null {
    return this.#read<number>(settings, key)
  }

  /** The effective value of a duration setting, in nanoseconds; −1 is "off". */
  nanos(settings: Settings, key: string): number | null {
    return this.#read<number>(settings, key)
  }

  /** The effective value of a size setting, in bytes; −1 is "no limit". */
  bytes(settings: Settings, key: string): number | null {
    return this.#read<number>(settings, key)
  }

  /** The effective value of a boolean setting; false when there is none. */
  boolean(settings: Settings, key: string): boolean {
    return this.#read<boolean>(settings, key) ?? false
  }

  /** The effective value of a setting with a list. */
  list(settings: Settings, key: string): readonly string[] {
    const value = this.value(settings, key)
    return value === null ? [] : listOf(value)
  }

  /** Every default that is not set, but for those of patterns: `include_defaults`. */
  defaults(settings: Settings): Settings {
    const values: [string, SettingValue][] = []
    for (const [key, { life }] of this.#exact) {
      if (life === 'private' || settings.has(key)) continue
      const value = this.value(settings, key)
      if (value !== null) values.push([key, value])
    }
    return new Settings(values)
  }

  #read<T>(settings: Settings, key: string): T | null {
    let parsed = this.#parsed.get(settings)
    if (parsed === undefined) {
      parsed = new Map()
      this.#parsed.set(settings, parsed)
    }
    let read = parsed.get(key)
    if (read === undefined) {
      const value = this.value(settings, key)
      const definition = this.find(key)
      read = value === null || definition === null ? null : this.#parse(definition, key, value)
      parsed.set(key, read)
    }
    return read as T | null
  }

  #parse(definition: SettingDefinition, key: string, value: SettingValue): unknown {
    if (definition.isList) return listOf(value).map(item => definition.parse(item, key))
    if (typeof value === 'string') return definition.parse(value, key)
    // A pattern holds settings of any kind, lists among them (analysis components).
    if (definition.key.endsWith('*')) return value
    throw new IllegalArgumentError(
      `Found list type value for setting [${key}] but but did not expect a list for it.`,
    )
  }
}

/** The registry of index settings. */
export const indexSettings: SettingRegistry = new SettingRegistry(INDEX_SETTINGS)
/** The registry of cluster settings. */
export const clusterSettings: SettingRegistry = new SettingRegistry(CLUSTER_SETTINGS)
/** The registry of node settings; cluster settings may be given at the start as well. */
export const nodeSettings: SettingRegistry = new SettingRegistry([
  ...NODE_SETTINGS,
  ...CLUSTER_SETTINGS,
])

/**
 * Settings of a new index, checked; several faults are told in one error.
 * @param changes flat full keys; null means the default
 */
export function settingsOfNewIndex(changes: SettingChanges): Settings {
  const canonical = canonicalChanges(changes)
  const faults: string[] = []
  for (const [key, value] of canonical) {
    try {
      const { life } = indexSettings.check(key, value)
      if (life === 'private') faults.push(privateSetting(key))
    } catch (error) {
      if (!(error instanceof EngineError)) throw error
      faults.push(error.message)
    }
  }
  const settings = Settings.EMPTY.with(canonical)
  if (faults.length === 0) faults.push(...faultsTogether(settings))
  if (faults.length === 1) throw new IllegalArgumentError(faults[0]!)
  if (faults.length > 1) {
    const list = faults.map((fault, i) => `${i + 1}: ${fault};`).join('')
    throw new IllegalArgumentError(`Validation Failed: ${list}`)
  }
  return settings
}

/** An index as settings errors name it. */
export interface SettingsTarget {
  readonly name: string
  readonly uuid: string
  readonly isOpen: boolean
}

/**
 * Checks changes of existing indices, all of them or none.
 * @returns the changes under the keys that settings are kept under
 * @throws {IllegalArgumentError} unknown, private or final key, bad value, static key while open
 * @throws {EngineError} `action_request_validation_exception` when there is no change
 */
export function checkIndexChanges(
  changes: SettingChanges,
  targets: readonly SettingsTarget[],
): SettingChanges {
  if (changes.size === 0) throw noSettings()
  const canonical = canonicalChanges(changes)
  const fixed: string[] = []
  for (const [key, value] of canonical) {
    if (value === null && key.includes('*')) continue
    const { life } = indexSettings.check(key, value)
    if (life === 'private') throw new IllegalArgumentError(privateSetting(key))
    const open = targets.some(({ isOpen }) => isOpen)
    if (life === 'final' && !open && targets.length > 0) {
      throw new IllegalArgumentError(`final ${targets[0]!.name} setting [${key}], not updateable`)
    }
    if (life !== 'dynamic' && open) fixed.push(key)
  }
  if (fixed.length > 0) {
    const names = targets
      .filter(({ isOpen }) => isOpen)
      .map(({ name, uuid }) => `[${name}/${uuid}]`)
    throw new IllegalArgumentError(
      `Can't update non dynamic settings [[${fixed.sort().join(', ')}]] for open indices [${names.join(', ')}]`,
    )
  }
  return canonical
}

/**
 * Cluster settings after a change.
 * @param kind which of the two sets is changed, for errors
 * @throws {IllegalArgumentError} unknown or static key, bad value, watermarks that contradict
 */
export function changeClusterSettings(
  kind: 'persistent' | 'transient',
  current: Settings,
  changes: SettingChanges,
): Settings {
  for (const [key, value] of changes) {
    if (value === null && key.includes('*')) continue
    const definition = clusterSettings.find(key)
    if (definition === null) {
      throw new IllegalArgumentError(`${kind} setting [${key}], not recognized`)
    }
    if (definition.life !== 'dynamic') {
      throw new IllegalArgumentError(`${kind} setting [${key}], not dynamically updateable`)
    }
    clusterSettings.check(key, value)
  }
  const changed = current.with(changes)
  checkWatermarks(changed)
  return changed
}

/**
 * Node settings at start, checked.
 * @param base what holds unless `given` says otherwise; checked already
 * @param given null goes back to the default
 */
export function settingsOfNode(given: SettingChanges, base: Settings = Settings.EMPTY): Settings {
  for (const [key, value] of given) nodeSettings.check(key, value)
  return base.with(given)
}

/** The error for an update without any setting. */
export function noSettings(): EngineError {
  return validationFailed(['no settings to update'])
}

/** Faults that only several settings together have. */
function faultsTogether(settings: Settings): string[] {
  const faults: string[] = []
  const shards = indexSettings.number(settings, 'index.number_of_shards') ?? 1
  const routing = indexSettings.number(settings, 'index.number_of_routing_shards')
  if (routing !== null) {
    if (routing < shards) {
      faults.push(
        `index.number_of_routing_shards [${routing}] must be >= index.number_of_shards [${shards}]`,
      )
    } else if (routing % shards !== 0) {
      faults.push(`the number of source shards [${shards}] must be a factor of [${routing}]`)
    }
  }
  const searchReplicas = indexSettings.number(settings, 'index.number_of_search_replicas') ?? 0
  if (searchReplicas > 0 && settings.get('index.remote_store.enabled') !== 'true') {
    faults.push(
      'To set index.number_of_search_replicas, index.remote_store.enabled must be set to true',
    )
  }
  const fields = indexSettings.list(settings, 'index.sort.field')
  for (const part of ['order', 'mode', 'missing']) {
    const values = indexSettings.list(settings, `index.sort.${part}`)
    if (values.length > 0 && values.length !== fields.length) {
      const [all, own] = [fields.join(', '), values.join(', ')]
      faults.push(`index.sort.field:[${all}] index.sort.${part}:[${own}], size mismatch`)
    }
  }
  return faults
}

function canonicalChanges(changes: SettingChanges): Map<string, SettingValue | null> {
  return new Map([...changes].map(([key, value]) => [canonicalIndexKey(key), value]))
}

function privateSetting(key: string): string {
  return `private index setting [${key}] can not be set explicitly`
}

/** Whether a key falls under a definition's pattern: an inner `*` is one name, the last the rest. */
function fits(pattern: string, key: string): boolean {
  if (!matchesWildcard(pattern, key)) return false
  const expected = pattern.split('.')
  const found = key.split('.')
  if (found.length < expected.length || found.includes('')) return false
  if (expected.at(-1) !== '*' && found.length !== expected.length) return false
  return expected.every((part, i) => part === '*' || part === found[i])
}

function listOf(value: SettingValue): readonly string[] {
  if (typeof value !== 'string') return value
  return value === '' ? [] : value.split(',').map(item => item.trim())
}

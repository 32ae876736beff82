/** The metadata of an index that is restored: its own of then, and what the request says over it. */
import { canonicalIndexKey } from '../../schema/index-settings.ts'
import type { SettingLife } from '../../schema/setting.ts'
import { indexSettings } from '../../schema/setting-registry.ts'
import { Settings, type SettingValue } from '../../schema/settings.ts'
import { type JsonNode, parseJsonTree } from '../../util/json/json-tree.ts'
import type { JsonValue } from '../../util/json/json-value.ts'
import { jsonValueOf, writeJson } from '../../util/json/json-writer.ts'
import { matchesWildcard } from '../../util/wildcard.ts'
import type { RestoreCall, RestoredIndex } from '../api/snapshots.ts'
import { printAliases } from '../metadata/alias.ts'
import type { IndexMetadata } from '../metadata/index-metadata.ts'
import { checkIndexName } from '../metadata/index-names.ts'
import { indexEntry } from '../metadata/section/index-entry.ts'
import { readSettings, valueAt } from '../metadata/section/stored-values.ts'
import { newUuid } from '../metadata/uuid.ts'
import type { Node } from '../node/node.ts'

/** Settings that a restore neither changes nor takes away. */
const UNMODIFIABLE = [
  'index.number_of_shards',
  'index.number_of_routing_shards',
  'index.routing_partition_size',
  'index.version.created',
  'index.uuid',
  'index.creation_date',
  'index.history.uuid',
]
/** Those that it may change, but not take away. */
const UNREMOVABLE = [
  ...UNMODIFIABLE,
  'index.number_of_replicas',
  'index.auto_expand_replicas',
  'index.version.upgraded',
]

/**
 * The metadata of a restored index, under an id of its own.
 * @param replaced closed index of its name; null: there is none
 * @throws {EngineError} settings that cannot be, a name that cannot be
 * @throws {CorruptSegmentError} an entry that was never written
 */
export function restoredIndex(
  node: Node,
  index: RestoredIndex,
  replaced: IndexMetadata | null,
  refuse: RestoreCall['refuse'],
): IndexMetadata {
  checkIndexName(index.name)
  const settings = restoredSettings(index, refuse)
  const aliases = restoredAliases(index, replaced)
  const entry = new Map<string, JsonValue>()
  if (index.entry.kind === 'object')
    for (const { key, value } of index.entry.entries) entry.set(key, jsonValueOf(value))
  entry
    .set('name', index.name)
    .set('state', 'open')
    .set('settings', new Map(settings.toMap()))
    .set('aliases', aliases)
    .set('settings_version', 1 + versionOf(index.entry, 'settings_version'))
  return indexEntry(node.makeAnalysis).parse(parseJsonTree(writeJson(entry)))
}

function versionOf(entry: JsonNode, key: string): number {
  const value = valueAt(entry, key)
  return value.kind === 'number' ? value.value : 1
}

function restoredSettings(
  { entry, from, name, settings: given, ignoredSettings }: RestoredIndex,
  refuse: RestoreCall['refuse'],
): Settings {
  const settings = new Map<string, SettingValue>(readSettings(valueAt(entry, 'settings')).toMap())
  for (const pattern of ignoredSettings) {
    const key = fullKey(pattern)
    if (!key.includes('*')) {
      if (!isRemovable(key)) throw refuse(`cannot remove setting [${key}] on restore`)
      settings.delete(key)
    } else
      for (const own of [...settings.keys()])
        if (matchesWildcard(key, own) && isRemovable(own)) settings.delete(own)
  }
  for (const [given_, value] of given) {
    const key = canonicalIndexKey(fullKey(given_))
    const { life } = indexSettings.check(key, value)
    if (UNMODIFIABLE.includes(key) || isOfFiles(life))
      throw refuse(`cannot modify setting [${key}] on restore`)
    if (value === null) settings.delete(key)
    else settings.set(key, value)
  }
  settings.set('index.uuid', newUuid())
  if (name !== from) settings.set('index.provided_name', name)
  return new Settings(settings)
}

function isRemovable(key: string): boolean {
  const life = indexSettings.find(key)?.life
  return !UNREMOVABLE.includes(key) && !(life !== undefined && isOfFiles(life))
}

/** Whether the files of an index were made under such a setting: they would contradict another one. */
function isOfFiles(life: SettingLife): boolean {
  return life === 'final' || life === 'private'
}

function fullKey(key: string): string {
  return key.startsWith('index.') || key === '*' ? key : `index.${key}`
}

function restoredAliases(
  { entry, renameAlias }: RestoredIndex,
  replaced: IndexMetadata | null,
): JsonValue {
  if (renameAlias === null) return replaced === null ? {} : printAliases(replaced.aliases)
  const aliases = valueAt(entry, 'aliases')
  if (aliases.kind !== 'object') return {}
  return new Map(aliases.entries.map(({ key, value }) => [renameAlias(key), jsonValueOf(value)]))
}

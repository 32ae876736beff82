import { indexSettings } from '../../schema/setting-registry.ts'
import type { Settings } from '../../schema/settings.ts'

const REPLICAS = 'index.number_of_replicas'

/**
 * Settings with the number of replicas that `index.auto_expand_replicas` comes to on one node, where nothing holds
 * one: the least of its range.
 */
export function withAutoReplicas(settings: Settings): Settings {
  const range = indexSettings.text(settings, 'index.auto_expand_replicas')
  if (range === 'false') return settings
  const least = String(Number.parseInt(range, 10))
  return settings.get(REPLICAS) === least ? settings : settings.with(new Map([[REPLICAS, least]]))
}

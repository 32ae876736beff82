/** `action.destructive_requires_name`: what indices lose or close may have to be named. */
import type { EngineApi } from '../engine/api/engine-api.ts'
import type { Target } from '../engine/api/target.ts'
import { clusterSettings } from '../schema/setting-registry.ts'
import { IllegalArgumentError } from '../util/errors.ts'

/** @throws {IllegalArgumentError} a pattern or `_all` where the setting wants names */
export function refuseWildcards(engine: EngineApi, { names }: Target): void {
  const { persistent, transient } = engine.cluster.settings()
  const settings = persistent.with(transient.toMap())
  if (!clusterSettings.boolean(settings, 'action.destructive_requires_name')) return
  if (names.some(name => name === '_all' || name.includes('*')))
    throw new IllegalArgumentError('Wildcard expressions or all indices are not allowed')
}

/** An index as policies look at it. */

import type { IndexState } from '../../engine/api/cluster-state.ts'
import type { EngineApi } from '../../engine/api/engine-api.ts'
import type { Target } from '../../engine/api/target.ts'
import { indexSettings } from '../../schema/setting-registry.ts'
import { type CallContext, trusted } from '../../task/call-context.ts'
import type { JsonMap, JsonValue } from '../../util/json/json-value.ts'

const PREFIX = 'index.plugins.index_state_management.'

/** An index. */
export type IndexView = IndexState

/** One index by its very name, open or closed. */
export function oneIndex(name: string): Target {
  return namedIndices([name], false)
}

/** Indices by their very names. */
export function namedIndices(names: readonly string[], ignoreUnavailable: boolean): Target {
  return {
    names,
    ignoreUnavailable,
    allowNoIndices: true,
    expandOpen: false,
    expandClosed: false,
    expandHidden: false,
    allowAliases: false,
    allowDataStreams: false,
  }
}

/** All that are open, hidden or closed. */
export const ALL_INDICES: Target = {
  names: [],
  ignoreUnavailable: true,
  allowNoIndices: true,
  expandOpen: true,
  expandClosed: true,
  expandHidden: true,
  allowAliases: false,
  allowDataStreams: false,
}

/**
 * The indices of a target.
 * @throws {EngineError} one that is missing, or that the caller may not see
 */
export function viewsOf(
  engine: EngineApi,
  target: Target,
  context: CallContext = trusted('cluster:monitor/state'),
): readonly IndexView[] {
  return engine.cluster.state(target, context).indices
}

/** The aliases of an index with their objects; those of its data stream are none. */
export async function aliasesOf(engine: EngineApi, index: string): Promise<JsonMap> {
  const [shown] = await engine.aliases.show(oneIndex(index), trusted('indices:admin/aliases/get'))
  return shown?.aliases ?? new Map<string, JsonValue>()
}

/** The alias or the data stream that a rollover moves on; null: there is none. */
export function rolloverTarget({ dataStream, settings }: IndexView): string | null {
  if (dataStream !== null) return dataStream
  const alias = settings.get(`${PREFIX}rollover_alias`)
  return alias === null || alias === '' ? null : String(alias)
}

/** Whether rollovers pass the index over. */
export function skipsRollover({ settings }: IndexView): boolean {
  return settings.get(`${PREFIX}rollover_skip`) === 'true'
}

/** Whether templates of policies may take the index on. */
export function isManagedByTemplates({ name, settings, dataStream }: IndexView): boolean {
  if (settings.get(`${PREFIX}auto_manage`) === 'false') return false
  const isHidden = indexSettings.boolean(settings, 'index.hidden') || name.startsWith('.')
  return dataStream !== null || !isHidden
}

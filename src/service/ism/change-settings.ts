import type { EngineApi } from '../../engine/api/engine-api.ts'
import type { SettingChanges } from '../../schema/settings.ts'
import { trusted } from '../../task/call-context.ts'
import { oneIndex } from './index-view.ts'

/**
 * Changes settings of an index; durable when it resolves.
 * @param changes full keys; null goes back to the default
 * @throws {EngineError} as a change of settings
 */
export function changeSettings(
  engine: EngineApi,
  index: string,
  changes: Readonly<Record<string, string | null>>,
): Promise<void> {
  const all: SettingChanges = new Map(Object.entries(changes))
  return engine.indices.putSettings(
    { target: oneIndex(index), changes: all, preserveExisting: false },
    trusted('indices:admin/settings/update'),
  )
}

import type { SettingChanges } from '../../schema/settings.ts'
import type { StepContext } from './action-type.ts'
import { oneIndex } from './index-view.ts'

/**
 * Changes settings of an index; durable when it resolves.
 * @param changes full keys; null goes back to the default
 * @throws {EngineError} as a change of settings
 */
export function changeSettings(
  { engine, call }: Pick<StepContext<unknown>, 'engine' | 'call'>,
  index: string,
  changes: Readonly<Record<string, string | null>>,
): Promise<void> {
  const all: SettingChanges = new Map(Object.entries(changes))
  return engine.indices.putSettings(
    { target: oneIndex(index), changes: all, preserveExisting: false },
    call('indices:admin/settings/update'),
  )
}

/** Index settings: shown and changed. */

import { indexSettings } from '../../../schema/setting-registry.ts'
import { flattenSettings } from '../../../schema/settings.ts'
import type { JsonRecord } from '../../../util/json/json-value.ts'
import { matchesWildcard } from '../../../util/wildcard.ts'
import {
  type Answer,
  defineEndpoint,
  type Endpoint,
  MASTER_PARAMS,
  objectBody,
  TARGET_PARAMS,
  targetOf,
} from '../../endpoint.ts'
import { flag, list } from '../../params.ts'
import { shownSettings } from './index-life.ts'

/** `GET [/{index}]/_settings[/{name}]`. */
export const getSettings: Endpoint = defineEndpoint({
  routes: [
    ['GET', '/_settings'],
    ['GET', '/_settings/{name}'],
    ['GET', '/{index}/_settings'],
    ['GET', '/{index}/_settings/{name}'],
  ],
  action: 'indices:monitor/settings/get',
  params: {
    ...TARGET_PARAMS,
    ...MASTER_PARAMS,
    flat_settings: flag,
    include_defaults: flag,
    local: flag,
  },
  body: 'none',
  async handle({ engine, params, part, human, context }): Promise<Answer> {
    const names = list(part('name')).filter(name => name !== '_all')
    const isShown = (key: string): boolean =>
      names.length === 0 || names.some(name => namesKey(name, key))
    const isFlat = params.flat_settings ?? false
    const shown = new Map<string, JsonRecord>()
    for (const view of await engine.indices.show(targetOf(part('index'), params, 'all'), context)) {
      const settings = shownSettings(view, human).filter(isShown)
      const defaults = indexSettings.defaults(view.settings).filter(isShown)
      if (settings.size === 0 && !(params.include_defaults && defaults.size > 0)) continue
      shown.set(view.name, {
        settings: settings.toJson(isFlat),
        defaults: params.include_defaults ? defaults.toJson(isFlat) : undefined,
      } as JsonRecord)
    }
    return { json: shown }
  },
})

/** `PUT [/{index}]/_settings`. */
export const putSettings: Endpoint = defineEndpoint({
  routes: [
    ['PUT', '/_settings'],
    ['PUT', '/{index}/_settings'],
  ],
  action: 'indices:admin/settings/update',
  params: { ...TARGET_PARAMS, ...MASTER_PARAMS, flat_settings: flag, preserve_existing: flag },
  body: 'json-required',
  async handle({ engine, params, part, body, context }): Promise<Answer> {
    const object = objectBody(body!)
    // The body is the settings themselves, or has them all below `settings`.
    const only = object.entries.length === 1 ? object.entries[0]! : null
    const node = only?.key === 'settings' && only.value.kind === 'object' ? only.value : object
    await engine.indices.putSettings(
      {
        target: targetOf(part('index'), params, 'open,closed', false),
        changes: flattenSettings(node, 'index.'),
        preserveExisting: params.preserve_existing ?? false,
      },
      context,
    )
    return { json: { acknowledged: true } }
  },
})

/** Whether a name of the path means a key: a full one, a pattern, or a start that ends in `-`. */
function namesKey(name: string, key: string): boolean {
  if (name.endsWith('-')) return key.startsWith(name.slice(0, -1))
  return matchesWildcard(name, key)
}

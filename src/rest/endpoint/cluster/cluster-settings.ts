/** Cluster settings: shown and changed. */
import { contentError } from '../../../engine/dsl/parse-error.ts'
import { noSettings, clusterSettings as registry } from '../../../schema/setting-registry.ts'
import { flattenSettings, type SettingChanges, Settings } from '../../../schema/settings.ts'
import { didYouMean, findAlike } from '../../../util/did-you-mean.ts'
import {
  type Answer,
  defineEndpoint,
  type Endpoint,
  MASTER_PARAMS,
  objectBody,
  objectEntry,
} from '../../endpoint.ts'
import { flag } from '../../params.ts'
import { shownSettings } from '../../shown-settings.ts'

/** `GET /_cluster/settings`. */
export const getClusterSettings: Endpoint = defineEndpoint({
  routes: [['GET', '/_cluster/settings']],
  action: 'cluster:monitor/state',
  params: { ...MASTER_PARAMS, flat_settings: flag, include_defaults: flag, local: flag },
  body: 'none',
  handle({ engine, params }): Answer {
    const { persistent, transient } = engine.cluster.settings()
    const isFlat = params.flat_settings ?? false
    const explicit = persistent.with(transient.toMap())
    return {
      json: {
        persistent: persistent.toJson(isFlat),
        transient: transient.toJson(isFlat),
        defaults: params.include_defaults
          ? defaultsBeside(explicit, engine.cluster.nodeInfo().settings).toJson(isFlat)
          : undefined,
      },
    }
  },
})

/** Defaults of what is not set, and what the node was given at its start. */
function defaultsBeside(explicit: Settings, given: Settings): Settings {
  const others = shownSettings(given).filter(key => !explicit.has(key))
  return registry.defaults(explicit).with(others.toMap())
}

/** `PUT /_cluster/settings`; echoes what was set. */
export const putClusterSettings: Endpoint = defineEndpoint({
  routes: [['PUT', '/_cluster/settings']],
  action: 'cluster:admin/settings/update',
  params: { ...MASTER_PARAMS, flat_settings: flag },
  body: 'json-required',
  async handle({ engine, params, body, context }): Promise<Answer> {
    let persistent: SettingChanges = new Map()
    let transient: SettingChanges = new Map()
    for (const entry of objectBody(body!).entries) {
      if (entry.key === 'persistent') persistent = flattenSettings(objectEntry(entry), '')
      else if (entry.key === 'transient') transient = flattenSettings(objectEntry(entry), '')
      else {
        const advice = didYouMean(findAlike(entry.key, ['persistent', 'transient']))
        const parser = '[cluster_update_settings_request]'
        throw contentError(entry, `${parser} unknown field [${entry.key}]${advice}`)
      }
    }
    if (persistent.size === 0 && transient.size === 0) throw noSettings()
    await engine.cluster.putSettings(persistent, transient, context)
    const isFlat = params.flat_settings ?? false
    return {
      json: {
        acknowledged: true,
        persistent: Settings.EMPTY.with(persistent).toJson(isFlat),
        transient: Settings.EMPTY.with(transient).toJson(isFlat),
      },
    }
  },
})

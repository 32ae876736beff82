/** Indices: created, shown, deleted. */
import type { ShownIndex } from '../../../engine/api/indices.ts'
import { indexSettings } from '../../../schema/setting-registry.ts'
import { flattenSettings, type SettingChanges, type Settings } from '../../../schema/settings.ts'
import { assert } from '../../../util/assert.ts'
import { EngineError } from '../../../util/errors.ts'
import type { JsonNode } from '../../../util/json/json-tree.ts'
import type { JsonRecord } from '../../../util/json/json-value.ts'
import { refuseWildcards } from '../../destructive.ts'
import {
  type Answer,
  activeShards,
  defineEndpoint,
  type Endpoint,
  MASTER_PARAMS,
  objectBody,
  objectEntry,
  TARGET_PARAMS,
  targetOf,
} from '../../endpoint.ts'
import { flag } from '../../params.ts'
import { VERSION_INFO } from '../../version.ts'

/** `PUT /{index}`. */
export const createIndex: Endpoint = defineEndpoint({
  routes: [['PUT', '/{index}']],
  action: 'indices:admin/create',
  params: { ...MASTER_PARAMS, wait_for_active_shards: activeShards },
  body: 'json',
  async handle({ engine, params, part, body, context }): Promise<Answer> {
    let settings: SettingChanges = new Map()
    let mappings: JsonNode | null = null
    let aliases: JsonNode | null = null
    for (const entry of body === null ? [] : objectBody(body).entries) {
      if (entry.key === 'settings') settings = flattenSettings(objectEntry(entry), 'index.')
      else if (entry.key === 'mappings') mappings = objectEntry(entry)
      else if (entry.key === 'aliases') aliases = objectEntry(entry)
      else {
        throw new EngineError({
          type: 'parse_exception',
          reason: `unknown key [${entry.key}] for create index`,
        })
      }
    }
    const outcome = await engine.indices.create(
      {
        name: part('index'),
        settings,
        mappings,
        aliases,
        waitForActiveShards: params.wait_for_active_shards ?? null,
      },
      context,
    )
    return {
      json: {
        acknowledged: true,
        shards_acknowledged: outcome.shardsAcknowledged,
        index: outcome.index,
      },
      warnings: outcome.warnings,
    }
  },
})

/** `GET|HEAD /{index}`. */
export const getIndex: Endpoint = defineEndpoint({
  routes: [
    ['GET', '/{index}'],
    ['HEAD', '/{index}'],
  ],
  action: 'indices:admin/get',
  params: {
    ...TARGET_PARAMS,
    ...MASTER_PARAMS,
    flat_settings: flag,
    include_defaults: flag,
    local: flag,
  },
  body: 'none',
  async handle({ engine, params, part, human, context }): Promise<Answer> {
    const views = await engine.indices.show(targetOf(part('index'), params, 'open'), context)
    const isFlat = params.flat_settings ?? false
    return {
      json: new Map(
        views.map((view): [string, JsonRecord] => [
          view.name,
          {
            aliases: view.aliases,
            mappings: view.mappings,
            settings: shownSettings(view, human).toJson(isFlat),
            defaults: params.include_defaults
              ? indexSettings.defaults(view.settings).toJson(isFlat)
              : undefined,
            data_stream: view.dataStream ?? undefined,
          } as JsonRecord,
        ]),
      ),
    }
  },
})

/** `DELETE /{index}`. */
export const deleteIndex: Endpoint = defineEndpoint({
  routes: [['DELETE', '/{index}']],
  action: 'indices:admin/delete',
  params: { ...TARGET_PARAMS, ...MASTER_PARAMS },
  body: 'none',
  async handle({ engine, params, part, context }): Promise<Answer> {
    const target = {
      ...targetOf(part('index'), params, 'open,closed'),
      allowAliases: false,
      allowDataStreams: false,
    }
    assert(target.names.length > 0, 'no names would mean every index')
    refuseWildcards(engine, target)
    await engine.indices.delete(target, context)
    return { json: { acknowledged: true } }
  },
})

/** An index's settings as responses show them; `human` adds dates and versions as text. */
export function shownSettings({ settings }: ShownIndex, human: boolean): Settings {
  if (!human) return settings
  const created = Number(settings.get('index.creation_date'))
  const extra = new Map<string, string>()
  if (Number.isFinite(created)) {
    extra.set('index.creation_date_string', new Date(created).toISOString())
  }
  extra.set('index.version.created_string', VERSION_INFO.number)
  return settings.with(extra)
}

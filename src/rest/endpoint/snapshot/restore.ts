import { flattenSettings, type SettingChanges } from '../../../schema/settings.ts'
import { IllegalArgumentError } from '../../../util/errors.ts'
import type { JsonNode } from '../../../util/json/json-tree.ts'
import {
  type Answer,
  defineEndpoint,
  type Endpoint,
  objectBody,
  TURN_PARAMS,
} from '../../endpoint.ts'
import { flag, unsupported } from '../../params.ts'
import {
  booleanOf,
  namesOf,
  readIndexOption,
  textOf,
  unknownParameter,
  usualOptions,
} from './body-fields.ts'

/** `POST /_snapshot/{repository}/{snapshot}/_restore`. */
export const restoreSnapshot: Endpoint = defineEndpoint({
  routes: [['POST', '/_snapshot/{repository}/{snapshot}/_restore']],
  action: 'cluster:admin/snapshot/restore',
  params: {
    ...TURN_PARAMS,
    wait_for_completion: flag,
    source_remote_store_repository: unsupported,
  },
  body: 'json',
  async handle({ services, params, part, body, context }): Promise<Answer> {
    const call = {
      repository: part('repository'),
      snapshot: part('snapshot'),
      ...readRestoreBody(body),
    }
    const { done } = await services.snapshots.restore(call, context)
    if (params.wait_for_completion !== true) return { json: { accepted: true } }
    return { json: await done }
  },
})

interface Renaming {
  readonly pattern: string
  readonly replacement: string
}

interface RestoreBody {
  readonly indices: readonly string[]
  readonly ignoresUnavailable: boolean
  readonly renaming: Renaming | null
  readonly aliasRenaming: Renaming | null
  readonly includesAliases: boolean
  readonly includesGlobalState: boolean
  readonly allowsPartial: boolean
  readonly settings: SettingChanges
  readonly ignoredSettings: readonly string[]
}

function readRestoreBody(body: JsonNode | null): RestoreBody {
  const options = usualOptions()
  const texts = new Map<string, string>()
  let includesAliases = true
  let includesGlobalState = false
  let allowsPartial = false
  let settings: SettingChanges = new Map()
  let ignoredSettings: readonly string[] = []
  for (const entry of body === null ? [] : objectBody(body).entries) {
    if (readIndexOption(entry, options)) continue
    const { key, value } = entry
    if (key === 'include_aliases') includesAliases = booleanOf(entry)
    else if (key === 'include_global_state') includesGlobalState = booleanOf(entry)
    else if (key === 'partial') allowsPartial = booleanOf(entry)
    else if (RENAMING_KEYS.includes(key)) texts.set(key, textOf(entry))
    else if (key === 'ignore_index_settings') ignoredSettings = namesOf(entry)
    else if (key === 'index_settings') {
      if (value.kind !== 'object')
        throw new IllegalArgumentError('malformed index_settings section')
      settings = flattenSettings(value, 'index.')
    } else if (key === 'storage_type') readStorage(textOf(entry))
    else throw unknownParameter(key)
  }
  const renaming = (of: string): Renaming | null => {
    const [pattern, replacement] = [texts.get(`${of}_pattern`), texts.get(`${of}_replacement`)]
    // One without the other renames nothing.
    return pattern === undefined || replacement === undefined ? null : { pattern, replacement }
  }
  return {
    indices: options.indices,
    ignoresUnavailable: options.ignoresUnavailable,
    renaming: renaming('rename'),
    aliasRenaming: renaming('rename_alias'),
    includesAliases,
    includesGlobalState,
    allowsPartial,
    settings,
    ignoredSettings,
  }
}

const RENAMING_KEYS = [
  'rename_pattern',
  'rename_replacement',
  'rename_alias_pattern',
  'rename_alias_replacement',
]

/** Indices are always copied; searching them where they are is another thing. */
function readStorage(type: string): void {
  if (type !== 'local') throw new IllegalArgumentError('[storage_type] is not supported yet')
}

/** Indices made out of others: shrunk, split, cloned. */

import type { ResizeCall, ResizeKind } from '../../../engine/api/indices.ts'
import { unknownField } from '../../../engine/dsl/parse-error.ts'
import { flattenSettings, type SettingChanges } from '../../../schema/settings.ts'
import { plainEnd } from '../../../service/lron/operation.ts'
import { IllegalArgumentError, validationFailed } from '../../../util/errors.ts'
import type { JsonNode } from '../../../util/json/json-tree.ts'
import { parseSize } from '../../../util/units.ts'
import { readField, wrongKind } from '../../declared-body.ts'
import {
  type Answer,
  activeShards,
  answerOrDetach,
  defineEndpoint,
  type Endpoint,
  MASTER_PARAMS,
  objectBody,
} from '../../endpoint.ts'
import { takes } from '../../param-form.ts'
import { flag, millis } from '../../params.ts'

/** `PUT|POST /{index}/_shrink/{target}`. */
export const shrinkIndex: Endpoint = resize('shrink')
/** `PUT|POST /{index}/_split/{target}`. */
export const splitIndex: Endpoint = resize('split')
/** `PUT|POST /{index}/_clone/{target}`. */
export const cloneIndex: Endpoint = resize('clone')

/** A task is given up after so long, unless a parameter says otherwise. */
const TASK_TIMEOUT_IN_MILLIS = 3_600_000

function resize(kind: ResizeKind): Endpoint {
  return defineEndpoint({
    routes: [
      ['PUT', `/{index}/_${kind}/{target}`],
      ['POST', `/{index}/_${kind}/{target}`],
    ],
    action: 'indices:admin/resize',
    params: {
      ...MASTER_PARAMS,
      wait_for_active_shards: activeShards,
      copy_settings: copySettings,
      wait_for_completion: flag,
      task_execution_timeout: millis,
    },
    body: 'json',
    async handle({ engine, services, params, part, body, context }): Promise<Answer> {
      const waits = params.wait_for_completion ?? true
      const limit = params.task_execution_timeout ?? TASK_TIMEOUT_IN_MILLIS
      const call: ResizeCall = {
        kind,
        source: part('index'),
        target: part('target'),
        ...readBody(body),
        waitForActiveShards: params.wait_for_active_shards ?? null,
        executionTimeoutInMillis: waits || limit < 0 ? null : limit,
      }
      checkCall(call)
      const operation = {
        kind,
        sources: [call.source],
        remoteHost: null,
        target: call.target,
        limitInMillis: call.executionTimeoutInMillis,
      }
      const run = services.lron.watched(operation, !waits, async under => {
        const { index, shardsAcknowledged } = await engine.indices.resize(call, under)
        return {
          answer: { acknowledged: true, shards_acknowledged: shardsAcknowledged, index },
          end: plainEnd(shardsAcknowledged ? 'complete' : 'timed_out'),
        }
      })
      const json = await answerOrDetach({ engine, context }, waits, run)
      const warnings =
        params.copy_settings === undefined
          ? []
          : ['parameter [copy_settings] is deprecated and will be removed in 3.0.0']
      return { json, warnings }
    },
  })
}

function copySettings(text: string): true {
  if (flag(text)) return true
  throw new IllegalArgumentError('[copySettings] can not be explicitly set to [false]')
}

type Body = Pick<ResizeCall, 'settings' | 'aliases' | 'maxShardSizeInBytes'>

const PARSER = 'resize_request'
const KEYS = ['settings', 'aliases', 'max_shard_size']

function readBody(body: JsonNode | null): Body {
  let settings: SettingChanges = new Map()
  let aliases: JsonNode | null = null
  let maxShardSizeInBytes: number | null = null
  for (const entry of body === null ? [] : objectBody(body).entries) {
    const { key, value } = entry
    if (!KEYS.includes(key)) throw unknownField(entry, PARSER, KEYS)
    if (key === 'max_shard_size') {
      if (value.kind !== 'string') throw wrongKind(entry, PARSER)
      maxShardSizeInBytes = readField(entry, PARSER, () => parseSize(value.value, key))
      continue
    }
    if (value.kind !== 'object') throw wrongKind(entry, PARSER)
    if (key === 'aliases') aliases = value
    else settings = readField(entry, PARSER, () => flattenSettings(value, 'index.'))
  }
  return { settings, aliases, maxShardSizeInBytes }
}

/**
 * Refuses what no source could make right.
 * @throws {EngineError} `action_request_validation_exception`
 */
function checkCall({ kind, target, settings, maxShardSizeInBytes: maxSize }: ResizeCall): void {
  const complaints: string[] = []
  const hasShards = (settings.get('index.number_of_shards') ?? null) !== null
  if ([...settings].some(([key, value]) => key.startsWith('index.sort.') && value !== null))
    complaints.push("can't override index sort when resizing an index")
  if (kind === 'split' && !hasShards)
    complaints.push('index.number_of_shards is required for split operations')
  if (kind !== 'shrink' && maxSize !== null)
    complaints.push('Unsupported parameter [max_shard_size]')
  if (kind === 'shrink' && hasShards && maxSize !== null)
    complaints.push('Cannot set max_shard_size and index.number_of_shards at the same time!')
  if (maxSize !== null && maxSize <= 0) complaints.push('max_shard_size must be greater than 0')
  for (const block of ['read_only', 'metadata'])
    if (settings.get(`index.blocks.${block}`) === 'true')
      complaints.push(
        `target index [${target}] will be blocked by [index.blocks.${block}=true], this will disable ` +
          'metadata writes and cause the shards to be unassigned',
      )
  if (complaints.length > 0) throw validationFailed(complaints)
}

takes('true', copySettings)

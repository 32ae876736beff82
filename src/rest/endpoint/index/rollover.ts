import type { RolloverCondition } from '../../../engine/api/indices.ts'
import { readNumber, readText } from '../../../engine/dsl/json-scalars.ts'
import { unknownField } from '../../../engine/dsl/parse-error.ts'
import { flattenSettings, type SettingChanges } from '../../../schema/settings.ts'
import { IllegalArgumentError } from '../../../util/errors.ts'
import type { JsonEntry, JsonNode } from '../../../util/json/json-tree.ts'
import { parseDuration, parseSize } from '../../../util/units.ts'
import { readField, wrongKind } from '../../declared-body.ts'
import {
  type Answer,
  activeShards,
  defineEndpoint,
  type Endpoint,
  MASTER_PARAMS,
  objectBody,
} from '../../endpoint.ts'
import { flag } from '../../params.ts'

/** `POST /{alias}/_rollover[/{new_index}]`, `POST /{data stream}/_rollover`. */
export const rollover: Endpoint = defineEndpoint({
  routes: [
    ['POST', '/{index}/_rollover'],
    ['POST', '/{index}/_rollover/{new_index}'],
  ],
  action: 'indices:admin/rollover',
  params: { ...MASTER_PARAMS, dry_run: flag, wait_for_active_shards: activeShards },
  body: 'json',
  async handle({ engine, params, part, body, context }): Promise<Answer> {
    const isDryRun = params.dry_run ?? false
    const { conditions, ...parts } = readBody(body)
    const outcome = await engine.indices.rollOver(
      {
        name: part('index'),
        newIndex: part('new_index') === '' ? null : part('new_index'),
        conditions,
        body: parts,
        isDryRun,
        waitForActiveShards: params.wait_for_active_shards ?? null,
      },
      context,
    )
    return {
      json: {
        acknowledged: outcome.rolledOver,
        shards_acknowledged: outcome.shardsAcknowledged,
        old_index: outcome.oldIndex,
        new_index: outcome.newIndex,
        rolled_over: outcome.rolledOver,
        dry_run: isDryRun,
        conditions: outcome.conditions,
      },
    }
  },
})

interface RolloverBody {
  readonly conditions: readonly RolloverCondition[]
  readonly settings: SettingChanges
  readonly mappings: JsonNode | null
  readonly aliases: JsonNode | null
}

const KEYS = ['conditions', 'settings', 'mappings', 'aliases']

function readBody(body: JsonNode | null): RolloverBody {
  let conditions: readonly RolloverCondition[] = []
  let settings: SettingChanges = new Map()
  let mappings: JsonNode | null = null
  let aliases: JsonNode | null = null
  for (const entry of body === null ? [] : objectBody(body).entries) {
    const { key, value } = entry
    if (!KEYS.includes(key)) throw unknownField(entry, 'rollover', KEYS)
    if (value.kind !== 'object') throw wrongKind(entry, 'rollover')
    if (key === 'settings') settings = flattenSettings(value, 'index.')
    else if (key === 'mappings') mappings = value
    else if (key === 'aliases') aliases = value
    else conditions = readField(entry, 'rollover', () => value.entries.map(readCondition))
  }
  return { conditions, settings, mappings, aliases }
}

/** Kind of each condition and the reader of its threshold. */
const CONDITIONS = new Map<
  string,
  Pick<RolloverCondition, 'kind'> & { read(node: JsonNode): number }
>([
  ['max_age', { kind: 'age', read: node => parseDuration(readText(node), 'max_age') / 1e6 }],
  ['max_docs', { kind: 'docs', read: readLong }],
  ['max_size', { kind: 'size', read: node => parseSize(readText(node), 'max_size') }],
])

function readCondition(entry: JsonEntry): RolloverCondition {
  const { key, value } = entry
  const condition = CONDITIONS.get(key)
  if (condition === undefined) throw unknownField(entry, 'conditions', [...CONDITIONS.keys()])
  const threshold = readField(entry, 'conditions', () => condition.read(value))
  const given = readText(value)
  return { kind: condition.kind, text: `[${key}: ${given}]`, value: given, threshold }
}

function readLong(node: JsonNode): number {
  const number = Math.trunc(readNumber(node))
  if (Math.abs(number) < 2 ** 63) return number
  throw new IllegalArgumentError(`Numeric value (${readText(node)}) out of range of long`)
}

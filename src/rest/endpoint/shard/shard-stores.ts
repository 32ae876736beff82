import type { IndexStores } from '../../../engine/api/shards.ts'
import { IllegalArgumentError } from '../../../util/errors.ts'
import type { JsonRecord, JsonValue } from '../../../util/json/json-value.ts'
import {
  type Answer,
  defineEndpoint,
  type Endpoint,
  TARGET_PARAMS,
  targetOf,
} from '../../endpoint.ts'
import { printNode } from '../../node-view.ts'
import { takes } from '../../param-form.ts'
import { list } from '../../params.ts'

const STATUSES = ['green', 'yellow', 'red', 'all']

/** `GET [/{index}]/_shard_stores`: the copies that shards of some states have on disk. */
export const shardStores: Endpoint = defineEndpoint({
  routes: [
    ['GET', '/_shard_stores'],
    ['GET', '/{index}/_shard_stores'],
  ],
  action: 'indices:monitor/shard_stores',
  params: { ...TARGET_PARAMS, status: takes('list of green, yellow, red, all', statuses) },
  body: 'none',
  async handle({ engine, params, part, httpAddress, context }): Promise<Answer> {
    const target = targetOf(part('index'), params, 'open,closed')
    const asked = params.status ?? ['yellow', 'red']
    const isShown = (status: string): boolean => asked.includes('all') || asked.includes(status)
    const node = engine.cluster.nodeInfo()
    const printed = new Map<string, JsonValue>()
    for (const { index, shards } of await engine.shards.stores(target, context)) {
      const shown = shards.filter(({ status }) => isShown(status))
      if (shown.length === 0) continue
      printed.set(index, {
        shards: new Map(
          shown.map((shard): [string, JsonValue] => [
            String(shard.shard),
            { stores: [printStore(shard, node.nodeId, printNode(node, httpAddress))] },
          ]),
        ),
      })
    }
    return { json: { indices: printed } }
  },
})

function printStore(
  { allocationId, damage }: IndexStores['shards'][number],
  nodeId: string,
  node: JsonRecord,
): JsonRecord {
  return {
    [nodeId]: node,
    allocation_id: allocationId,
    allocation: 'primary',
    store_exception: damage === null ? undefined : { type: damage.type, reason: damage.reason },
  } as JsonRecord
}

function statuses(value: string): readonly string[] {
  const names = list(value)
  for (const name of names)
    if (!STATUSES.includes(name))
      throw new IllegalArgumentError(`unknown cluster health status [${name}]`)
  return names
}

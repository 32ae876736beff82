import {
  type Answer,
  defineEndpoint,
  type Endpoint,
  TARGET_PARAMS,
  targetOf,
} from '../../endpoint.ts'
import { printNode } from '../../node-view.ts'
import { flag, list, millis, searchPreference } from '../../params.ts'

/** `GET|POST [/{index}]/_search_shards`. */
export const searchShards: Endpoint = defineEndpoint({
  routes: [
    ['GET', '/_search_shards'],
    ['POST', '/_search_shards'],
    ['GET', '/{index}/_search_shards'],
    ['POST', '/{index}/_search_shards'],
  ],
  action: 'indices:admin/shards/search_shards',
  params: {
    ...TARGET_PARAMS,
    preference: searchPreference,
    routing: list,
    // Without effect on one node, but checked.
    local: flag,
    cluster_manager_timeout: millis,
    master_timeout: millis,
  },
  body: 'json',
  async handle({ engine, params, part, body, httpAddress, context }): Promise<Answer> {
    const { routing, preference } = params
    const target = targetOf(part('index'), params, 'open')
    const call = { target, body, routing, preference }
    const { indices, shards } = await engine.searches.shards(call, context)
    const info = engine.cluster.nodeInfo()
    return {
      json: {
        nodes: new Map([[info.nodeId, printNode(info, httpAddress)]]),
        indices: new Map(
          indices.map(({ index, aliases, filter }) => [
            index,
            {
              aliases: aliases.length === 0 ? undefined : aliases,
              filter: filter === null ? undefined : filter,
            },
          ]),
        ),
        shards: shards.map(({ index, shard, allocationId }) =>
          allocationId === null
            ? []
            : [
                {
                  state: 'STARTED',
                  primary: true,
                  node: info.nodeId,
                  relocating_node: null,
                  shard,
                  index,
                  allocation_id: { id: allocationId },
                },
              ],
        ),
      },
    }
  },
})

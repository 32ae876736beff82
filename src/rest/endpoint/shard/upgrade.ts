/**
 * Upgrades of segments to the current format. There is but one, and every segment is of it: nothing is
 * left to upgrade.
 */
import type { IndexStats } from '../../../engine/api/stats.ts'
import type { JsonRecord, JsonValue } from '../../../util/json/json-value.ts'
import {
  type Answer,
  defineEndpoint,
  type Endpoint,
  TARGET_PARAMS,
  targetOf,
} from '../../endpoint.ts'
import { withHumanTwins } from '../../human.ts'
import { flag } from '../../params.ts'
import { sum } from '../../stats/shard-sums.ts'
import { VERSION_INFO } from '../../version.ts'

/** `GET [/{index}]/_upgrade`: bytes of segments, and of those that are not of the current format. */
export const getUpgrade: Endpoint = defineEndpoint({
  routes: [
    ['GET', '/_upgrade'],
    ['GET', '/{index}/_upgrade'],
  ],
  action: 'indices:monitor/upgrade',
  params: TARGET_PARAMS,
  body: 'none',
  async handle({ engine, params, part, human, context }): Promise<Answer> {
    const target = targetOf(part('index'), params, 'open')
    const indices = await engine.cluster.stats(target, true, context)
    const json: JsonRecord = {
      ...sizes(indices),
      indices: new Map(indices.map((index): [string, JsonValue] => [index.index, sizes([index])])),
    }
    return { json: human ? withHumanTwins(json) : json }
  },
})

function sizes(indices: readonly IndexStats[]): Record<string, number> {
  const shards = indices.flatMap(index => index.shards)
  return {
    size_in_bytes: sum(shards, shard => shard.storeInBytes),
    size_to_upgrade_in_bytes: 0,
    size_to_upgrade_ancient_in_bytes: 0,
  }
}

/** `POST [/{index}]/_upgrade`: finds that every segment is of the current format. */
export const postUpgrade: Endpoint = defineEndpoint({
  routes: [
    ['POST', '/_upgrade'],
    ['POST', '/{index}/_upgrade'],
  ],
  action: 'indices:admin/upgrade',
  params: { ...TARGET_PARAMS, only_ancient_segments: flag, wait_for_completion: flag },
  body: 'none',
  async handle({ engine, params, part, context }): Promise<Answer> {
    const target = targetOf(part('index'), params, 'open')
    const indices = await engine.cluster.stats(target, true, context)
    let total = 0
    let successful = 0
    for (const { numberOfShards, numberOfReplicas, shards } of indices) {
      total += numberOfShards * (1 + numberOfReplicas)
      successful += shards.length
    }
    const { number, lucene_version } = VERSION_INFO
    return {
      json: {
        _shards: { total, successful, failed: 0 },
        upgraded_indices: new Map(
          indices.map(({ index }): [string, JsonValue] => [
            index,
            { upgrade_version: number, oldest_lucene_segment_version: lucene_version },
          ]),
        ),
      },
    }
  },
})

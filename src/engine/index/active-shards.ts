/** How many copies of a shard a call waits for. On one node there is one: the primary. */

import { EngineError } from '../../util/errors.ts'
import { durationText } from '../../util/units.ts'
import type { ActiveShards } from '../api/target.ts'
import type { IndexMetadata } from '../metadata/index-metadata.ts'

/**
 * Copies that a call wants.
 * @param asked null: what the index's `index.write.wait_for_active_shards` says
 */
export function copiesWanted(
  { settings, numberOfReplicas }: Pick<IndexMetadata, 'settings' | 'numberOfReplicas'>,
  asked: ActiveShards | null,
): number {
  const wanted = asked ?? settings.get('index.write.wait_for_active_shards') ?? 1
  return wanted === 'all' ? 1 + numberOfReplicas : Number(wanted)
}

/**
 * Lets a write pass that wants no more than the one copy that there is.
 * @param request the writes of the shard, for the error
 * @throws {EngineError} `unavailable_shards_exception`: more cannot come, so none is waited for
 */
export function checkActiveCopies(
  metadata: IndexMetadata,
  shard: number,
  asked: ActiveShards | null,
  timeoutInMillis: number,
  request: () => string,
): void {
  const wanted = copiesWanted(metadata, asked)
  if (wanted <= 1) return
  throw new EngineError({
    type: 'unavailable_shards_exception',
    reason:
      `[${metadata.name}][${shard}] Not enough active copies to meet shard count of [${wanted}] ` +
      `(have 1, needed ${wanted}). Timeout: [${durationText(timeoutInMillis * 1e6)}], request: ` +
      `[BulkShardRequest [[${metadata.name}][${shard}]] containing ${request()}]`,
  })
}

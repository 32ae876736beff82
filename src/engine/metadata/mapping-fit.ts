/** Settings that ask something of each other or of the mapping. */
import { checkIndexSort, indexSortOf } from '../../schema/index-sort-settings.ts'
import { Mapping } from '../../schema/mapping.ts'
import { checkMergeOrder, MERGE_ORDER_KEY } from '../../schema/merge-order.ts'
import { indexSettings } from '../../schema/setting-registry.ts'
import { IllegalArgumentError } from '../../util/errors.ts'
import type { IndexMetadata } from './index-metadata.ts'

/**
 * Refuses a mapping that an index with these settings cannot have.
 * @throws {IllegalArgumentError}
 */
export function checkMappingFits(index: Omit<IndexMetadata, 'mapping'>, mapping: Mapping): void {
  checkMergeOrder(indexSettings.text(index.settings, MERGE_ORDER_KEY), mapping)
  checkIndexSort(index.name, indexSortOf(index.settings), mapping)
  checkPartitions(index, mapping)
  checkShardSelection(index)
}

/** Documents whose shard is selected by its load cannot be found by their ids. */
function checkShardSelection({ name, settings }: Omit<IndexMetadata, 'mapping'>): void {
  if (!indexSettings.boolean(settings, 'index.bulk.adaptive_shard_selection.enabled')) return
  if (indexSettings.boolean(settings, 'index.append_only.enabled')) return
  throw new IllegalArgumentError(
    `index [${name}] is not append-only index, bulk adaptive shard selection is enabled, which is not ` +
      'supported. Please disable bulk adaptive shard selection or set index to append-only index.',
  )
}

/** Documents of a partitioned index are found by routing and id together. */
function checkPartitions(
  { name, partitionSize, routingShards }: Omit<IndexMetadata, 'mapping'>,
  mapping: Mapping,
): void {
  if (partitionSize === 1) return
  if (partitionSize >= routingShards)
    throw new IllegalArgumentError(
      `routing partition size [${partitionSize}] should be a positive number less than the number of ` +
        `routing shards [${routingShards}] for [${name}]`,
    )
  // A mapping may still come, and with it the requirement.
  if (mapping !== Mapping.EMPTY && mapping.options.routingRequired !== true)
    throw new IllegalArgumentError(
      `mapping type [_doc] must have routing required for partitioned index [${name}]`,
    )
}

/** Changes of the settings of indices: dynamic ones at any time, static ones while they are closed. */

import { parseMapping } from '../../schema/mapping-parser.ts'
import { checkIndexChanges } from '../../schema/setting-registry.ts'
import type { SettingChanges, Settings } from '../../schema/settings.ts'
import type { CallContext } from '../../task/call-context.ts'
import { parseJsonTree } from '../../util/json/json-tree.ts'
import type { PutIndexSettings } from '../api/indices.ts'
import { checkDefaultAnalyzer, checkTextAnalyzers } from '../metadata/analysis-modes.ts'
import { checkBlocks } from '../metadata/blocks.ts'
import {
  type IndexMetadata,
  indexMetadata,
  mappingBytes,
  mappingContext,
} from '../metadata/index-metadata.ts'
import { checkMappingFits } from '../metadata/mapping-fit.ts'
import { resolveTarget } from '../metadata/resolve-target.ts'
import type { Node } from '../node/node.ts'
import { checkSimilarities } from './check-similarities.ts'

/** Changes settings, of all indices that are meant or of none; durable when it resolves. */
export async function putIndexSettings(
  node: Node,
  call: PutIndexSettings,
  context: CallContext,
): Promise<void> {
  const targets = resolveTarget(node.metadata, call.target, context)
  await node.changes.submit(
    'update-settings',
    'URGENT',
    () => {
      const indices = targets.flatMap(({ index: { name, uuid } }) => {
        const metadata = node.metadata.index(name)
        // It may have gone while this waited for its turn.
        return metadata?.uuid === uuid ? [metadata] : []
      })
      const changes = checkIndexChanges(call.changes, indices)
      // Else a block could not be lifted.
      if (![...changes.keys()].every(key => key.startsWith('index.blocks.')))
        checkBlocks('metadata_write', node.metadata.clusterBlocks, indices)
      // All are checked before the first is changed.
      const changed = indices.map(index =>
        withSettings(node, index, settingsAfter(index, call, changes)),
      )
      for (const metadata of changed) node.updateIndex(metadata)
    },
    context,
  )
}

function settingsAfter(
  { settings }: IndexMetadata,
  { preserveExisting }: PutIndexSettings,
  changes: SettingChanges,
): Settings {
  if (!preserveExisting) return settings.with(changes)
  return settings.with(new Map([...changes].filter(([key]) => !settings.has(key))))
}

/**
 * The index with other settings. Analysis and mapping are made anew from the static ones, as when the
 * index is read at the start of a node: the mapping may name components that are not there any more.
 * @throws {EngineError} settings that cannot hold together, or not with the mapping
 */
function withSettings(node: Node, metadata: IndexMetadata, settings: Settings): IndexMetadata {
  const settingsVersion = metadata.settingsVersion + 1
  const changed = { ...metadata, settings, settingsVersion }
  checkMappingFits(changed, metadata.mapping)
  if (metadata.isOpen) return indexMetadata(changed, metadata.analysis)
  const analysis = node.makeAnalysis(settings.toMap())
  checkDefaultAnalyzer(analysis)
  checkSimilarities(node, settings)
  const body = parseJsonTree(mappingBytes(metadata.mapping))
  const isEmpty = body.kind === 'object' && body.entries.length === 0
  const context = mappingContext(settings, analysis)
  const mapping = isEmpty ? metadata.mapping : parseMapping(body, context)
  checkTextAnalyzers(mapping, analysis)
  return indexMetadata({ ...changed, mapping }, analysis)
}

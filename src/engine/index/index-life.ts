import { deprecationWarnings } from '../../schema/deprecation-warnings.ts'
import type { Mapping } from '../../schema/mapping.ts'
import { mergeMapping } from '../../schema/mapping-merge.ts'
import { type MappingContext, parseMapping } from '../../schema/mapping-parser.ts'
import { changeClusterSettings, noSettings } from '../../schema/setting-registry.ts'
import type { SettingChanges } from '../../schema/settings.ts'
import { templateWarnings } from '../../schema/template-warnings.ts'
import { checkAccess } from '../../task/access.ts'
import type { CallContext } from '../../task/call-context.ts'
import { IllegalArgumentError } from '../../util/errors.ts'
import type { JsonNode } from '../../util/json/json-tree.ts'
import type { AliasAction, ShownAliases } from '../api/aliases.ts'
import type { ClusterSettings } from '../api/cluster.ts'
import type { CreateIndex, CreateIndexOutcome, ShownIndex } from '../api/indices.ts'
import type { Target } from '../api/target.ts'
import { printAliases } from '../metadata/alias.ts'
import { checkTextAnalyzers } from '../metadata/analysis-modes.ts'
import { checkBlocks } from '../metadata/blocks.ts'
import { resolveDateMath } from '../metadata/date-math-name.ts'
import { type IndexMetadata, indexMetadata, mappingContext } from '../metadata/index-metadata.ts'
import { checkIndexName, indexNotFound } from '../metadata/index-names.ts'
import { checkMappingFits } from '../metadata/mapping-fit.ts'
import { checkBlocksFor, isHidden, resolveTarget } from '../metadata/resolve-target.ts'
import type { Node } from '../node/node.ts'
import { checkScriptCaches } from '../node/script-settings.ts'
import { copiesWanted } from './active-shards.ts'
import { updateAliases } from './alias-update.ts'
import { streamsWithout } from './data-streams.ts'
import { addIndex, refuseDataStream } from './new-index.ts'

/** Settings that may block indices, or lift their blocks, as soon as they change. */
const DISK_SETTINGS = 'cluster.routing.allocation.disk.'

/** Creates an index; it answers when this resolves. */
export async function createIndex(
  node: Node,
  call: CreateIndex,
  context: CallContext,
): Promise<CreateIndexOutcome> {
  const name = resolveDateMath(call.name)
  checkAccess(context, context.task.action, [name])
  if (call.aliases?.kind === 'object')
    checkAccess(context, 'indices:admin/aliases', [
      name,
      ...call.aliases.entries.map(({ key }) => key),
    ])
  checkIndexName(name)
  if (call.aliases !== null && hasAliasesAlone(call) && node.metadata.index(name) !== null)
    return await putAliases(node, name, call.aliases, context)
  checkBlocksFor(node.metadata, context.task.action, [])
  const copies = 1
  const service = await node.changes.submit(
    `create-index [${name}], cause [api]`,
    'URGENT',
    () => {
      node.ensureOpen()
      // Of a name that is an index, that is said first.
      if (node.metadata.index(name) === null) refuseDataStream(node, name)
      return addIndex(node, name, call, call.waitForActiveShards, call.name)
    },
    context,
  )
  const wanted = copiesWanted(service.metadata, call.waitForActiveShards)
  return {
    index: name,
    shardsAcknowledged: wanted <= copies,
    warnings: call.mappings === null ? [] : creationWarnings(service.metadata),
  }
}

function hasAliasesAlone({ settings, mappings }: CreateIndex): boolean {
  return settings.size === 0 && mappings === null
}

/** Puts aliases on an index that is there, which a create with nothing else is taken for. */
async function putAliases(
  node: Node,
  name: string,
  body: JsonNode,
  context: CallContext,
): Promise<CreateIndexOutcome> {
  const entries = body.kind === 'object' ? body.entries : []
  const actions = entries.map(
    ({ key, value }): AliasAction => ({
      kind: 'add',
      indices: [name],
      aliases: [key],
      alias: value,
    }),
  )
  if (actions.length > 0) await updateAliases(node, actions, context)
  return { index: name, shardsAcknowledged: true, warnings: [] }
}

/** Views of the indices of a target, in order of name. */
export function showIndices(node: Node, target: Target, context: CallContext): ShownIndex[] {
  return resolveTarget(node.metadata, target, context)
    .map(({ index, shown }) => ({
      name: index.name,
      uuid: index.uuid,
      isOpen: index.isOpen,
      isHidden: isHidden(index),
      aliases: printAliases(index.aliases),
      mappings: shown.toJson(),
      settings: index.settings,
      dataStream: node.metadata.dataStreamOf(index)?.name ?? null,
    }))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
}

/** Aliases of the indices of a target, in order of name. */
export function showAliases(node: Node, target: Target, context: CallContext): ShownAliases[] {
  return resolveTarget(node.metadata, target, context)
    .map(({ index }) => ({ index: index.name, aliases: printAliases(index.aliases) }))
    .sort((a, b) => (a.index < b.index ? -1 : 1))
}

/**
 * Deletes indices with all their documents, all or none.
 * @throws {EngineError} `illegal_argument_exception`: one takes the writes of a data stream
 */
export async function deleteIndices(
  node: Node,
  target: Target,
  context: CallContext,
): Promise<void> {
  const doomed = resolveTarget(node.metadata, target, context).map(({ index }) => index)
  const names = doomed.map(index => `[${index.name}/${index.uuid}]`).join(', ')
  if (doomed.length === 0) return
  const removed: IndexMetadata[] = []
  try {
    await node.changes.submit(
      `delete-index [${names}]`,
      'URGENT',
      () => {
        const present = doomed.flatMap(({ name, uuid }) => {
          const index = node.metadata.index(name)
          // It may have gone while this waited for its turn.
          return index?.uuid === uuid ? [index] : []
        })
        if (present.length === 0) return
        node.applyBatch([], present, streamsWithout(node.metadata, present))
        removed.push(...present)
      },
      context,
    )
  } finally {
    await Promise.all(removed.map(index => node.moves.discard(index)))
  }
}

/** Merges a mapping into those of indices: into all that are meant or into none. */
export async function putMapping(
  node: Node,
  target: Target,
  body: JsonNode,
  context: CallContext,
): Promise<readonly string[]> {
  const indices = resolveTarget(node.metadata, target, context).map(({ index }) => index)
  if (body.kind === 'object' && body.entries.some(({ key }) => key === '_doc'))
    throw new IllegalArgumentError('Types cannot be provided in put mapping requests')
  const names = indices.map(index => `[${index.name}/${index.uuid}]`).join(', ')
  return node.changes.submit(
    `put-mapping ${names}`,
    'HIGH',
    () => {
      const warnings = new Set<string>()
      // All are checked before the first is changed.
      const changed = indices.map(({ name, uuid }) => {
        const metadata = node.metadata.index(name)
        if (metadata?.uuid !== uuid) throw indexNotFound(name)
        const context = mappingContext(metadata.settings, metadata.analysis)
        const update = parseMapping(body, context)
        checkTextAnalyzers(update, metadata.analysis)
        const mapping = mergeMapping(metadata.mapping, update, context.limits)
        checkMappingFits(metadata, mapping)
        for (const warning of warningsOf(update, context)) warnings.add(warning)
        return { metadata, mapping }
      })
      for (const { metadata, mapping } of changed) {
        const mappingVersion = metadata.mappingVersion + 1
        node.updateIndex(indexMetadata({ ...metadata, mapping, mappingVersion }, metadata.analysis))
      }
      return [...warnings]
    },
    context,
  )
}

function creationWarnings({ mapping, settings, analysis }: IndexMetadata): string[] {
  return [...new Set(warningsOf(mapping, mappingContext(settings, analysis)))]
}

function warningsOf(mapping: Mapping, context: MappingContext): string[] {
  return [...deprecationWarnings(mapping), ...templateWarnings(mapping, context)]
}

/** The explicit cluster settings. */
export function viewClusterSettings(node: Node): ClusterSettings {
  const { persistent, transient } = node.metadata.node
  return { persistent, transient }
}

/** Changes cluster settings, all or none; durable when it resolves. */
export function putClusterSettings(
  node: Node,
  persistent: SettingChanges,
  transient: SettingChanges,
  context: CallContext,
): Promise<ClusterSettings> {
  const changed = node.changes.submit(
    'cluster_update_settings',
    'IMMEDIATE',
    () => {
      if (persistent.size === 0 && transient.size === 0) throw noSettings()
      const keys = [...persistent.keys(), ...transient.keys()]
      // Else a block could not be lifted.
      if (!keys.every(key => key.startsWith('cluster.blocks.')))
        checkBlocks('metadata_write', node.metadata.clusterBlocks, [])
      const state = node.metadata.node
      const next = {
        persistent: changeClusterSettings('persistent', state.persistent, persistent),
        transient: changeClusterSettings('transient', state.transient, transient),
      }
      checkScriptCaches(node.settings.with(next.persistent.toMap()).with(next.transient.toMap()))
      node.metadata.putNode(next)
      return viewClusterSettings(node)
    },
    context,
  )
  const keys = [...persistent.keys(), ...transient.keys()]
  if (!keys.some(key => key.startsWith(DISK_SETTINGS))) return changed
  return changed.then(async settings => {
    await node.disks.check()
    return settings
  })
}

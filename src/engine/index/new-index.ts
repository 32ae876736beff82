/** New indices: their metadata from request and templates, made durable and opened. */

import type { AnalysisRegistry } from '../../analysis/registry.ts'
import { checkAliasTargets } from '../../schema/alias-targets.ts'
import { checkContextPaths } from '../../schema/context-paths.ts'
import { Mapping } from '../../schema/mapping.ts'
import { parseMapping } from '../../schema/mapping-parser.ts'
import { clusterSettings, settingsOfNewIndex } from '../../schema/setting-registry.ts'
import type { Settings } from '../../schema/settings.ts'
import { checkStreamTimestamp } from '../../schema/stream-timestamp-field.ts'
import { EngineError, IllegalArgumentError } from '../../util/errors.ts'
import type { JsonNode } from '../../util/json/json-tree.ts'
import type { CreateIndex } from '../api/indices.ts'
import { checkAliasName, parseAliases } from '../metadata/alias.ts'
import { checkDefaultAnalyzer, checkTextAnalyzers } from '../metadata/analysis-modes.ts'
import { withAutoReplicas } from '../metadata/auto-replicas.ts'
import {
  type IndexMetadata,
  indexMetadata,
  mappingContext,
  type StoredIndex,
} from '../metadata/index-metadata.ts'
import { invalidName } from '../metadata/index-names.ts'
import { checkMappingFits } from '../metadata/mapping-fit.ts'
import { newUuid } from '../metadata/uuid.ts'
import type { IndexService } from '../node/index-service.ts'
import type { Node } from '../node/node.ts'
import {
  type ComposedBody,
  compose,
  isHiddenBy,
  layersFor,
  layersOfStream,
  templateFor,
} from '../template/compose.ts'
import type { NamedStreamTemplate } from '../template/stream-templates.ts'
import { copiesWanted } from './active-shards.ts'
import {
  checkAliasFilter,
  checkAliasTogether,
  checkNotOfStream,
  nameOfIndex,
} from './alias-checks.ts'
import { checkSimilarities } from './check-similarities.ts'

/** Version of the real server whose API this is, as `index.version.created` carries it. */
const VERSION_CREATED = '137287827'

/** Makes an index, durable and open; within the queue of metadata changes. */
export function addIndex(
  node: Node,
  name: string,
  body: NewIndexBody,
  activeShards: CreateIndex['waitForActiveShards'] = null,
  providedName: string = name,
): IndexService {
  const metadata = newIndex(node, name, body, activeShards, providedName)
  node.metadata.putIndex(metadata)
  return openNewIndex(node, metadata)
}

/**
 * Opens an index that is new and whose metadata is durable; one that cannot be opened goes again.
 * @param undo takes its metadata back
 * @throws what a shard could not be opened for
 */
export function openNewIndex(
  node: Node,
  metadata: IndexMetadata,
  undo: () => void = () => node.applyBatch([], [metadata]),
): IndexService {
  try {
    return node.openIndex(metadata)
  } catch (error) {
    undo()
    void node.moves.discard(metadata)
    throw error
  }
}

/**
 * Refuses the name of an index, an alias or a data stream that is there.
 * @throws {EngineError} `resource_already_exists_exception`; `invalid_index_name_exception`: it is an alias
 */
export function checkNameIsFree(node: Node, name: string): void {
  const existing = node.metadata.index(name)
  if (existing !== null)
    throw new EngineError({
      type: 'resource_already_exists_exception',
      reason: `index [${name}/${existing.uuid}] already exists`,
      extra: { index: name, index_uuid: existing.uuid },
    })
  if (node.metadata.indicesOfAlias(name).length > 0)
    throw invalidName(name, 'already exists as alias')
  if (node.metadata.dataStream(name) !== null)
    throw new EngineError({
      type: 'resource_already_exists_exception',
      reason: `data_stream [${name}] already exists`,
    })
}

/** Refuses a name whose template makes data streams. */
export function refuseDataStream(node: Node, name: string): void {
  const found = templateFor(node.metadata.node, name)
  if (found?.template.dataStream != null)
    throw new IllegalArgumentError(
      `cannot create index with name [${name}], because it matches with template [${found.name}] ` +
        'that creates data streams only, use create data stream api instead',
    )
}

/** A request for a new index. */
export type NewIndexBody = Pick<CreateIndex, 'settings' | 'mappings' | 'aliases'>

/**
 * The metadata of a new index: what the request says over what templates give it.
 * @param providedName the name as it was given, before its date maths were resolved
 * @param ofStream template of the data stream that the index is made for; null: it is for none
 * @throws {EngineError} an index that cannot be
 */
export function newIndex(
  node: Node,
  name: string,
  body: NewIndexBody,
  activeShards: CreateIndex['waitForActiveShards'],
  providedName: string,
  ofStream: NamedStreamTemplate | null = null,
): IndexMetadata {
  checkNameIsFree(node, name)
  const { settings: given, mappings, aliases } = composedBody(node, name, body, ofStream)
  return assembleIndex(node, {
    name,
    providedName,
    settings: settingsOfNewIndex(given),
    mapping: (settings, analysis) =>
      mappings === null ? Mapping.EMPTY : newMapping(mappings, settings, analysis),
    aliases,
    activeShards,
    routingShards: null,
    partitionSize: null,
  })
}

/** The parts of a new index. */
export interface IndexParts
  extends Pick<StoredIndex, 'name' | 'aliases' | 'routingShards' | 'partitionSize'> {
  /** The name as it was given, before its date maths were resolved. */
  readonly providedName: string
  /** Checked; those that every new index gets are added. */
  readonly settings: Settings
  /** Its mapping under its settings. */
  mapping(settings: Settings, analysis: AnalysisRegistry): Mapping
  readonly activeShards: CreateIndex['waitForActiveShards']
}

/**
 * The metadata of a new index of which all is known.
 * @throws {EngineError} an index that cannot be
 */
export function assembleIndex(node: Node, parts: IndexParts): IndexMetadata {
  const { name, settings: given, activeShards } = parts
  const uuid = newUuid()
  const named = given.with(
    new Map([
      ['index.creation_date', String(Date.now())],
      ['index.number_of_shards', given.get('index.number_of_shards') ?? '1'],
      ['index.number_of_replicas', given.get('index.number_of_replicas') ?? defaultReplicas(node)],
      ['index.provided_name', parts.providedName],
      ['index.replication.type', given.get('index.replication.type') ?? 'DOCUMENT'],
      ['index.uuid', uuid],
      ['index.version.created', given.get('index.version.created') ?? VERSION_CREATED],
    ]),
  )
  const settings = withAutoReplicas(named)
  const numberOfReplicas = Number(settings.get('index.number_of_replicas'))
  const copyCount = 1 + numberOfReplicas
  const wanted = copiesWanted({ settings, numberOfReplicas }, activeShards)
  if (wanted > copyCount)
    throw new IllegalArgumentError(
      `invalid wait_for_active_shards[${wanted}]: cannot be greater than number of shard copies [${copyCount}]`,
    )
  const shards = Number(settings.get('index.number_of_shards'))
  checkShardLimit(node, shards * copyCount)
  const analysis = node.makeAnalysis(settings.toMap())
  checkDefaultAnalyzer(analysis)
  checkSimilarities(node, settings)
  const metadata = indexMetadata(
    {
      name,
      uuid,
      settings,
      mapping: parts.mapping(settings, analysis),
      mappingVersion: 1,
      settingsVersion: 1,
      aliasesVersion: 1,
      isOpen: true,
      routingShards: parts.routingShards,
      partitionSize: parts.partitionSize,
      aliases: parts.aliases,
      rolloverInfo: new Map(),
    },
    analysis,
  )
  checkMappingFits(metadata, metadata.mapping)
  checkNewAliases(node, metadata)
  return metadata
}

/** The request's contents of a new index, merged over those of templates. */
function composedBody(
  node: Node,
  name: string,
  { settings, mappings, aliases }: NewIndexBody,
  ofStream: NamedStreamTemplate | null,
): ComposedBody {
  const state = node.metadata.node
  const layers =
    ofStream === null
      ? layersFor(state, name, isHiddenBy(settings))
      : layersOfStream(state, ofStream.template, ofStream.stream)
  const request = {
    settings,
    mappings: mappings?.kind === 'object' ? mappings : null,
    aliases: aliases === null ? null : parseAliases(aliases),
  }
  return compose(node, [...layers, request], name)
}

/** Refuses aliases that an index cannot have beside those of the others. */
export function checkNewAliases(node: Node, index: IndexMetadata): void {
  for (const [name, alias] of index.aliases) {
    checkAliasName(name)
    if (name === index.name || node.metadata.index(name) !== null) throw nameOfIndex(name)
    checkNotOfStream(node.metadata, name)
    checkAliasFilter(node, index, name, alias)
    checkAliasTogether(name, [...node.metadata.indicesOfAlias(name), index])
  }
}

function newMapping(body: JsonNode, settings: Settings, analysis: AnalysisRegistry): Mapping {
  if (body.kind === 'object' && body.entries.length === 0) return Mapping.EMPTY
  if (body.kind === 'object' && body.entries.some(({ key }) => key === '_doc'))
    throw new IllegalArgumentError(
      'The mapping definition cannot be nested under a type [_doc] unless include_type_name is set to true.',
    )
  try {
    const mapping = parseMapping(body, mappingContext(settings, analysis))
    checkTextAnalyzers(mapping, analysis)
    checkAliasTargets(mapping)
    checkContextPaths(mapping)
    checkStreamTimestamp(mapping)
    return mapping
  } catch (error) {
    if (!(error instanceof EngineError)) throw error
    throw new EngineError({
      type: 'mapper_parsing_exception',
      reason: `Failed to parse mapping [_doc]: ${error.message}`,
      causedBy: error.record,
    })
  }
}

function defaultReplicas(node: Node): string {
  return clusterSettings.text(node.effectiveSettings, 'cluster.default_number_of_replicas') || '1'
}

/**
 * Refuses what would be more shards than may be open.
 * @param added copies included
 * @throws {EngineError} `validation_exception`
 */
export function checkShardLimit(node: Node, added: number): void {
  const limit =
    clusterSettings.number(node.effectiveSettings, 'cluster.max_shards_per_node') ?? 1000
  let open = 0
  for (const { metadata } of node.indices())
    open += metadata.numberOfShards * (1 + metadata.numberOfReplicas)
  if (open + added > limit)
    throw new EngineError({
      type: 'validation_exception',
      reason: `Validation Failed: 1: this action would add [${added}] total shards, but this cluster currently has [${open}]/[${limit}] maximum shards open;`,
    })
}

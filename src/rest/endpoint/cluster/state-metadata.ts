/** The `metadata` of the cluster state. Each index is printed when it is written: together they may be large. */
import type { ClusterState, IndexState, ShownRollover } from '../../../engine/api/cluster-state.ts'
import type { EngineApi } from '../../../engine/api/engine-api.ts'
import type { ShownPipeline } from '../../../engine/api/pipelines.ts'
import type { ShownTemplate } from '../../../engine/api/templates.ts'
import {
  DeferredJson,
  type JsonMap,
  type JsonRecord,
  type JsonValue,
} from '../../../util/json/json-value.ts'

/** How metadata is printed. */
export interface MetadataLayout {
  readonly isFlat: boolean
  /** Whether certain indices were asked for: what belongs to none is left out then. */
  readonly isOfIndices: boolean
}

/** Everything below `metadata`. */
export function printMetadata(
  engine: EngineApi,
  state: ClusterState,
  { isFlat, isOfIndices }: MetadataLayout,
): JsonValue {
  const { clusterUuid, nodeId } = engine.cluster.identity
  const all = { names: [], isFlat }
  const templates = isOfIndices ? [] : engine.templates.showLegacy(all)
  const components = isOfIndices ? [] : engine.templates.showComponents(all)
  const composable = isOfIndices ? [] : engine.templates.showIndex(all)
  const pipelines = isOfIndices ? [] : engine.pipelines.show([])
  const searchPipelines = isOfIndices ? [] : engine.searchPipelines.show([])
  const printed = new Map<string, JsonValue>([
    ['cluster_uuid', clusterUuid],
    ['cluster_uuid_committed', true],
    [
      'cluster_coordination',
      {
        // The one node was elected once, by itself.
        term: 1,
        last_committed_config: [nodeId],
        last_accepted_config: [nodeId],
        voting_config_exclusions: [],
      },
    ],
    ['templates', named(templates, legacyTemplate)],
    [
      'indices',
      new Map(
        state.indices.map(index => [index.name, new DeferredJson(() => printIndex(index, isFlat))]),
      ),
    ],
  ])
  if (components.length > 0)
    printed.set('component_template', { component_template: named(components, asShown) })
  if (composable.length > 0)
    printed.set('index_template', { index_template: named(composable, asShown) })
  if (pipelines.length > 0) printed.set('ingest', { pipeline: configured(pipelines) })
  if (searchPipelines.length > 0)
    printed.set('search_pipeline', { pipeline: configured(searchPipelines) })
  if (state.dataStreams.length > 0) printed.set('data_stream', { data_stream: streams(state) })
  const tombstones = isOfIndices ? [] : state.tombstones
  printed.set('index-graveyard', {
    tombstones: tombstones.map(({ name, uuid, deletedAtInMillis }) => ({
      index: { index_name: name, index_uuid: uuid },
      delete_date_in_millis: deletedAtInMillis,
    })),
  })
  return printed
}

function named(
  templates: readonly ShownTemplate[],
  print: (template: JsonMap) => JsonValue,
): JsonMap {
  return new Map(templates.map(({ name, template }) => [name, print(template)]))
}

function configured(pipelines: readonly ShownPipeline[]): JsonRecord[] {
  return pipelines.map(({ id, definition }) => ({ id, config: definition }))
}

function asShown(template: JsonMap): JsonValue {
  return template
}

/** The mapping of an older template stands below the name of its type, unless it is empty. */
function legacyTemplate(template: JsonMap): JsonValue {
  const mappings = template.get('mappings')
  const isEmpty = !(mappings instanceof Map) || mappings.size === 0
  return isEmpty ? template : new Map(template).set('mappings', { _doc: mappings })
}

function printIndex(index: IndexState, isFlat: boolean): JsonRecord {
  const mappings = index.mappings()
  const byShard = (of: (shard: IndexState['shards'][number]) => JsonValue): JsonMap =>
    new Map(index.shards.map((shard, number) => [String(number), of(shard)]))
  return {
    version: index.version,
    mapping_version: index.mappingVersion,
    settings_version: index.settingsVersion,
    aliases_version: index.aliasesVersion,
    routing_num_shards: index.routingShards,
    state: index.isOpen ? 'open' : 'close',
    settings: index.settings.toJson(isFlat),
    mappings: mappings.size === 0 ? {} : { _doc: mappings },
    aliases: index.aliases,
    primary_terms: byShard(({ primaryTerm }) => primaryTerm),
    in_sync_allocations: byShard(({ allocationId }) => [allocationId]),
    rollover_info: new Map(index.rollovers.map(rollover => [rollover.name, printed(rollover)])),
    system: false,
  }
}

function printed({ met, timeInMillis }: ShownRollover): JsonRecord {
  const conditions = met.map(({ kind, value }): [string, JsonValue] => [
    `max_${kind}`,
    kind === 'docs' ? BigInt(Math.trunc(Number(value))) : value,
  ])
  return { met_conditions: new Map(conditions), time: timeInMillis }
}

function streams({ dataStreams }: ClusterState): JsonMap {
  return new Map(
    dataStreams.map(({ name, timestampField, indices, generation }) => [
      name,
      {
        name,
        timestamp_field: { name: timestampField },
        indices: indices.map(index => ({ index_name: index.name, index_uuid: index.uuid })),
        generation,
      },
    ]),
  )
}

/** The state of a node that belongs to no index, as snapshots keep it. */

import { UnsupportedFormatError } from '../../util/errors.ts'
import { type JsonNode, jsonEntry } from '../../util/json/json-tree.ts'
import type { JsonValue } from '../../util/json/json-value.ts'
import type { NodeState, StateWithBatch } from '../metadata/metadata-store.ts'
import { CLUSTER_SETTINGS } from '../metadata/section/cluster-settings.ts'
import { INGEST_PIPELINES } from '../metadata/section/ingest-pipelines.ts'
import type { MetadataSection } from '../metadata/section/metadata-section.ts'
import { SEARCH_PIPELINES } from '../metadata/section/search-pipelines.ts'
import { STORED_SCRIPTS } from '../metadata/section/stored-scripts.ts'
import {
  COMPONENT_TEMPLATES,
  INDEX_TEMPLATES,
  LEGACY_TEMPLATES,
} from '../metadata/section/templates.ts'

/** Its sections, each with its version: `{"stored_scripts": {"version": 1, "content": {…}}, …}`. */
export function printGlobalState(state: NodeState): JsonValue {
  const section = <T>(kind: MetadataSection<T>, value: T): [string, JsonValue] => [
    kind.name,
    { version: kind.version, content: kind.print(value) },
  ]
  return new Map([
    section(CLUSTER_SETTINGS, state.persistent),
    section(COMPONENT_TEMPLATES, state.componentTemplates),
    section(INDEX_TEMPLATES, state.indexTemplates),
    section(LEGACY_TEMPLATES, state.legacyTemplates),
    section(STORED_SCRIPTS, state.storedScripts),
    section(INGEST_PIPELINES, state.pipelines),
    section(SEARCH_PIPELINES, state.searchPipelines),
  ])
}

/**
 * The state of a node after a restore: settings as they were, legacy templates beside those that there are,
 * of the other kinds all or, where there were none, those of the node.
 * @throws {CorruptSegmentError} content that was never written
 * @throws {UnsupportedFormatError} a section of a newer version
 */
export function restoredState(printed: JsonNode, now: NodeState): StateWithBatch {
  const componentTemplates = readSection(printed, COMPONENT_TEMPLATES)
  const indexTemplates = readSection(printed, INDEX_TEMPLATES)
  const storedScripts = readSection(printed, STORED_SCRIPTS)
  const pipelines = readSection(printed, INGEST_PIPELINES)
  const searchPipelines = readSection(printed, SEARCH_PIPELINES)
  return {
    persistent: readSection(printed, CLUSTER_SETTINGS),
    legacyTemplates: new Map([...now.legacyTemplates, ...readSection(printed, LEGACY_TEMPLATES)]),
    ...(componentTemplates.size === 0 ? {} : { componentTemplates }),
    ...(indexTemplates.size === 0 ? {} : { indexTemplates }),
    ...(storedScripts.size === 0 ? {} : { storedScripts }),
    ...(pipelines.size === 0 ? {} : { pipelines }),
    ...(searchPipelines.size === 0 ? {} : { searchPipelines }),
  }
}

function readSection<T>(printed: JsonNode, kind: MetadataSection<T>): T {
  const stored = printed.kind === 'object' ? jsonEntry(printed, kind.name)?.value : undefined
  if (stored?.kind !== 'object') return kind.empty()
  const version = jsonEntry(stored, 'version')?.value
  const content = jsonEntry(stored, 'content')?.value
  if (version?.kind !== 'number' || content === undefined) return kind.empty()
  if (version.value > kind.version)
    throw new UnsupportedFormatError('snapshot', kind.name, version.value, kind.version)
  return kind.parse(version.value === kind.version ? content : kind.upgrade(content, version.value))
}

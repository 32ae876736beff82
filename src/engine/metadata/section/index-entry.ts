import type { MakeAnalysis } from '../../../analysis/registry.ts'
import { Mapping } from '../../../schema/mapping.ts'
import { parseMapping } from '../../../schema/mapping-parser.ts'
import { CorruptSegmentError } from '../../../util/errors.ts'
import { type JsonNode, jsonEntry } from '../../../util/json/json-tree.ts'
import type { JsonMap } from '../../../util/json/json-value.ts'
import { printAliases, storedAliases } from '../alias.ts'
import {
  type IndexMetadata,
  indexMetadata,
  mappingContext,
  type RolloverInfo,
} from '../index-metadata.ts'
import type { MetadataSection } from './metadata-section.ts'
import { numberAt, readSettings, textAt, valueAt } from './stored-values.ts'

/**
 * An index's entry: name, settings, mapping, aliases, state and versions; `rollover_info` where there is some,
 * `{"⟨name⟩": {"met": [{"kind": "docs", "value": "5"}], "time": …}}`.
 * @param makeAnalysis makes its analysis
 */
export function indexEntry(makeAnalysis: MakeAnalysis): MetadataSection<IndexMetadata> {
  return {
    name: 'index',
    version: 1,
    isRequired: true,
    empty() {
      throw new CorruptSegmentError('state', 32, 'the section [index]', 'none')
    },
    // The body of before is the entry.
    upgrade: content => content,
    parse: content => readIndex(content, makeAnalysis),
    print: metadata => ({
      name: metadata.name,
      settings: new Map(metadata.settings.toMap()),
      settings_version: metadata.settingsVersion,
      state: metadata.isOpen ? 'open' : 'close',
      routing_shards: metadata.routingShards,
      partition_size: metadata.partitionSize,
      mapping_version: metadata.mappingVersion,
      mapping: metadata.mapping.toJson(),
      aliases: printAliases(metadata.aliases),
      aliases_version: metadata.aliasesVersion,
      ...(metadata.rolloverInfo.size === 0
        ? {}
        : { rollover_info: printRollovers(metadata.rolloverInfo) }),
    }),
  }
}

/** The name in an entry. */
export function nameInEntry(content: JsonNode): string {
  return textAt(content, 'name')
}

function readIndex(content: JsonNode, makeAnalysis: MakeAnalysis): IndexMetadata {
  const settings = readSettings(valueAt(content, 'settings'))
  const analysis = makeAnalysis(settings.toMap())
  const mapping = valueAt(content, 'mapping')
  return indexMetadata(
    {
      name: nameInEntry(content),
      uuid: String(settings.get('index.uuid')),
      settings,
      mapping:
        mapping.kind === 'object' && mapping.entries.length === 0
          ? Mapping.EMPTY
          : parseMapping(mapping, mappingContext(settings, analysis)),
      mappingVersion: numberAt(content, 'mapping_version') ?? 1,
      // Entries of before there were closed indices and aliases lack the others.
      aliasesVersion: numberAt(content, 'aliases_version') ?? 1,
      settingsVersion: numberAt(content, 'settings_version') ?? 1,
      isOpen: content.kind !== 'object' || !isText(jsonEntry(content, 'state')?.value, 'close'),
      routingShards: numberAt(content, 'routing_shards'),
      // Entries of before it was stored were routed without partitions, whatever their settings said.
      partitionSize: numberAt(content, 'partition_size') ?? 1,
      aliases: storedAliases(valueAt(content, 'aliases')),
      rolloverInfo: readRollovers(content),
    },
    analysis,
  )
}

function printRollovers(infos: IndexMetadata['rolloverInfo']): JsonMap {
  return new Map(
    Array.from(infos, ([name, { met, timeInMillis }]) => [
      name,
      { met: met.map(({ kind, value }) => ({ kind, value })), time: timeInMillis },
    ]),
  )
}

function readRollovers(entry: JsonNode): IndexMetadata['rolloverInfo'] {
  const node = entry.kind === 'object' ? jsonEntry(entry, 'rollover_info')?.value : undefined
  if (node?.kind !== 'object') return new Map()
  return new Map(node.entries.map(({ key, value }) => [key, readRollover(value)]))
}

function readRollover(node: JsonNode): RolloverInfo {
  const met = valueAt(node, 'met')
  if (met.kind !== 'array') throw new CorruptSegmentError('state', 32, 'conditions', met.kind)
  return {
    met: met.items.map(item => ({ kind: conditionKind(item), value: textAt(item, 'value') })),
    timeInMillis: numberAt(node, 'time') ?? 0,
  }
}

function conditionKind(node: JsonNode): RolloverInfo['met'][number]['kind'] {
  const kind = textAt(node, 'kind')
  if (kind === 'age' || kind === 'docs' || kind === 'size') return kind
  throw new CorruptSegmentError('state', 32, 'a kind of condition', kind)
}

function isText(node: JsonNode | undefined, text: string): boolean {
  return node?.kind === 'string' && node.value === text
}

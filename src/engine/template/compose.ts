/** From templates to what they give an index of a name. */
import { parseMapping } from '../../schema/mapping-parser.ts'
import { indexSettings, settingsOfNewIndex } from '../../schema/setting-registry.ts'
import type { SettingChanges, SettingValue } from '../../schema/settings.ts'
import { checkStreamTimestamp } from '../../schema/stream-timestamp-field.ts'
import type { JsonNode, JsonObjectNode } from '../../util/json/json-tree.ts'
import { parseJsonTree } from '../../util/json/json-tree.ts'
import type { JsonMap, JsonRecord } from '../../util/json/json-value.ts'
import { writeJson } from '../../util/json/json-writer.ts'
import { matchesWildcard } from '../../util/wildcard.ts'
import type { Aliases } from '../metadata/alias.ts'
import { checkDefaultAnalyzer, checkTextAnalyzers } from '../metadata/analysis-modes.ts'
import { mappingContext } from '../metadata/index-metadata.ts'
import type { NodeState } from '../metadata/metadata-store.ts'
import {
  EMPTY_BODY,
  type IndexTemplate,
  type StreamTemplate,
  type TemplateBody,
} from '../metadata/template.ts'
import type { Node } from '../node/node.ts'
import { mergeMappings, printedMapping } from './merge-mappings.ts'

/** The contents that the layers of an index give it together. */
export interface ComposedBody {
  readonly settings: ReadonlyMap<string, SettingValue>
  /** Null where no layer has one. */
  readonly mappings: JsonNode | null
  readonly aliases: Aliases
}

/** An index template with its name. */
export interface NamedTemplate {
  readonly name: string
  readonly template: IndexTemplate
}

/**
 * The index template for a name: of those that match, that of the highest priority.
 * @param isHidden hidden indices are passed over by templates that match everything
 */
export function templateFor(
  { indexTemplates }: Pick<NodeState, 'indexTemplates'>,
  index: string,
  isHidden = false,
): NamedTemplate | null {
  let best: NamedTemplate | null = null
  for (const [name, template] of indexTemplates) {
    const patterns = isHidden
      ? template.indexPatterns.filter(pattern => pattern !== '*')
      : template.indexPatterns
    if (!patterns.some(pattern => matchesWildcard(pattern, index))) continue
    const difference = best === null ? 1 : priorityOf(template) - priorityOf(best.template)
    // Two of one priority may match a name that the check of their patterns did not think of.
    if (difference > 0 || (difference === 0 && name < best!.name)) best = { name, template }
  }
  return best
}

/** A template's priority; 0 where none was given. */
export function priorityOf({ priority }: IndexTemplate): number {
  return priority ?? 0
}

/** The layers of an index template, the one that wins last. */
export function layersOf(
  { componentTemplates }: Pick<NodeState, 'componentTemplates'>,
  template: IndexTemplate,
): readonly TemplateBody[] {
  const components = template.composedOf.flatMap(
    name => componentTemplates.get(name)?.template ?? [],
  )
  return [...components, template.template ?? EMPTY_BODY]
}

/** The layers of what an index template makes: an index, or one of a data stream. */
export function layersMadeBy(
  state: Pick<NodeState, 'componentTemplates'>,
  template: IndexTemplate,
): readonly TemplateBody[] {
  const { dataStream } = template
  return dataStream === null
    ? layersOf(state, template)
    : layersOfStream(state, template, dataStream)
}

/**
 * The layers of an index that a data stream makes: its field of dates below all, and the mark that demands it
 * above. Aliases are left out: data streams have none.
 */
export function layersOfStream(
  state: Pick<NodeState, 'componentTemplates'>,
  template: IndexTemplate,
  { timestampField }: StreamTemplate,
): readonly TemplateBody[] {
  const withoutAliases = layersOf(state, template).map(layer => ({ ...layer, aliases: null }))
  const field = { properties: { [timestampField]: { type: 'date' } } }
  const mark = {
    _data_stream_timestamp: { enabled: true, timestamp_field: { name: timestampField } },
  }
  return [mappingLayer(field), ...withoutAliases, mappingLayer(mark)]
}

function mappingLayer(mappings: JsonRecord): TemplateBody {
  return { ...EMPTY_BODY, mappings: parseJsonTree(writeJson(mappings)) as JsonObjectNode }
}

type AllTemplates = Pick<NodeState, 'componentTemplates' | 'indexTemplates' | 'legacyTemplates'>

/** The layers that templates give an index of a name: of the one index template, or of all older ones. */
export function layersFor(
  state: AllTemplates,
  index: string,
  isHidden = false,
): readonly TemplateBody[] {
  return namedLayersFor(state, index, isHidden).map(([, layer]) => layer)
}

/** The layers, each with the name of the template that brings it. */
function namedLayersFor(
  state: AllTemplates,
  index: string,
  isHidden: boolean,
): (readonly [name: string, layer: TemplateBody])[] {
  const found = templateFor(state, index, isHidden)
  if (found !== null) return layersOf(state, found.template).map(layer => [found.name, layer])
  const matching = [...state.legacyTemplates].filter(([, { indexPatterns }]) =>
    indexPatterns.some(
      pattern => matchesWildcard(pattern, index) && !(isHidden && pattern === '*'),
    ),
  )
  return matching.sort(([, a], [, b]) => a.order - b.order).map(([name, { body }]) => [name, body])
}

/** Template and alias for each alias that templates give an index of a name. */
export function templateAliasesFor(
  state: AllTemplates,
  index: string,
  isHidden: boolean,
): { readonly template: string; readonly alias: string }[] {
  return namedLayersFor(state, index, isHidden).flatMap(([template, { aliases }]) =>
    Array.from(withIndexName(aliases ?? new Map(), index).keys(), alias => ({ template, alias })),
  )
}

/**
 * Lays bodies over each other, the last one wins.
 * @param index the name that `{index}` stands for; null leaves it as it is
 * @throws {EngineError} settings that are none, a mapping that cannot be read with them
 */
export function compose(
  node: Node,
  layers: readonly TemplateBody[],
  index: string | null,
): ComposedBody {
  const settings = mergedSettings(layers)
  const mappings = layers.flatMap(layer => layer.mappings ?? [])
  const aliases = new Map(layers.flatMap(layer => [...(layer.aliases ?? [])]))
  return {
    settings,
    mappings: mappings.length < 2 ? (mappings[0] ?? null) : mergedMapping(node, settings, mappings),
    aliases: index === null ? aliases : withIndexName(aliases, index),
  }
}

function mergedSettings(layers: readonly TemplateBody[]): ReadonlyMap<string, SettingValue> {
  const merged = new Map<string, SettingValue>()
  for (const { settings } of layers)
    for (const [key, value] of settings ?? [])
      if (value === null) merged.delete(key)
      else merged.set(key, value)
  return merged
}

function mergedMapping(
  node: Node,
  given: SettingChanges,
  mappings: readonly JsonObjectNode[],
): JsonNode {
  const settings = settingsOfNewIndex(given)
  const context = mappingContext(settings, node.makeAnalysis(settings.toMap()))
  let merged: JsonMap = new Map()
  // Read and printed first, so that dotted names and objects of one field meet.
  for (const mapping of mappings)
    merged = mergeMappings(merged, printedMapping(parseMapping(mapping, context)))
  return parseJsonTree(writeJson(merged))
}

function withIndexName(aliases: Aliases, index: string): Aliases {
  return new Map(
    Array.from(aliases, ([name, alias]) => [
      name.replaceAll('{index}', index),
      {
        ...alias,
        filter:
          alias.filter === null ? null : (replaceTexts(alias.filter, index) as JsonObjectNode),
      },
    ]),
  )
}

function replaceTexts(node: JsonNode, index: string): JsonNode {
  if (node.kind === 'string') return { ...node, value: node.value.replaceAll('{index}', index) }
  if (node.kind === 'array')
    return { ...node, items: node.items.map(item => replaceTexts(item, index)) }
  if (node.kind !== 'object') return node
  const entries = node.entries.map(entry => ({ ...entry, value: replaceTexts(entry.value, index) }))
  return { ...node, entries }
}

/** Whether a request makes a hidden index. */
export function isHiddenBy(settings: SettingChanges): boolean {
  return settings.get('index.hidden') === 'true'
}

/**
 * Reads a composed body for a trial, as the creation of an index would.
 * @throws {EngineError} settings or a mapping that no index could have
 */
export function checkBody(node: Node, body: ComposedBody): void {
  const settings = settingsOfNewIndex(body.settings)
  // Their readers refuse what depends on other settings.
  indexSettings.number(settings, 'index.number_of_shards')
  const analysis = node.makeAnalysis(settings.toMap())
  checkDefaultAnalyzer(analysis)
  if (body.mappings === null) return
  const mapping = parseMapping(body.mappings, mappingContext(settings, analysis))
  checkTextAnalyzers(mapping, analysis)
  checkStreamTimestamp(mapping)
}

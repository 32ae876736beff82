/**
 * Dynamic templates: what a field that a document brings first is mapped as. The first template
 * that matches the name and the kind of value wins.
 */

import { EngineError, IllegalArgumentError } from '../util/errors.ts'
import type { JsonEntry, JsonNode, JsonObjectNode } from '../util/json/json-tree.ts'
import type { JsonValue } from '../util/json/json-value.ts'
import { describeNode, nodeToJson } from './json-conversion.ts'
import { type PatternKind, type TemplatePattern, templatePattern } from './template-pattern.ts'

/** The kinds of value that a template can ask for. */
export type DynamicKind = 'object' | 'string' | 'long' | 'double' | 'boolean' | 'date' | 'binary'

/** A template as it was given. */
export interface DynamicTemplate {
  readonly name: string
  /** Patterns of the last name and of the full one; empty: any. */
  readonly match: readonly TemplatePattern[]
  readonly unmatch: readonly TemplatePattern[]
  readonly pathMatch: readonly TemplatePattern[]
  readonly pathUnmatch: readonly TemplatePattern[]
  /** Null: any kind. */
  readonly kind: DynamicKind | null
  readonly mapping: JsonObjectNode
  readonly printed: JsonValue
}

/** All of them, in the order in which errors list them. */
export const DYNAMIC_KINDS: readonly DynamicKind[] = [
  'object',
  'string',
  'long',
  'double',
  'boolean',
  'date',
  'binary',
]
const LISTS = ['match', 'path_match', 'unmatch', 'path_unmatch'] as const

function syntaxError(reason: string): EngineError {
  return new EngineError({ type: 'mapper_parsing_exception', reason })
}

/**
 * Reads `dynamic_templates`.
 * @throws {EngineError} `mapper_parsing_exception` or `illegal_argument_exception`
 */
export function parseDynamicTemplates(node: JsonNode): DynamicTemplate[] {
  const bad = 'Dynamic template syntax error. An array of named objects is expected.'
  if (node.kind !== 'array') throw syntaxError(bad)
  return node.items.map(item => {
    if (item.kind !== 'object') throw syntaxError(bad)
    const entry = item.entries[0]
    if (entry === undefined || item.entries.length !== 1)
      throw syntaxError('A dynamic template must be defined with a name')
    if (entry.value.kind !== 'object') throw syntaxError(bad)
    return parseTemplate(entry.key, entry.value)
  })
}

function parseTemplate(name: string, conf: JsonObjectNode): DynamicTemplate {
  const lists = new Map<string, readonly string[]>()
  let kind: DynamicKind | null = null
  let kindGiven = false
  let patternKind: PatternKind = 'simple'
  let mapping: JsonObjectNode | null = null
  for (const { key, value } of conf.entries) {
    if (LISTS.some(list => list === key)) {
      lists.set(key, value.kind === 'array' ? value.items.map(describeNode) : [describeNode(value)])
    } else if (key === 'match_mapping_type') {
      const text = describeNode(value)
      kindGiven = true
      if (text !== '*') {
        if (!DYNAMIC_KINDS.some(known => known === text))
          throw new IllegalArgumentError(
            `No field type matched on [${text}], possible values are [${DYNAMIC_KINDS.join(', ')}]`,
          )
        kind = text as DynamicKind
      }
    } else if (key === 'match_pattern') {
      const text = describeNode(value)
      if (text !== 'simple' && text !== 'regex')
        throw new IllegalArgumentError(`No matching pattern matched on [${text}]`)
      patternKind = text
    } else if (key === 'mapping') {
      if (value.kind !== 'object') throw syntaxError('template must have mapping set')
      mapping = value
    } else throw new IllegalArgumentError(`Illegal dynamic template parameter: [${key}]`)
  }
  if (!kindGiven && !lists.has('match') && !lists.has('path_match'))
    throw syntaxError(
      `template must have match, path_match or match_mapping_type set ${describeNode(conf)}`,
    )
  if (mapping === null) throw syntaxError('template must have mapping set')
  const printed = new Map<string, JsonValue>()
  for (const list of LISTS) {
    const patterns = lists.get(list)
    if (patterns !== undefined) printed.set(list, patterns.length === 1 ? patterns[0]! : patterns)
  }
  if (kind !== null) printed.set('match_mapping_type', kind)
  else if (!lists.has('match') && !lists.has('path_match')) printed.set('match_mapping_type', '*')
  if (patternKind === 'regex') printed.set('match_pattern', 'regex')
  printed.set('mapping', nodeToJson(mapping, true))
  const patterns = (list: (typeof LISTS)[number]): TemplatePattern[] =>
    (lists.get(list) ?? []).map(text => templatePattern(text, patternKind, name))
  return {
    name,
    match: patterns('match'),
    unmatch: patterns('unmatch'),
    pathMatch: patterns('path_match'),
    pathUnmatch: patterns('path_unmatch'),
    kind,
    mapping,
    printed,
  }
}

/** The first template for a new field, null when none matches. */
export function findTemplate(
  templates: readonly DynamicTemplate[],
  path: string,
  kind: DynamicKind,
): DynamicTemplate | null {
  const name = path.slice(path.lastIndexOf('.') + 1)
  for (const template of templates) {
    if (template.kind !== null && template.kind !== kind) continue
    if (template.match.length > 0 && !matchesAny(template.match, name)) continue
    if (template.pathMatch.length > 0 && !matchesAny(template.pathMatch, path)) continue
    if (matchesAny(template.unmatch, name) || matchesAny(template.pathUnmatch, path)) continue
    return template
  }
  return null
}

/**
 * The template's mapping for one field: `{name}` and `{dynamic_type}` filled in, the type added
 * when it names none.
 */
export function instantiateTemplate(
  template: DynamicTemplate,
  name: string,
  type: string,
): JsonObjectNode {
  const fill = (text: string): string =>
    text.replaceAll('{name}', name).replaceAll(DYNAMIC_TYPE, type)
  const filled = fillNode(template.mapping, fill) as JsonObjectNode
  const { line, col } = filled
  const impliesObject = filled.entries.some(entry => entry.key === 'properties')
  if (impliesObject || filled.entries.some(entry => entry.key === 'type')) return filled
  const typeEntry: JsonEntry = {
    key: 'type',
    line,
    col,
    value: { kind: 'string', line, col, value: type },
  }
  return { ...filled, entries: [typeEntry, ...filled.entries] }
}

/** The placeholder of the detected type, in both its spellings. */
const DYNAMIC_TYPE = /\{dynamic_?[tT]ype\}/g

/** Depth is bounded by the reader that made the node. */
function fillNode(node: JsonNode, fill: (text: string) => string): JsonNode {
  if (node.kind === 'string') return { ...node, value: fill(node.value) }
  if (node.kind === 'array') return { ...node, items: node.items.map(item => fillNode(item, fill)) }
  if (node.kind !== 'object') return node
  return {
    ...node,
    entries: node.entries.map(entry => ({
      ...entry,
      key: fill(entry.key),
      value: fillNode(entry.value, fill),
    })),
  }
}

function matchesAny(patterns: readonly TemplatePattern[], text: string): boolean {
  return patterns.some(pattern => pattern.matches(text))
}

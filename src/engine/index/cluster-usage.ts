/** Field types and analysis components in use by all indices, counted by type. */
import { jsonEntries } from '../../util/json/json-writer.ts'
import type { ClusterUsage, UsedType } from '../api/cluster.ts'
import type { IndexMetadata } from '../metadata/index-metadata.ts'
import type { Node } from '../node/node.ts'

/** Counts of names, and of the indices that each is found in. */
class UsedTypes {
  readonly #found = new Map<string, { count: number; indices: Set<string> }>()

  add(name: string, index: string): void {
    let found = this.#found.get(name)
    if (found === undefined) {
      found = { count: 0, indices: new Set() }
      this.#found.set(name, found)
    }
    found.count++
    found.indices.add(index)
  }

  /** In order of name. */
  list(): UsedType[] {
    return [...this.#found]
      .map(([name, { count, indices }]) => ({ name, count, indexCount: indices.size }))
      .sort((a, b) => (a.name < b.name ? -1 : 1))
  }
}

const KINDS = ['char_filter', 'tokenizer', 'filter', 'analyzer'] as const
type Kind = (typeof KINDS)[number]
/** Parameters of fields that name analyzers. */
const ANALYZER_PARAMETERS = ['analyzer', 'search_analyzer', 'search_quote_analyzer']

/** Counts over all indices, closed ones included. */
export function usageOf(node: Node): ClusterUsage {
  const fieldTypes = new UsedTypes()
  const own = perKind()
  const builtIn = perKind()
  for (const index of node.metadata.indices()) {
    const analyzers: string[] = []
    countFields(index.mapping.toJson(), index.name, fieldTypes, analyzers)
    countAnalysis(index, analyzers, own, builtIn)
  }
  const listed = (types: Readonly<Record<Kind, UsedTypes>>): Record<Kind, UsedType[]> => ({
    char_filter: types.char_filter.list(),
    tokenizer: types.tokenizer.list(),
    filter: types.filter.list(),
    analyzer: types.analyzer.list(),
  })
  return { fieldTypes: fieldTypes.list(), own: listed(own), builtIn: listed(builtIn) }
}

function perKind(): Record<Kind, UsedTypes> {
  return {
    char_filter: new UsedTypes(),
    tokenizer: new UsedTypes(),
    filter: new UsedTypes(),
    analyzer: new UsedTypes(),
  }
}

/** Counts the fields of a mapping, those of objects and beside others included. */
function countFields(mapping: object, index: string, types: UsedTypes, analyzers: string[]): void {
  for (const [key, value] of jsonEntries(mapping)) {
    if (key !== 'properties' && key !== 'fields') continue
    for (const [, field] of jsonEntries(value as object)) {
      const parameters = new Map(jsonEntries(field as object))
      types.add(String(parameters.get('type') ?? 'object'), index)
      for (const parameter of ANALYZER_PARAMETERS) {
        const analyzer = parameters.get(parameter)
        if (analyzer !== undefined) analyzers.push(String(analyzer))
      }
      countFields(field as object, index, types, analyzers)
    }
  }
}

/** Counts the components that an index defines, and the built-in ones that these and its fields name. */
function countAnalysis(
  { name: index, settings }: IndexMetadata,
  analyzers: readonly string[],
  own: Readonly<Record<Kind, UsedTypes>>,
  builtIn: Readonly<Record<Kind, UsedTypes>>,
): void {
  const defined: Record<Kind, Set<string>> = {
    char_filter: new Set(),
    tokenizer: new Set(),
    filter: new Set(),
    analyzer: new Set(),
  }
  for (const key of settings.keys()) {
    const [, kind, name] = /^index\.analysis\.([a-z_]+)\.([^.]+)\./.exec(key) ?? []
    if (isKind(kind) && name !== undefined) defined[kind].add(name)
  }
  const named = (kind: Kind, name: string): void => {
    if (!defined[kind].has(name)) builtIn[kind].add(name, index)
  }
  for (const kind of KINDS)
    for (const name of defined[kind]) {
      const type = settings.get(`index.analysis.${kind}.${name}.type`)
      own[kind].add(type === null ? 'custom' : String(type), index)
    }
  for (const name of defined.analyzer)
    for (const kind of ['char_filter', 'tokenizer', 'filter'] as const) {
      const value = settings.get(`index.analysis.analyzer.${name}.${kind}`)
      for (const component of namesIn(value)) named(kind, component)
    }
  for (const name of analyzers) named('analyzer', name)
}

function isKind(name: string | undefined): name is Kind {
  return KINDS.some(kind => kind === name)
}

function namesIn(value: string | readonly string[] | null): readonly string[] {
  if (value === null) return []
  return typeof value === 'string' ? value.split(',').map(name => name.trim()) : value
}

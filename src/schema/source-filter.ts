/**
 * `_source` filtering: which parts of a document come back. A pattern names a path, `*` any run of
 * characters, dots included; a path takes all that is below it; excludes win. Numbers and strings
 * that stay keep their values; numbers are copied as they were written.
 */
import { encodeUtf8 } from '../util/bytes.ts'
import { type JsonNode, type JsonObjectNode, parseJsonTree } from '../util/json/json-tree.ts'
import { GlobSet, type GlobState } from './glob-set.ts'

/** Which parts of a source are kept; `enabled: false` keeps nothing. */
export interface KeptSource {
  readonly enabled: boolean
  /** Patterns of dotted paths with `*`; none: everything. */
  readonly includes: readonly string[]
  readonly excludes: readonly string[]
}

/** The rest of a source: the same bytes when nothing is filtered, null when it is not wanted. */
export function filterSource(source: Uint8Array, filter: KeptSource): Uint8Array | null {
  if (!filter.enabled) return null
  if (filter.includes.length === 0 && filter.excludes.length === 0) return source
  const tree = parseJsonTree(source)
  if (tree.kind !== 'object') return source
  const walk = new SourceWalk(filter)
  const kept = walk.object(tree, walk.includes.start, walk.excludes.start, walk.includes.isEmpty)
  return encodeUtf8(kept)
}

/** Depth is that of the document, which was bounded when it was indexed. */
class SourceWalk {
  readonly includes: GlobSet
  readonly excludes: GlobSet

  constructor(filter: KeptSource) {
    this.includes = new GlobSet(filter.includes)
    this.excludes = new GlobSet(filter.excludes)
  }

  /** @param isIncluded an include names the object or what it stands in, or there are none */
  object(
    node: JsonObjectNode,
    included: GlobState,
    excluded: GlobState,
    isIncluded: boolean,
    isRoot = true,
  ): string {
    const parts: string[] = []
    for (const { key, value } of node.entries) {
      const piece = isRoot ? key : `.${key}`
      const nowExcluded = this.excludes.step(excluded, piece)
      if (this.excludes.accepts(nowExcluded)) continue
      const nowIncluded = this.includes.step(included, piece)
      const takes = isIncluded || this.includes.accepts(nowIncluded)
      if (!takes && nowIncluded.size === 0) continue
      const kept = this.#value(value, nowIncluded, nowExcluded, takes)
      if (kept !== null) parts.push(`${JSON.stringify(key)}:${kept}`)
    }
    return `{${parts.join(',')}}`
  }

  /** The value's JSON, or null when nothing of it stays. */
  #value(
    node: JsonNode,
    included: GlobState,
    excluded: GlobState,
    isIncluded: boolean,
  ): string | null {
    if (node.kind === 'object') {
      const kept = this.object(node, included, excluded, isIncluded, false)
      return kept === '{}' && !isIncluded ? null : kept
    }
    if (node.kind === 'array') {
      const items: string[] = []
      for (const item of node.items) {
        if (item.kind === 'object')
          items.push(this.object(item, included, excluded, isIncluded, false))
        else {
          const kept = this.#value(item, included, excluded, isIncluded)
          if (kept !== null) items.push(kept)
        }
      }
      return items.length === 0 && !isIncluded ? null : `[${items.join(',')}]`
    }
    if (!isIncluded) return null
    if (node.kind === 'number') return node.text
    return node.kind === 'null' ? 'null' : JSON.stringify(node.value)
  }
}

import { hashRouting } from '../hash-routing.ts'
import { type NamedQuery, queriesIn, valuesOn } from '../query-leaves.ts'
import type { RequestProcessorType } from '../search-processor.ts'
import { sourceKey } from '../search-source.ts'

/** The routing of paths that have no segments. */
const ROOT = '_root'

/** `hierarchical_routing_search`: a search looks at the shards of the paths that its query has to match. */
export const HIERARCHICAL_ROUTING_SEARCH: RequestProcessorType = {
  name: 'hierarchical_routing_search',
  parse(config) {
    const field = config.text('path_field')
    const depth = config.int('anchor_depth', 2)!
    const separator = config.optionalText('path_separator') ?? '/'
    config.flag('enable_auto_detection', true)
    if (depth <= 0) throw config.fault('anchor_depth', 'must be greater than 0')
    if (separator === '') throw config.fault('path_separator', 'cannot be null or empty')
    if (field === '') throw config.fault('path_field', 'cannot be null or empty')
    return call => {
      if (call.options.routing !== undefined) return call
      const queries = queriesIn(sourceKey(call, 'query'), occur => occur === 'must')
      const paths = Array.from(queries, query => PATHS[query.name]?.(query, field) ?? []).flat()
      const anchors = paths
        .filter(path => path !== '')
        .map(path => anchorOf(path, separator, depth))
      if (anchors.length === 0) return call
      const routing = [...new Set(anchors)].map(hashRouting)
      return { ...call, options: { ...call.options, routing } }
    }
  },
}

/** Queries that name paths, each with the paths; of a pattern it is what stands before its first placeholder. */
const PATHS: Readonly<Record<string, (query: NamedQuery, field: string) => readonly string[]>> = {
  term: (query, field) => valuesOn(query, field),
  terms: (query, field) => valuesOn(query, field),
  prefix: (query, field) => valuesOn(query, field),
  wildcard: (query, field) =>
    [...valuesOn(query, field), ...valuesOn(query, field, 'wildcard')].map(
      pattern => pattern.split(/[*?]/, 1)[0]!,
    ),
}

/** The first segments of a path. */
function anchorOf(path: string, separator: string, depth: number): string {
  const segments = path
    .trim()
    .split(separator)
    .filter(segment => segment !== '')
  return segments.length === 0 ? ROOT : segments.slice(0, depth).join(separator)
}

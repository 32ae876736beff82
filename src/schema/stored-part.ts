/**
 * The part of a source that a segment keeps for fields with `store: true` where the mapping drops parts of it.
 * Elsewhere the source itself gives their values.
 */
import type { Mapping } from './mapping.ts'
import type { KeptSource } from './source-filter.ts'
import { sourcePaths } from './source-values.ts'

/**
 * The part of a source that the values of stored fields are read from, kept beside what is kept of the
 * source; null: nothing beside it.
 */
export function storedPart(mapping: Mapping): KeptSource | null {
  const { source } = mapping.options
  if (source === null) return null
  const { enabled, includes, excludes } = source
  if (enabled && includes.length === 0 && excludes.length === 0) return null
  const paths = mapping.leaves
    .filter(({ parameters }) => parameters.get('store') === true)
    .flatMap(field => sourcePaths(field, mapping))
  return paths.length === 0 ? null : { enabled: true, includes: paths, excludes: [] }
}

import { checkAccess } from '../../task/access.ts'
import type { CallContext } from '../../task/call-context.ts'
import { matchesWildcard } from '../../util/wildcard.ts'
import type { Target } from '../api/target.ts'
import { resolveDateMath } from './date-math-name.ts'
import { indexNotFound, invalidName } from './index-names.ts'
import type { MetadataStore } from './metadata-store.ts'
import { checkBlocksFor, isHidden, isHiddenAlias, isPattern, isShown } from './resolve-target.ts'

/**
 * The names that a call means, of indices, aliases and data streams alike, sorted: an alias is not taken for its
 * indices, nor a data stream. `-x` takes away what an earlier wildcard brought.
 * @throws {EngineError} `index_not_found_exception`, `invalid_index_name_exception`, `security_exception`,
 *   `cluster_block_exception`
 */
export function resolveNames(
  metadata: MetadataStore,
  target: Target,
  context: CallContext,
): readonly string[] {
  const { names, ignoreUnavailable, allowNoIndices } = target
  const found = new Set<string>()
  const isAll = names.length === 0 || (names.length === 1 && names[0] === '_all')
  let hadWildcard = false
  for (const given of isAll ? ['*'] : names) {
    const isExclusion = hadWildcard && given.startsWith('-') && given.length > 1
    const name = resolveDateMath(isExclusion ? given.slice(1) : given)
    if (isPattern(name, target)) {
      hadWildcard = true
      const matched = namesLike(metadata, name, target)
      for (const each of matched)
        if (isExclusion) found.delete(each)
        else found.add(each)
      if (matched.length === 0 && !isExclusion && !allowNoIndices) throw indexNotFound(given)
    } else if (isExclusion) found.delete(name)
    else if (exists(metadata, name)) found.add(name)
    else {
      if (name.startsWith('_')) throw invalidName(name, "must not start with '_'.")
      if (name.includes('*') && allowNoIndices) continue
      if (ignoreUnavailable && (allowNoIndices || names.length > 1)) continue
      checkAccess(context, context.task.action, [name])
      throw indexNotFound(name)
    }
  }
  const resolved = [...found].sort()
  checkAccess(context, context.task.action, resolved)
  checkBlocksFor(
    metadata,
    context.task.action,
    resolved.flatMap(name => metadata.index(name) ?? []),
  )
  return resolved
}

function exists(metadata: MetadataStore, name: string): boolean {
  if (metadata.index(name) !== null || metadata.dataStream(name) !== null) return true
  return metadata.indicesOfAlias(name).length > 0
}

/** Names that a pattern matches. Aliases and data streams are neither open nor closed. */
function namesLike(metadata: MetadataStore, pattern: string, target: Target): string[] {
  const isMeant = (name: string, hidden: boolean): boolean =>
    matchesWildcard(pattern, name) && isShown(pattern, name, hidden, target)
  const indices = metadata
    .indices()
    .filter(
      index =>
        (index.isOpen ? target.expandOpen : target.expandClosed) &&
        isMeant(index.name, isHidden(index)),
    )
  const aliases = new Set(metadata.indices().flatMap(({ aliases }) => [...aliases.keys()]))
  return [
    ...indices.map(({ name }) => name),
    ...[...aliases].filter(name => isMeant(name, isHiddenAlias(metadata, name))),
    ...[...metadata.node.dataStreams.keys()].filter(name => isMeant(name, false)),
  ]
}

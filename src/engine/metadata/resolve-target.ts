/** From the names of a call to the indices that it means. */
import { indexSettings } from '../../schema/setting-registry.ts'
import { checkAccess, passedBy, TRUSTED_ACCESS } from '../../task/access.ts'
import { ACTIONS, type Action } from '../../task/actions.ts'
import type { CallContext } from '../../task/call-context.ts'
import { EngineError, IllegalArgumentError } from '../../util/errors.ts'
import { matchesWildcard } from '../../util/wildcard.ts'
import type { Target } from '../api/target.ts'
import { checkBlocks } from './blocks.ts'
import { resolveDateMath } from './date-math-name.ts'
import type { IndexMetadata } from './index-metadata.ts'
import { indexClosed, indexNotFound, invalidName } from './index-names.ts'
import { type IndexView, viewThrough } from './index-view.ts'
import type { MetadataStore } from './metadata-store.ts'

/** The indices, aliases and data streams that a name is looked up in. */
export type NamedIndices = Pick<
  MetadataStore,
  | 'index'
  | 'indices'
  | 'indexCount'
  | 'indicesOfAlias'
  | 'dataStream'
  | 'dataStreamOf'
  | 'indicesOfStream'
  | 'clusterBlocks'
>

/**
 * Views of those indices that a call means and that are open; in the same order.
 * @throws {EngineError} as `resolveTarget`; `index_closed_exception` where one is closed, unless
 *   unavailable ones may be
 */
export function resolveOpen(
  metadata: MetadataStore,
  target: Target,
  context: CallContext,
): IndexView[] {
  const found = resolveTarget(metadata, target, context)
  const closed = found.find(({ index }) => !index.isOpen)
  if (closed === undefined) return found
  if (!target.ignoreUnavailable) throw indexClosed(closed.index)
  return found.filter(({ index }) => index.isOpen)
}

/**
 * Views of the indices that a call means, by their names or those of aliases and data streams, without repeats, in the
 * order in which they are named; those of a pattern by name. `-x` takes away what an earlier wildcard
 * brought. An action on indices that exist is allowed or refused here, as a whole; or it goes on without those
 * that are denied, where the server does so.
 * @throws {EngineError} `index_not_found_exception`, `invalid_index_name_exception`,
 *   `cluster_block_exception`;
 *   `security_exception`, also of a name that is missing: its absence is no news for everybody
 */
export function resolveTarget(
  metadata: NamedIndices,
  target: Target,
  context: CallContext,
): IndexView[] {
  const found = new FoundIndices()
  const { names, ignoreUnavailable, allowNoIndices } = target
  let hadWildcard = false
  const isAll = names.length === 0 || (names.length === 1 && names[0] === '_all')
  // All indices are those that are shown: an alias that is shown does not bring hidden ones.
  const isWhole = isAll || (names.length === 1 && names[0] === '*')
  const patternTarget = isWhole ? { ...target, allowAliases: false } : target
  for (const given of isAll ? ['*'] : names) {
    const isExclusion = hadWildcard && given.startsWith('-') && given.length > 1
    const name = resolveDateMath(isExclusion ? given.slice(1) : given)
    if (isPattern(name, target)) {
      hadWildcard = true
      const matched = found.changeByPattern(metadata, name, patternTarget, isExclusion)
      if (!matched && !isExclusion && !allowNoIndices && !isAll) throw indexNotFound(given)
    } else if (isExclusion) found.remove(metadata, name)
    else if (!found.addNamed(metadata, name, target)) {
      if (name.startsWith('_')) throw invalidName(name, "must not start with '_'.")
      // No index is called like a pattern: where none expands, it means nothing, and nothing is missing.
      if (name.includes('*') && allowNoIndices && names.length === 1) continue
      if (ignoreUnavailable && (allowNoIndices || names.length > 1)) continue
      checkAccess(context, context.task.action, [name])
      throw indexNotFound(name)
    }
  }
  const meant = found.indices()
  if (meant.length === 0 && !allowNoIndices)
    throw metadata.indexCount === 0 && isAll
      ? noIndices()
      : indexNotFound(names.join(',') || '_all')
  const passed = context.access === TRUSTED_ACCESS ? meant : passedOf(meant, context)
  checkBlocksFor(
    metadata,
    context.task.action,
    passed.map(({ index }) => index),
  )
  return passed.map(({ index, aliases }) => viewThrough(index, aliases, context))
}

/** @throws {EngineError} `security_exception` */
function passedOf<T extends { readonly index: IndexMetadata }>(
  meant: readonly T[],
  context: CallContext,
): readonly T[] {
  const names = meant.map(({ index }) => index.name)
  const passed = passedBy(context, context.task.action, names)
  return passed === names ? meant : meant.filter(({ index }) => passed.includes(index.name))
}

/** Indices in the order found, each with the names that led to it. */
class FoundIndices {
  /** Aliases that led to an index; null once its own name did. */
  readonly #indices = new Map<IndexMetadata, Set<string> | null>()

  /** With the aliases that led to each; null: its own name did. */
  indices(): { readonly index: IndexMetadata; readonly aliases: readonly string[] | null }[] {
    return Array.from(this.#indices, ([index, aliases]) => ({
      index,
      aliases: aliases === null ? null : [...aliases],
    }))
  }

  /**
   * Adds the index, or those of the alias or the data stream, of a name.
   * @returns false when there is neither, or one that the call does not take
   */
  addNamed(metadata: NamedIndices, name: string, target: Target): boolean {
    const index = metadata.index(name)
    if (index !== null) {
      this.#indices.set(index, null)
      return true
    }
    const stream = target.allowDataStreams ? metadata.dataStream(name) : null
    if (stream !== null) {
      for (const each of metadata.indicesOfStream(stream)) this.#indices.set(each, null)
      return true
    }
    const indices = metadata.indicesOfAlias(name)
    if (indices.length === 0) return false
    if (!target.allowAliases) {
      if (target.ignoreUnavailable) return true
      throw new IllegalArgumentError(
        `The provided expression [${name}] matches an alias, specify the corresponding concrete indices instead.`,
      )
    }
    for (const each of indices) this.#addThrough(each, name)
    return true
  }

  remove(metadata: NamedIndices, name: string): void {
    const index = metadata.index(name)
    if (index !== null) this.#indices.delete(index)
    const stream = metadata.dataStream(name)
    const others =
      stream === null ? metadata.indicesOfAlias(name) : metadata.indicesOfStream(stream)
    for (const each of others) this.#indices.delete(each)
  }

  /** Adds or takes away what a pattern means; false when nothing matches. */
  changeByPattern(
    metadata: NamedIndices,
    pattern: string,
    target: Target,
    takesAway: boolean,
  ): boolean {
    let matched = false
    for (const index of metadata.indices()) {
      if (!(index.isOpen ? target.expandOpen : target.expandClosed)) continue
      const isMatch =
        matchesWildcard(pattern, index.name) &&
        isShown(pattern, index.name, isHidden(index), target)
      // The name of a data stream is not hidden, as those of its indices are.
      const stream = target.allowDataStreams ? metadata.dataStreamOf(index) : null
      const isOfStream = stream !== null && matchesWildcard(pattern, stream.name)
      if (isMatch || isOfStream) this.#change(index, null, takesAway)
      matched ||= isMatch || isOfStream
      if (!target.allowAliases) continue
      for (const alias of index.aliases.keys()) {
        if (!matchesWildcard(pattern, alias)) continue
        if (!isShown(pattern, alias, isHiddenAlias(metadata, alias), target)) continue
        this.#change(index, alias, takesAway)
        matched = true
      }
    }
    return matched
  }

  #change(index: IndexMetadata, alias: string | null, takesAway: boolean): void {
    if (takesAway) this.#indices.delete(index)
    else if (alias === null) this.#indices.set(index, null)
    else this.#addThrough(index, alias)
  }

  #addThrough(index: IndexMetadata, alias: string): void {
    const aliases = this.#indices.get(index)
    if (aliases === undefined) this.#indices.set(index, new Set([alias]))
    else aliases?.add(alias)
  }
}

/** Patterns are literals where wildcards expand to nothing. */
export function isPattern(name: string, target: Target): boolean {
  return name.includes('*') && (target.expandOpen || target.expandClosed)
}

/** Hidden names match when they are asked for, or when pattern and name both begin with a dot. */
export function isShown(pattern: string, name: string, hidden: boolean, target: Target): boolean {
  return target.expandHidden || !hidden || (pattern.startsWith('.') && name.startsWith('.'))
}

/** Whether wildcards pass over an index unless they ask for hidden ones. */
export function isHidden(index: IndexMetadata): boolean {
  return indexSettings.boolean(index.settings, 'index.hidden')
}

/** An alias is hidden when it is on all of its indices. */
export function isHiddenAlias(metadata: NamedIndices, name: string): boolean {
  return metadata.indicesOfAlias(name).every(({ aliases }) => aliases.get(name)?.isHidden === true)
}

function noIndices(): EngineError {
  return new EngineError({
    type: 'index_not_found_exception',
    reason: 'no such index [null] and no indices exist',
    extra: {
      index: '_all',
      'resource.id': '_all',
      'resource.type': 'index_or_alias',
      index_uuid: '_na_',
    },
  })
}

/**
 * The one index of a name, or of an alias; an action on it is allowed or refused here.
 * @throws {EngineError} `security_exception`, `index_not_found_exception`, `cluster_block_exception`;
 *   `illegal_argument_exception`: an alias of several indices
 */
export function resolveName(
  metadata: MetadataStore,
  given: string,
  context: CallContext,
): IndexView {
  const name = resolveDateMath(given)
  checkAccess(context, context.task.action, [name])
  const named = metadata.index(name)
  const indices = named === null ? metadata.indicesOfAlias(name) : [named]
  const [index] = indices
  if (index === undefined) throw indexNotFound(name)
  if (indices.length > 1) throw severalIndices(name, indices)
  if (named === null) checkAccess(context, context.task.action, [index.name])
  checkBlocksFor(metadata, context.task.action, [index])
  return viewThrough(index, named === null ? [name] : null, context)
}

function severalIndices(alias: string, indices: readonly IndexMetadata[]): IllegalArgumentError {
  const names = indices.map(({ name }) => name).join(', ')
  return new IllegalArgumentError(
    `Alias [${alias}] has more than one index associated with it [${names}], can't execute a single index op`,
  )
}

/**
 * Passes an action that no block on all indices, or on these, refuses.
 * @throws {EngineError} `cluster_block_exception`
 */
export function checkBlocksFor(
  metadata: NamedIndices,
  action: Action,
  indices: readonly IndexMetadata[],
): void {
  const { level } = ACTIONS[action]
  if (level !== null) checkBlocks(level, metadata.clusterBlocks, indices)
}

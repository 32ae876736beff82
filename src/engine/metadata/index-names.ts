import { indexSettings } from '../../schema/setting-registry.ts'
import { checkAccess, TRUSTED_ACCESS } from '../../task/access.ts'
import { ACTIONS, type Action } from '../../task/actions.ts'
import type { CallContext } from '../../task/call-context.ts'
import { EngineError } from '../../util/errors.ts'
import { matchesWildcard } from '../../util/wildcard.ts'
import type { Target } from '../api/target.ts'
import { checkBlocks } from './blocks.ts'
import type { IndexMetadata } from './index-metadata.ts'
import { type IndexView, wholeView } from './index-view.ts'
import type { MetadataStore } from './metadata-store.ts'

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
 * Views of the indices that a call means, without repeats, in the order in which they are named; those of a
 * pattern by name. `-x` takes away what an earlier wildcard brought.
 * An action on indices that exist is allowed or refused here, as a whole.
 * @throws {EngineError} `index_not_found_exception`, `invalid_index_name_exception`,
 *   `cluster_block_exception`;
 *   `security_exception`, also of a name that is missing: its absence is no news for everybody
 */
export function resolveTarget(
  metadata: MetadataStore,
  target: Target,
  context: CallContext,
): IndexView[] {
  const found = new Map<string, IndexMetadata>()
  const { names, ignoreUnavailable, allowNoIndices } = target
  let hadWildcard = false
  const isAll = names.length === 0 || (names.length === 1 && names[0] === '_all')
  for (const name of isAll ? ['*'] : names) {
    const isExclusion = hadWildcard && name.startsWith('-') && name.length > 1
    const pattern = isExclusion ? name.slice(1) : name
    const matches = matchesOf(metadata, pattern, target)
    if (matches !== null) {
      hadWildcard = true
      if (matches.length === 0 && !isExclusion && !allowNoIndices) throw indexNotFound(name)
      for (const index of matches) {
        if (isExclusion) found.delete(index.name)
        else found.set(index.name, index)
      }
      continue
    }
    if (isExclusion) {
      found.delete(pattern)
      continue
    }
    if (name.startsWith('_')) throw invalidName(name, "must not start with '_'.")
    const index = metadata.index(name)
    if (index !== null) found.set(name, index)
    else if (!ignoreUnavailable || (!allowNoIndices && names.length === 1)) {
      checkAccess(context, context.task.action, [name])
      throw indexNotFound(name)
    }
  }
  if (found.size === 0 && !allowNoIndices && isAll) throw indexNotFound('_all')
  const resolved = [...found.values()]
  checkNames(context, resolved)
  checkBlocksFor(metadata, context.task.action, resolved)
  return resolved.map(wholeView)
}

/**
 * The one index of a name; an action on it is allowed or refused here.
 * @throws {EngineError} `security_exception`, `index_not_found_exception`, `cluster_block_exception`
 */
export function resolveName(
  metadata: MetadataStore,
  name: string,
  context: CallContext,
): IndexMetadata {
  checkAccess(context, context.task.action, [name])
  const index = metadata.index(name)
  if (index === null) throw indexNotFound(name)
  checkBlocksFor(metadata, context.task.action, [index])
  return index
}

/**
 * Passes an action that no block on all indices, or on these, refuses.
 * @throws {EngineError} `cluster_block_exception`
 */
export function checkBlocksFor(
  metadata: MetadataStore,
  action: Action,
  indices: readonly IndexMetadata[],
): void {
  const { level } = ACTIONS[action]
  if (level !== null) checkBlocks(level, metadata.clusterBlocks, indices)
}

/** Asks whether the call's action may be done to indices. */
function checkNames(context: CallContext, indices: readonly IndexMetadata[]): void {
  if (context.access === TRUSTED_ACCESS) return
  const names = indices.map(({ name }) => name)
  checkAccess(context, context.task.action, names)
}

/** Indices that a pattern means; null when the name is no pattern. */
function matchesOf(
  metadata: MetadataStore,
  pattern: string,
  target: Target,
): IndexMetadata[] | null {
  const expands = target.expandOpen || target.expandClosed
  if (!pattern.includes('*') || !expands) return null
  return metadata
    .indices()
    .filter(index => matchesWildcard(pattern, index.name))
    .filter(index => (index.isOpen ? target.expandOpen : target.expandClosed))
    .filter(
      index =>
        target.expandHidden ||
        !isHidden(index) ||
        (pattern.startsWith('.') && index.name.startsWith('.')),
    )
}

/** Whether wildcards pass over an index unless they ask for hidden ones. */
export function isHidden(index: IndexMetadata): boolean {
  return indexSettings.boolean(index.settings, 'index.hidden')
}

/** 400: the index is there, but closed. */
export function indexClosed({ name, uuid }: Pick<IndexMetadata, 'name' | 'uuid'>): EngineError {
  return new EngineError({
    type: 'index_closed_exception',
    reason: 'closed',
    extra: { index: name, index_uuid: uuid },
  })
}

/** 404: no such index. */
export function indexNotFound(name: string): EngineError {
  return new EngineError({
    type: 'index_not_found_exception',
    reason: `no such index [${name}]`,
    extra: {
      index: name,
      'resource.id': name,
      'resource.type': 'index_or_alias',
      index_uuid: '_na_',
    },
  })
}

/**
 * Refuses a name that no index may have.
 * @throws {EngineError} `invalid_index_name_exception`
 */
export function checkIndexName(name: string): void {
  if (name === '.' || name === '..') throw invalidName(name, "must not be '.' or '..'")
  const bad = /[\\/*?"<>| ,]/.exec(name)
  if (bad !== null)
    throw invalidName(
      name,
      'must not contain the following characters [ , ", *, \\, <, |, ,, >, /, ?]',
    )
  if (name.includes('#')) throw invalidName(name, "must not contain '#'")
  if (name.includes(':')) throw invalidName(name, "must not contain ':'")
  if (/^[_\-+]/.test(name)) throw invalidName(name, "must not start with '_', '-', or '+'")
  for (let i = 0; i < name.length; i++)
    if (name.charCodeAt(i) < 0x20 || name.charCodeAt(i) === 0x7f)
      throw invalidName(name, 'must not contain control characters')
  if (name !== name.toLowerCase()) throw invalidName(name, 'must be lowercase')
  const bytes = Buffer.byteLength(name)
  if (bytes > 255) throw invalidName(name, `index name is too long, (${bytes} > 255)`)
  if (bytes === 0) throw invalidName(name, 'must not be empty')
}

function invalidName(name: string, reason: string): EngineError {
  return new EngineError({
    type: 'invalid_index_name_exception',
    reason: `Invalid index name [${name}], ${reason}`,
    extra: { index: name, index_uuid: '_na_' },
  })
}

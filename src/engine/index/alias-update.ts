/** Batches of changes of aliases: all hold at once, or none. */

import { isSameJson } from '../../schema/json-conversion.ts'
import { checkAccess } from '../../task/access.ts'
import type { CallContext } from '../../task/call-context.ts'
import { EngineError, IllegalArgumentError } from '../../util/errors.ts'
import { matchesWildcard } from '../../util/wildcard.ts'
import type { AliasAction } from '../api/aliases.ts'
import type { Target } from '../api/target.ts'
import { type AliasMetadata, checkAliasName, parseAlias, printAlias } from '../metadata/alias.ts'
import { type IndexMetadata, indexMetadata } from '../metadata/index-metadata.ts'
import { resolveTarget } from '../metadata/resolve-target.ts'
import type { Node } from '../node/node.ts'
import {
  checkAliasFilter,
  checkAliasTogether,
  checkNotOfStream,
  nameOfIndex,
} from './alias-checks.ts'
import { streamsWithout } from './data-streams.ts'

/**
 * Changes aliases, and removes indices; durable when it resolves.
 * @throws {EngineError} nothing has changed then: a name that is missing or may not be, a filter that is no
 *   query, aliases that contradict each other, `aliases_not_found_exception`
 */
export async function updateAliases(
  node: Node,
  actions: readonly AliasAction[],
  context: CallContext,
): Promise<void> {
  node.ensureOpen()
  // Names are resolved first, as everywhere: a batch does not see what it makes itself.
  const resolved = actions.map(action => ({ action, indices: indicesOf(node, action, context) }))
  const removed: IndexMetadata[] = []
  try {
    await node.changes.submit(
      'index-aliases',
      'URGENT',
      () => {
        node.ensureOpen()
        const batch = new AliasBatch(node)
        for (const { action, indices } of resolved) batch.apply(action, indices)
        batch.finish(actions)
        removed.push(...batch.removed)
        node.applyBatch(batch.changed, batch.removed, streamsWithout(node.metadata, batch.removed))
      },
      context,
    )
  } finally {
    await Promise.all(removed.map(index => node.moves.discard(index)))
  }
}

/**
 * The indices of a change.
 * @throws {EngineError} as `resolveTarget`; `illegal_argument_exception`: an alias of a data stream, or of one
 *   of its indices
 */
function indicesOf(
  { metadata }: Node,
  action: AliasAction,
  context: CallContext,
): readonly IndexMetadata[] {
  const refused = (stream: string): IllegalArgumentError =>
    new IllegalArgumentError(
      `The provided expressions [${action.indices.join(',')}] match a backing index belonging to ` +
        `data stream [${stream}]. Data streams and their backing indices don't support aliases.`,
    )
  if (action.kind !== 'removeIndex')
    for (const name of action.indices) if (metadata.dataStream(name) !== null) throw refused(name)
  const indices = resolveTarget(metadata, concrete(action.indices), context).map(
    ({ index }) => index,
  )
  // The permission to change aliases allows neither to delete an index nor to join the aliases of others.
  if (action.kind === 'removeIndex')
    checkAccess(
      context,
      'indices:admin/delete',
      indices.map(({ name }) => name),
    )
  else
    checkAccess(
      context,
      context.task.action,
      action.aliases.filter(name => !name.includes('*')),
    )
  if (action.kind !== 'removeIndex')
    for (const index of indices) {
      const stream = metadata.dataStreamOf(index)
      if (stream !== null) throw refused(stream.name)
    }
  return indices
}

/** Patterns reach open indices, names any index; aliases are not taken for indices. */
function concrete(names: readonly string[]): Target {
  return {
    names,
    ignoreUnavailable: false,
    allowNoIndices: false,
    expandOpen: true,
    expandClosed: false,
    expandHidden: false,
    allowAliases: false,
    allowDataStreams: false,
  }
}

/** The indices as a batch leaves them, before any of it holds. */
class AliasBatch {
  readonly removed: IndexMetadata[] = []
  readonly #node: Node
  /** By id; as they are now until they change. */
  readonly #indices = new Map<string, IndexMetadata>()
  readonly #changed = new Set<string>()
  readonly #touched = new Set<string>()
  #did = false

  constructor(node: Node) {
    this.#node = node
    for (const index of node.metadata.indices()) this.#indices.set(index.uuid, index)
  }

  get changed(): IndexMetadata[] {
    return [...this.#changed].flatMap(uuid => this.#indices.get(uuid) ?? [])
  }

  apply(action: AliasAction, indices: readonly IndexMetadata[]): void {
    for (const { uuid } of indices) {
      // It may have gone while the batch waited for its turn.
      const index = this.#indices.get(uuid)
      if (index === undefined) continue
      switch (action.kind) {
        case 'add':
          for (const name of action.aliases)
            this.#add(index.uuid, name, parseAlias(name, action.alias))
          break
        case 'remove':
          this.#remove(index, action.aliases, action.mustExist)
          break
        case 'removeIndex':
          this.removed.push(index)
          this.#indices.delete(uuid)
          this.#changed.delete(uuid)
          this.#did = true
          break
      }
    }
  }

  #add(uuid: string, name: string, alias: AliasMetadata): void {
    const index = this.#indices.get(uuid)!
    checkAliasName(name)
    checkAliasFilter(this.#node, index, name, alias)
    this.#did = true
    this.#touched.add(name)
    const old = index.aliases.get(name)
    if (old !== undefined && isSameJson(printAlias(old), printAlias(alias))) return
    this.#put(index, new Map(index.aliases).set(name, alias))
  }

  #remove(index: IndexMetadata, names: readonly string[], mustExist: boolean | null): void {
    const aliases = new Map(index.aliases)
    for (const name of names) {
      const found = [...aliases.keys()].filter(one => name === '_all' || matchesWildcard(name, one))
      if (found.length === 0 && mustExist === true) throw aliasesMissing([name])
      for (const one of found) aliases.delete(one)
      if (found.length > 0 || mustExist === false) this.#did = true
    }
    if (aliases.size < index.aliases.size) this.#put(index, aliases)
  }

  #put(index: IndexMetadata, aliases: ReadonlyMap<string, AliasMetadata>): void {
    const aliasesVersion = index.aliasesVersion + 1
    this.#indices.set(
      index.uuid,
      indexMetadata({ ...index, aliases, aliasesVersion }, index.analysis),
    )
    this.#changed.add(index.uuid)
  }

  /** Checks the whole. */
  finish(actions: readonly AliasAction[]): void {
    if (!this.#did)
      throw aliasesMissing(
        actions.flatMap(action => (action.kind === 'removeIndex' ? [] : action.aliases)),
      )
    const indices = [...this.#indices.values()]
    for (const name of this.#touched) {
      if (indices.some(index => index.name === name)) throw nameOfIndex(name)
      checkNotOfStream(this.#node.metadata, name)
      checkAliasTogether(
        name,
        indices.filter(index => index.aliases.has(name)),
      )
    }
  }
}

/** 404: no alias of the names. */
export function aliasesMissing(names: readonly string[]): EngineError {
  return new EngineError({
    type: 'aliases_not_found_exception',
    reason: `aliases [${names.join(',')}] missing`,
    extra: { 'resource.type': 'aliases', 'resource.id': names.join(',') },
  })
}

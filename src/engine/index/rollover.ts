/** Rollover: an alias goes on to a new index once its write index is large or old enough. */
import { checkAccess } from '../../task/access.ts'
import type { CallContext } from '../../task/call-context.ts'
import { IllegalArgumentError } from '../../util/errors.ts'
import type { RolloverCall, RolloverCondition, RolloverOutcome } from '../api/indices.ts'
import { type AliasMetadata, PLAIN_ALIAS } from '../metadata/alias.ts'
import { resolveDateMath } from '../metadata/date-math-name.ts'
import { type IndexMetadata, indexMetadata } from '../metadata/index-metadata.ts'
import { checkIndexName } from '../metadata/index-names.ts'
import type { MetadataStore } from '../metadata/metadata-store.ts'
import { checkBlocksFor } from '../metadata/resolve-target.ts'
import type { IndexService } from '../node/index-service.ts'
import type { Node } from '../node/node.ts'
import { isHiddenBy, templateAliasesFor } from '../template/compose.ts'
import { copiesWanted } from './active-shards.ts'
import { checkAliasTogether } from './alias-checks.ts'
import { checkNameIsFree, newIndex, openNewIndex, refuseDataStream } from './new-index.ts'
import { findWriteIndex } from './write-target.ts'

/** Where a rollover leads from and to. */
interface Rollover {
  readonly source: IndexMetadata
  readonly alias: AliasMetadata
  readonly newName: string
  /** The new name as it was given or counted up, before its date maths. */
  readonly providedName: string
}

/**
 * Rolls an alias over if a condition is met or none is given; index and alias change at once, or not at all.
 * @throws {EngineError} `illegal_argument_exception`: no alias with a write index, a name that cannot be counted
 *   up, a template that gives the new index the alias; `resource_already_exists_exception`,
 *   `invalid_index_name_exception`: of the new name
 */
export async function rollOver(
  node: Node,
  call: RolloverCall,
  context: CallContext,
): Promise<RolloverOutcome> {
  node.ensureOpen()
  const planned = plan(node, call, context)
  const index = node.openedIndex(planned.source.name)
  const met = call.conditions.map(condition => [condition.text, isMet(condition, index)] as const)
  const outcome = {
    oldIndex: planned.source.name,
    newIndex: planned.newName,
    rolledOver: false,
    shardsAcknowledged: false,
    conditions: new Map(met),
  }
  if (call.isDryRun || (met.length > 0 && !met.some(([, isMet]) => isMet))) return outcome
  const done = await node.changes.submit(
    `rollover_index source [${planned.source.name}] to target [${planned.newName}]`,
    'NORMAL',
    () => {
      node.ensureOpen()
      const now = plan(node, call, context)
      // Another rollover was first: its new index need not meet the conditions.
      if (met.length > 0 && now.source.uuid !== planned.source.uuid) return null
      return { from: now.source, created: change(node, call, now) }
    },
    call.timeoutInMillis,
  )
  if (done === null) return outcome
  const { from, created } = done
  return {
    ...outcome,
    oldIndex: from.name,
    newIndex: created.name,
    rolledOver: true,
    shardsAcknowledged: copiesWanted(created, call.waitForActiveShards) <= 1,
  }
}

/** Checks all that can be known without the new index. */
function plan(node: Node, call: RolloverCall, context: CallContext): Rollover {
  const { metadata } = node
  checkAccess(context, context.task.action, [call.alias])
  const source = writeIndexOf(metadata, call.alias)
  const providedName =
    call.newIndex ?? nextName(String(source.settings.get('index.provided_name') ?? source.name))
  const newName = resolveDateMath(providedName)
  checkAccess(context, context.task.action, [source.name, newName])
  checkBlocksFor(metadata, context.task.action, [source])
  checkIndexName(newName)
  checkNameIsFree(node, newName)
  const isHidden = isHiddenBy(call.body.settings)
  const given = templateAliasesFor(metadata.node, newName, isHidden)
  const double = given.find(({ alias }) => alias === call.alias)
  if (double !== undefined)
    throw new IllegalArgumentError(
      `Rollover alias [${call.alias}] can point to multiple indices, ` +
        `found duplicated alias [${call.alias}] in index template [${double.template}]`,
    )
  return { source, alias: source.aliases.get(call.alias)!, newName, providedName }
}

function writeIndexOf(metadata: MetadataStore, alias: string): IndexMetadata {
  const indices = metadata.indicesOfAlias(alias)
  if (indices.length > 0) {
    const found = findWriteIndex(alias, indices)
    if (found !== null) return found
    throw new IllegalArgumentError(`rollover target [${alias}] does not point to a write index`)
  }
  throw new IllegalArgumentError(
    metadata.index(alias) === null
      ? `rollover target [${alias}] does not exist`
      : `rollover target is a [concrete index] but one of [alias,data_stream] was expected`,
  )
}

/** The name with the number at its end one up, with at least six digits; dates in it stay expressions. */
function nextName(provided: string): string {
  const isExpression = provided.startsWith('<') && provided.endsWith('>')
  const resolved = resolveDateMath(provided)
  const [, stem, digits] =
    /^(.*-)(\d+)$/.exec(isExpression ? provided.slice(1, -1) : provided) ?? []
  if (stem === undefined || digits === undefined)
    throw new IllegalArgumentError(`index name [${resolved}] does not match pattern '^.*-\\d+$'`)
  const name = `${stem}${String(BigInt(digits) + 1n).padStart(6, '0')}`
  return isExpression ? `<${name}>` : name
}

function isMet(
  { kind, threshold }: RolloverCondition,
  { metadata, shards }: IndexService,
): boolean {
  switch (kind) {
    case 'age':
      return Date.now() - Number(metadata.settings.get('index.creation_date')) >= threshold
    case 'docs':
      return shards.reduce((sum, { snapshot }) => sum + snapshot.keptDocs, 0) >= threshold
    case 'size':
      return shards.reduce((sum, { storeBytes }) => sum + storeBytes, 0) >= threshold
  }
}

/** Makes the new index and moves the alias. */
function change(
  node: Node,
  { alias: name, body, waitForActiveShards }: RolloverCall,
  { source, alias, newName, providedName }: Rollover,
): IndexMetadata {
  refuseDataStream(node, newName)
  const fresh = newIndex(node, newName, body, waitForActiveShards, providedName)
  const { isHidden } = alias
  const isExplicit = alias.isWriteIndex === true
  const created = withAliases(
    fresh,
    new Map(fresh.aliases).set(name, {
      ...PLAIN_ALIAS,
      isHidden,
      isWriteIndex: isExplicit ? true : null,
    }),
  )
  const left = new Map(source.aliases)
  // As the real server does it, filter and routing go.
  if (isExplicit) left.set(name, { ...PLAIN_ALIAS, isHidden, isWriteIndex: false })
  else left.delete(name)
  const old = { ...withAliases(source, left), aliasesVersion: source.aliasesVersion + 1 }
  const others = node.metadata.indicesOfAlias(name).filter(({ uuid }) => uuid !== source.uuid)
  checkAliasTogether(name, [...others, ...(isExplicit ? [old] : []), created])
  node.applyBatch([created, old], [])
  return openNewIndex(node, created, () => node.applyBatch([source], [created])).metadata
}

function withAliases(index: IndexMetadata, aliases: IndexMetadata['aliases']): IndexMetadata {
  return indexMetadata({ ...index, aliases }, index.analysis)
}

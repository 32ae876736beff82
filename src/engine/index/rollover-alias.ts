import { checkAccess } from '../../task/access.ts'
import type { CallContext } from '../../task/call-context.ts'
import { IllegalArgumentError } from '../../util/errors.ts'
import type { RolloverCall } from '../api/indices.ts'
import { PLAIN_ALIAS } from '../metadata/alias.ts'
import { resolveDateMath } from '../metadata/date-math-name.ts'
import { type IndexMetadata, indexMetadata, type RolloverInfo } from '../metadata/index-metadata.ts'
import { checkIndexName } from '../metadata/index-names.ts'
import type { MetadataStore } from '../metadata/metadata-store.ts'
import { checkBlocksFor } from '../metadata/resolve-target.ts'
import type { Node } from '../node/node.ts'
import { isHiddenBy, templateAliasesFor } from '../template/compose.ts'
import { checkAliasTogether } from './alias-checks.ts'
import { checkNameIsFree, newIndex, openNewIndex, refuseDataStream } from './new-index.ts'
import { type RolloverPlan, withRollover } from './rollover-plan.ts'
import { findWriteIndex } from './write-target.ts'

/**
 * Plans that an alias goes on to a new index.
 * @throws {EngineError} `illegal_argument_exception`: no alias with a write index, a name that cannot be counted
 *   up, a template that gives the new index the alias; `resource_already_exists_exception`,
 *   `invalid_index_name_exception`: of the new name
 */
export function planAlias(node: Node, call: RolloverCall, context: CallContext): RolloverPlan {
  const { metadata } = node
  const source = writeIndexOf(metadata, call.name)
  const providedName =
    call.newIndex ?? nextName(String(source.settings.get('index.provided_name') ?? source.name))
  const newName = resolveDateMath(providedName)
  checkAccess(context, context.task.action, [source.name, newName])
  checkBlocksFor(metadata, context.task.action, [source])
  checkIndexName(newName)
  checkNameIsFree(node, newName)
  const isHidden = isHiddenBy(call.body.settings)
  const given = templateAliasesFor(metadata.node, newName, isHidden)
  const double = given.find(({ alias }) => alias === call.name)
  if (double !== undefined)
    throw new IllegalArgumentError(
      `Rollover alias [${call.name}] can point to multiple indices, ` +
        `found duplicated alias [${call.name}] in index template [${double.template}]`,
    )
  return {
    source,
    newName,
    change: info => moveAlias(node, call, { source, newName, providedName, info }),
  }
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

/** A move of an alias. */
interface AliasMove {
  readonly source: IndexMetadata
  readonly newName: string
  /** The new name as it was given or counted up, before its date maths. */
  readonly providedName: string
  readonly info: RolloverInfo
}

/** Makes the new index and moves the alias. */
function moveAlias(
  node: Node,
  { name, body, waitForActiveShards }: RolloverCall,
  { source, newName, providedName, info }: AliasMove,
): IndexMetadata {
  refuseDataStream(node, newName)
  const fresh = newIndex(node, newName, body, waitForActiveShards, providedName)
  const { isHidden, isWriteIndex } = source.aliases.get(name)!
  const isExplicit = isWriteIndex === true
  const alias = { ...PLAIN_ALIAS, isHidden, isWriteIndex: isExplicit ? true : null }
  const created = withAliases(fresh, new Map(fresh.aliases).set(name, alias))
  const left = new Map(source.aliases)
  // As the real server does it, filter and routing go.
  if (isExplicit) left.set(name, { ...PLAIN_ALIAS, isHidden, isWriteIndex: false })
  else left.delete(name)
  const aliasesVersion = source.aliasesVersion + 1
  const old = withRollover({ ...withAliases(source, left), aliasesVersion }, name, info)
  const others = node.metadata.indicesOfAlias(name).filter(({ uuid }) => uuid !== source.uuid)
  checkAliasTogether(name, [...others, ...(isExplicit ? [old] : []), created])
  node.applyBatch([created, old], [])
  return openNewIndex(node, created, () => node.applyBatch([source], [created])).metadata
}

function withAliases(index: IndexMetadata, aliases: IndexMetadata['aliases']): IndexMetadata {
  return indexMetadata({ ...index, aliases }, index.analysis)
}

import type { Shard } from '../../shard/shard.ts'
import type { CallContext } from '../../task/call-context.ts'
import { EngineError, IllegalArgumentError } from '../../util/errors.ts'
import { indexClosed } from '../metadata/index-names.ts'
import type { IndexView } from '../metadata/index-view.ts'
import { resolveName } from '../metadata/resolve-target.ts'
import { DamagedShard } from '../node/damaged-shard.ts'
import type { IndexService } from '../node/index-service.ts'
import type { Node } from '../node/node.ts'

/** A document as a read names it. */
export interface NamedDocument {
  /** An index, or an alias of one. */
  readonly index: string
  readonly id: string
  readonly routing: string | null
}

/** Where a document is read, if there is one of its id. */
export interface ReadTarget {
  readonly view: IndexView
  readonly index: IndexService
  readonly shard: Shard
}

/**
 * Finds the shard that holds a document.
 * @param verb of the action, for the error of a damaged shard
 * @throws {EngineError} the index is missing, closed or several; `routing_missing_exception`;
 *   `no_shard_available_action_exception`
 */
export function readTarget(
  node: Node,
  verb: 'get' | 'explain' | 'term_vectors',
  { index: name, id, routing: given }: NamedDocument,
  context: CallContext,
): ReadTarget {
  const view = resolveName(node.metadata, name, context)
  const index = node.index(view.index.name)
  if (index === null) throw indexClosed(view.index)
  const routing = routingThrough(name, view.indexRouting, given)
  if (index.metadata.mapping.options.routingRequired === true && routing === null)
    throw new EngineError({
      type: 'routing_missing_exception',
      reason: `routing is required for [${index.name}]/[${id}]`,
      extra: { index: index.name, index_uuid: index.metadata.uuid },
    })
  const shard = index.shardOf(id, routing)
  if (shard instanceof DamagedShard)
    throw shard.readError(`${verb} [${index.name}][${id}]: routing [${routing}]`)
  return { view, index, shard }
}

/**
 * The routing of a document that is written or read through a name.
 * @param ofAlias routing that the name, an alias, demands; null: none
 * @throws {EngineError} `illegal_argument_exception`: the request has another one
 */
export function routingThrough(
  name: string,
  ofAlias: string | null,
  given: string | null,
): string | null {
  if (ofAlias === null) return given
  if (given === null || given === ofAlias) return ofAlias
  throw new IllegalArgumentError(
    `Alias [${name}] has index routing associated with it [${ofAlias}], and was provided with ` +
      `routing value [${given}], rejecting operation`,
  )
}

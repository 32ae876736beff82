/**
 * The outcome of a command of `_cluster/reroute`: with one node each shard has the one copy that it can
 * have, so that commands do no more than to open a primary once more.
 */
import type { NodeInfo } from '../../engine/api/cluster.ts'
import type { ShardCopy } from '../../engine/api/shards.ts'
import type { Settings } from '../../schema/settings.ts'
import { EngineError, IllegalArgumentError } from '../../util/errors.ts'
import type { JsonRecord } from '../../util/json/json-value.ts'
import { isNodeMeant } from '../node-view.ts'
import { type Decision, decideMove, decideReplica } from './deciders.ts'
import { flagOf, type RerouteCommand } from './reroute-command.ts'
import { nodeText } from './routing-text.ts'

/** The cluster that a command meets. */
export interface CommandPlace {
  readonly copies: readonly ShardCopy[]
  readonly info: NodeInfo
  readonly httpAddress: string | null
  /** Cluster settings that hold. */
  readonly settings: Settings
}

/** A command that is refused: its decisions, and the error without `explain`. */
export interface Refusal {
  readonly decisions: readonly Decision[]
  readonly reason: string
}

/** A command that is carried out: its decisions, and what a primary is opened from. */
export interface NewPrimary {
  readonly decisions: readonly Decision[]
  /** `itself`: a primary that is active, which is closed first. */
  readonly from: 'files' | 'nothing' | 'itself'
}

/**
 * The outcome of a command.
 * @throws {EngineError} `index_not_found_exception`; 400 an unknown node
 */
export function outcomeOf(command: RerouteCommand, place: CommandPlace): Refusal | NewPrimary {
  const { copies, info, httpAddress } = place
  const { index, shard, node, fromNode } = command
  for (const name of [fromNode, node])
    if (!isNodeMeant([name], info, httpAddress))
      throw new IllegalArgumentError(`failed to resolve [${name}], no matching nodes`)
  if (!copies.some(copy => copy.index === index)) throw missing(index)
  const own = copies.filter(copy => copy.index === index && copy.shard === shard)
  return OUTCOMES[command.name](command, own, place)
}

const OUTCOMES: Readonly<
  Record<
    RerouteCommand['name'],
    (
      command: RerouteCommand,
      own: readonly ShardCopy[],
      place: CommandPlace,
    ) => Refusal | NewPrimary
  >
> = {
  move({ shard }, own, { info, httpAddress }) {
    const decider = 'move_allocation_command'
    const text = nodeText(info, httpAddress)
    const copy = own.find(({ isActive }) => isActive)
    if (copy === undefined)
      return refusal(
        decider,
        'move_allocation',
        `can't move ${shard}, failed to find it on node ${text}`,
      )
    const decision = decideMove(copy, info)
    return {
      decisions: [decision],
      reason: `[move_allocation] can't move ${shard}, from ${text}, to ${text}, since its not allowed, reason: [NO(${decision.explanation})]`,
    }
  },
  cancel({ index, shard, confirms }, own, { info, httpAddress }) {
    const decider = 'cancel_allocation_command'
    const what = `can't cancel [${index}][${shard}]`
    const text = nodeText(info, httpAddress)
    if (!own.some(({ isActive }) => isActive))
      return refusal(decider, 'cancel_allocation', `${what}, failed to find it on node ${text}`)
    if (confirms) {
      const explanation = `shard ${shard} on node ${text} can be cancelled`
      return { decisions: [{ decider, decision: 'YES', explanation }], from: 'itself' }
    }
    return refusal(
      decider,
      'cancel_allocation',
      `${what} on node ${text}, shard is primary and started`,
    )
  },
  allocate_replica({ name, index, shard }, own, { info, httpAddress, settings }) {
    const decider = `${name} (allocation command)`
    const primary = own.find(({ isPrimary }) => isPrimary)
    if (primary === undefined) return refusal(decider, name, 'no such shard')
    if (!primary.isActive)
      return refusal(
        decider,
        name,
        `trying to allocate a replica shard [${index}][${shard}], while corresponding primary shard is still unassigned`,
      )
    if (own.length === 1)
      return refusal(
        decider,
        name,
        `all copies of [${index}][${shard}] are already assigned. Use the move allocation command instead`,
      )
    const decisions = decideReplica(primary, info, settings)
    const against = decisions
      .filter(({ decision }) => decision === 'NO')
      .map(({ explanation }) => `[NO(${explanation})]`)
    return {
      decisions,
      reason: `[${name}] allocation of [${index}][${shard}] on node ${nodeText(info, httpAddress)} is not allowed, reason: ${against.join('')}`,
    }
  },
  allocate_stale_primary: (command, own) => newPrimary(command, own, 'files'),
  allocate_empty_primary: (command, own) => newPrimary(command, own, 'nothing'),
}

function newPrimary(
  { name, index, shard, confirms }: RerouteCommand,
  own: readonly ShardCopy[],
  from: NewPrimary['from'],
): Refusal | NewPrimary {
  const decider = `${name} (allocation command)`
  const primary = own.find(({ isPrimary }) => isPrimary)
  if (primary === undefined) return refusal(decider, name, 'no such shard')
  if (primary.isActive)
    return refusal(decider, name, `primary [${index}][${shard}] is already assigned`)
  if (!confirms)
    return refusal(
      decider,
      name,
      `allocating an empty primary for [${index}][${shard}] can result in data loss. Please confirm by setting the accept_data_loss parameter to true`,
    )
  return { decisions: [{ decider, decision: 'YES', explanation: 'ignore deciders' }], from }
}

function refusal(decider: string, command: string, explanation: string): Refusal {
  return {
    decisions: [{ decider, decision: 'NO', explanation }],
    reason: `[${command}] ${explanation}`,
  }
}

function missing(index: string): EngineError {
  return new EngineError({
    type: 'index_not_found_exception',
    reason: `no such index [${index}]`,
    extra: { index, 'resource.id': index, 'resource.type': 'index_or_alias', index_uuid: '_na_' },
  })
}

/** A command as its explanation repeats it. */
export function printParameters(command: RerouteCommand): JsonRecord {
  const { name, index, shard, fromNode, node, confirms } = command
  if (name === 'move') return { index, shard, from_node: fromNode, to_node: node }
  const flag = flagOf(name)
  return { index, shard, node, ...(flag === null ? {} : { [flag]: confirms }) }
}

/** Checks what stands in the way of an action, ahead of it: for `explain`, and for jobs where that is switched on. */
import type { EngineApi } from '../../engine/api/engine-api.ts'
import { clusterSettings, indexSettings } from '../../schema/setting-registry.ts'
import { trusted } from '../../task/call-context.ts'
import type { JsonRecord } from '../../util/json/json-value.ts'
import { roleInAlias } from './action/rollover.ts'
import type { ActionName } from './actions.ts'
import { ALL_INDICES, type IndexView, rolloverTarget, skipsRollover } from './index-view.ts'
import { effectiveSettings, type IsmSettings } from './ism-settings.ts'
import type { IsmPorts } from './ports.ts'

/** The outcome of a check: an action that did not pass waits, and is checked again in the next run. */
export interface Validation {
  readonly message: string
  readonly status: 'passed' | 're_validating' | 'failed'
}

/** The facts that checks look at. */
export interface ValidationContext {
  readonly engine: EngineApi
  readonly ports: IsmPorts
  readonly settings: IsmSettings
  readonly index: IndexView
  /** Of `replica_count`: the copies of each shard beside the primary. */
  readonly replicas: number | null
}

type Check = (context: ValidationContext) => Promise<Validation | null> | Validation | null

/** Where an action is not checked. */
export const UNCHECKED: Validation = passed('Starting Validation')

/** By action: the checks in their order, and what is said where none finds anything. */
const CHECKS: Readonly<
  Record<ActionName, { readonly checks: readonly Check[]; readonly passed: string } | null>
> = {
  rollover: { checks: [checkRollover], passed: 'Rollover validation passed for' },
  delete: { checks: [checkWriteIndexOfStream], passed: 'Delete validation passed for' },
  force_merge: { checks: [checkHeap], passed: 'Force merge validation passed for' },
  open: { checks: [checkBlock, checkShards], passed: 'Open action validation passed for' },
  read_only: {
    checks: [checkHeap, checkBlock],
    passed: 'validate_read_only action validation passed for',
  },
  read_write: { checks: [checkBlock], passed: 'read_write validation passed for' },
  replica_count: {
    checks: [checkHeap, checkShards],
    passed: 'Replica Count validation passed for',
  },
  index_priority: {
    checks: [checkBlockForGood],
    passed: 'Index Priority action validation passed for',
  },
  close: { checks: [], passed: 'Close action validation passed for' },
  snapshot: { checks: [], passed: 'Snapshot action validation passed for' },
  alias: null,
  allocation: null,
  notification: null,
  shrink: null,
}

/**
 * Checks an action.
 * @param action null: none is to come, or a transition
 */
export async function validateAction(
  action: ActionName | null,
  context: ValidationContext,
): Promise<Validation> {
  const found = action === null ? null : CHECKS[action]
  if (found === null) return UNCHECKED
  for (const check of found.checks) {
    const fault = await check(context)
    if (fault !== null) return fault
  }
  return passed(`${found.passed} [index=${context.index.name}]`)
}

/** The check as it is printed. */
export function printValidation({ message, status }: Validation): JsonRecord {
  return { validation_message: message, validation_status: status }
}

function passed(message: string): Validation {
  return { message, status: 'passed' }
}

function again(message: string): Validation {
  return { message, status: 're_validating' }
}

async function checkRollover({ engine, index }: ValidationContext): Promise<Validation | null> {
  const { name } = index
  const target = rolloverTarget(index)
  if (target === null) return again(`Missing rollover_alias index setting [index=${name}]`)
  if (skipsRollover(index)) return passed(`Skipped rollover action for [index=${name}]`)
  if (index.rollovers.some(rolledOver => rolledOver.name === target))
    return passed(
      'This index has already been rolled over using this alias, treating as a success ' +
        `[index=${name}, alias=${target}]`,
    )
  if (index.dataStream !== null) return null
  const role = await roleInAlias(engine, index, target)
  if (role === 'none') return again(`Missing alias when rollover [index=${name}]`)
  return role === 'other' ? again(`Not the write index when rollover [index=${name}]`) : null
}

function checkWriteIndexOfStream({ engine, index }: ValidationContext): Validation | null {
  const { name, dataStream } = index
  if (dataStream === null || engine.aliases.relations(dataStream).indices.at(-1) !== name)
    return null
  return again(`Index [index=${name}] is the write index for data stream and cannot be deleted`)
}

function checkHeap({ ports, settings, index }: ValidationContext): Validation | null {
  const { heapThreshold } = settings
  if (heapThreshold === null || ports.heapUsedPercent() <= heapThreshold) return null
  return again(`Data too large and is over the allowed limit for index [index=${index.name}]`)
}

function isBlocked({ settings }: IndexView): boolean {
  return indexSettings.boolean(settings, 'index.blocks.read_only_allow_delete')
}

function checkBlock({ index }: ValidationContext): Validation | null {
  return isBlocked(index) ? again(blockText(index)) : null
}

function checkBlockForGood({ index }: ValidationContext): Validation | null {
  return isBlocked(index) ? { message: blockText(index), status: 'failed' } : null
}

function blockText({ name }: IndexView): string {
  return `read_only_allow_delete block is not null for index [index=${name}]`
}

/** Shards that one node may hold: of the index, and of all. */
function checkShards({ engine, index, replicas }: ValidationContext): Validation | null {
  const settings = effectiveSettings(engine)
  const limit = (key: string): number =>
    clusterSettings.number(settings, key) ?? Number.POSITIVE_INFINITY
  const own = indexSettings.number(index.settings, 'index.routing.allocation.total_shards_per_node')
  const { openCopies, openPrimaries } = openShards(engine, index)
  const primaries = index.shards.length
  const copies = primaries * (1 + (replicas ?? index.numberOfReplicas))
  const perNode = limit('cluster.routing.allocation.total_shards_per_node')
  // The node holds one copy of each shard: its other copies have no place in any case.
  const isOver =
    (own !== null && own >= 0 && primaries > own) ||
    (perNode >= 0 && openPrimaries + primaries > perNode) ||
    openCopies + copies > limit('cluster.max_shards_per_node')
  if (!isOver) return null
  return again(`Maximum number of shards exceeded for index [index=${index.name}]`)
}

/** Shards of all other indices that are open. */
function openShards(
  { cluster }: EngineApi,
  { name }: IndexView,
): { readonly openCopies: number; readonly openPrimaries: number } {
  let openCopies = 0
  let openPrimaries = 0
  const { indices } = cluster.state(ALL_INDICES, trusted('cluster:monitor/state'))
  for (const { name: other, isOpen, shards, numberOfReplicas } of indices) {
    if (!isOpen || other === name) continue
    openPrimaries += shards.length
    openCopies += shards.length * (1 + numberOfReplicas)
  }
  return { openCopies, openPrimaries }
}

/** An index under a policy: its job, and how far it has come. */
import type { KeptCaller } from '../../task/kept-caller.ts'
import type { JsonRecord } from '../../util/json/json-value.ts'
import type { Policy } from './policy/policy.ts'
import type { ActionProperties, Progress } from './progress.ts'

/** A policy that an index is to go over to. */
export interface ChangePolicy {
  readonly policyId: string
  readonly state: string | null
  /** Whether it may happen amid a state: the other policy has the same actions there. */
  readonly isSafe: boolean
  /** The caller that asked for it; null: the program itself. */
  readonly caller: KeptCaller | null
}

/** An index under a policy; replaced as a whole by each change. */
export interface ManagedIndex {
  readonly index: string
  readonly uuid: string
  /** False: its job does not run, because it is done, has failed, or jobs are switched off. */
  readonly isEnabled: boolean
  /** From when on its job runs, once in each interval. */
  readonly startTime: number
  readonly policyId: string
  /** With the version it was taken over in; later ones need a change of policy. */
  readonly policy: Policy
  readonly policySeqNo: number
  readonly policyPrimaryTerm: number
  /** In whose name steps are taken: who put the index under the policy, or wrote the template; null: the program itself. */
  readonly caller: KeptCaller | null
  readonly changePolicy: ChangePolicy | null
  /** Null: the first run is to come. */
  readonly progress: Progress | null
}

/** How far an index has come, as `explain` prints it. */
export function printProgress(managed: ManagedIndex): JsonRecord {
  const { index, uuid, progress } = managed
  const names = { index, index_uuid: uuid }
  if (progress === null) return { ...names, policy_id: managed.policyId }
  const { action, state, step } = progress
  const head = {
    ...names,
    policy_id: progress.policyId,
    policy_seq_no: progress.policySeqNo ?? undefined,
    policy_primary_term: progress.policyPrimaryTerm ?? undefined,
    ...(progress.rolledOver || action?.name === 'rollover'
      ? {
          rolled_over: progress.rolledOver,
          rolled_over_index_name: progress.rolledOverIndexName ?? undefined,
        }
      : {}),
    index_creation_date: progress.indexCreationDate,
  }
  if (progress.policyCompleted) return { ...head, policy_completed: true }
  const place =
    progress.transitionTo !== null
      ? { transition_to: progress.transitionTo }
      : {
          ...(state === null ? {} : { state: { name: state.name, start_time: state.startTime } }),
          ...(action === null ? {} : { action: printAction(action) }),
          ...(step === null
            ? {}
            : { step: { name: step.name, start_time: step.startTime, step_status: step.status } }),
        }
  return {
    ...head,
    ...place,
    retry_info: { failed: progress.failed, consumed_retries: 0 },
    info: progress.info ?? undefined,
  }
}

function printAction(action: NonNullable<Progress['action']>): JsonRecord {
  const { properties } = action
  return {
    name: action.name,
    start_time: action.startTime,
    index: action.index,
    failed: action.failed,
    consumed_retries: action.consumedRetries,
    last_retry_time: action.lastRetryTime,
    ...(properties === null ? {} : { action_properties: printProperties(properties) }),
  }
}

function printProperties({ maxNumSegments, snapshotName, shrink }: ActionProperties): JsonRecord {
  return {
    max_num_segments: maxNumSegments,
    snapshot_name: snapshotName,
    ...(shrink === undefined
      ? {}
      : {
          shrink_action_properties: {
            node_name: shrink.nodeName,
            target_index_name: shrink.targetIndexName,
            target_num_shards: shrink.targetNumShards,
          },
        }),
  }
}

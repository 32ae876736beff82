/** How far an index has come in its policy. */
import type { JsonRecord } from '../../util/json/json-value.ts'

/** States of a step, as they are printed. */
export type StepStatus = 'starting' | 'condition_not_met' | 'failed' | 'completed' | 'timed_out'

/** The report of a step: a `message`, and a `cause` or the like behind it. */
export type StepInfo = JsonRecord

/** The facts that an action keeps from one of its steps to the next. */
export interface ActionProperties {
  readonly maxNumSegments?: number
  readonly snapshotName?: string
  readonly shrink?: {
    readonly nodeName: string
    readonly targetIndexName: string
    readonly targetNumShards: number
    /** Settings that the source gets back; null: it had none. */
    readonly writeBlock: string | null
    readonly requiredNode: string | null
  }
}

/** How far an index has come; times are milliseconds since 1970. Stored as it stands. */
export interface Progress {
  /** The policy that this is about, with its version. */
  readonly policyId: string
  readonly policySeqNo: number | null
  readonly policyPrimaryTerm: number | null
  readonly policyCompleted: boolean
  readonly rolledOver: boolean
  readonly rolledOverIndexName: string | null
  readonly indexCreationDate: number
  /** The state that comes next; null: it stays in its own. */
  readonly transitionTo: string | null
  readonly state: { readonly name: string; readonly startTime: number } | null
  readonly action: {
    readonly name: string
    /** Null: it begins anew. */
    readonly startTime: number | null
    /** In its state; −1: the transition behind the last action. */
    readonly index: number
    readonly failed: boolean
    readonly consumedRetries: number
    readonly lastRetryTime: number | null
    readonly properties: ActionProperties | null
  } | null
  readonly step: {
    readonly name: string
    readonly startTime: number
    readonly status: StepStatus
  } | null
  /** Whether the policy itself could not be followed. */
  readonly failed: boolean
  readonly info: StepInfo | null
}

/** Whether the index stands still until someone asks for a retry. */
export function hasFailed({ failed, action }: Progress): boolean {
  return failed || action?.failed === true
}

/** One run of the job of a managed index: it goes one step further, or finds why it cannot. */
import type { EngineApi } from '../../engine/api/engine-api.ts'
import { requestContext } from '../../task/call-context.ts'
import type { StepContext, StepOutcome } from './action-type.ts'
import type { ActionName } from './actions.ts'
import type { IndexView } from './index-view.ts'
import type { IsmSettings } from './ism-settings.ts'
import type { StoredPolicy } from './ism-store.ts'
import { type ManagedIndex, printProgress } from './managed-index.ts'
import { type PlannedStep, planStep } from './plan-step.ts'
import { pauseBefore } from './policy/action-retry.ts'
import { type Policy, stateOf } from './policy/policy.ts'
import type { IsmPorts } from './ports.ts'
import { hasFailed, type Progress, type StepInfo } from './progress.ts'
import { renderTemplate } from './render-template.ts'
import { stillWaits } from './transition-step.ts'
import { validateAction } from './validate-action.ts'

const ERROR_TITLE = 'Index Management-ISM-Error Notification'

/** The node as a run sees it. */
export interface JobHost {
  readonly engine: EngineApi
  readonly ports: IsmPorts
  readonly settings: IsmSettings
  readonly now: number
  policy(id: string): StoredPolicy | null
  /** Shows how far the index is while its step runs. */
  show(managed: ManagedIndex): void
  /** The same, durable when it resolves. */
  keep(managed: ManagedIndex): Promise<void>
  /** Tells how far an index had come that its own step deleted. */
  tellLast(managed: ManagedIndex): void
}

/**
 * Whether a run would leave the index as it is: it waits for the time of a transition, as it did in the run
 * before. So do most of many indices; this takes no look at them, and next to no memory.
 */
export function standsStill(
  { policy, policySeqNo, policyPrimaryTerm, changePolicy, progress }: ManagedIndex,
  { isEnabled }: IsmSettings,
  now: number,
): boolean {
  if (!isEnabled || changePolicy !== null || progress === null) return false
  if (progress.policyCompleted || hasFailed(progress) || progress.transitionTo !== null)
    return false
  if (progress.policySeqNo !== policySeqNo || progress.policyPrimaryTerm !== policyPrimaryTerm)
    return false
  const { action, state } = progress
  if (state === null || action === null) return false
  if (action.index >= 0 || action.startTime === null || action.consumedRetries > 0) return false
  const transitions = stateOf(policy, state.name)?.transitions ?? null
  return transitions !== null && stillWaits(transitions, progress, now)
}

/**
 * Runs a job once.
 * @returns the index as it is then, the same record where nothing changed; null: the index was deleted
 */
export async function runJob(
  host: JobHost,
  managed: ManagedIndex,
  index: IndexView,
): Promise<ManagedIndex | null> {
  const { progress } = managed
  if (progress === null) return initialized(host, managed, index)
  if (progress.policyCompleted || hasFailed(progress)) return disabled(managed)
  if (
    progress.policySeqNo !== managed.policySeqNo ||
    progress.policyPrimaryTerm !== managed.policyPrimaryTerm
  )
    return await policyFailed(
      host,
      managed,
      progress,
      'There is a version conflict between your previous execution and your managed index',
    )
  const planned = planStep(managed.policy, progress)
  if (planned !== null && !host.settings.isEnabled && planned.step.isUnderWay !== true)
    return disabled(managed)
  if (planned !== null && hasTimedOut(planned, progress, host.now))
    return await timedOut(host, managed, progress, planned)
  const { changePolicy } = managed
  if (changePolicy !== null && (changePolicy.isSafe || planned?.name === null))
    return changeOver(host, managed, progress, planned)
  if (planned === null)
    return await policyFailed(host, managed, progress, lostText(managed, progress))
  if (isPausing(planned, progress, host.now)) return managed
  if (planned.name !== null && planned.isFirst && !host.settings.allowList.includes(planned.name))
    return await policyFailed(
      host,
      managed,
      progress,
      `Attempted to execute action=${planned.name} which is not allowed.`,
    )
  return await runStep(host, managed, index, planned, started(progress, planned, host.now))
}

async function runStep(
  host: JobHost,
  managed: ManagedIndex,
  index: IndexView,
  planned: PlannedStep,
  begun: Progress,
): Promise<ManagedIndex | null> {
  const { engine, ports, now } = host
  let current: ManagedIndex = { ...managed, progress: begun }
  host.show(current)
  const fault = await faultAhead(host, current, index, planned)
  if (fault !== null) return fault
  const context: StepContext<unknown> = {
    engine,
    ports,
    index,
    config: planned.config,
    timeoutInMillis: planned.timeoutInMillis,
    progress: begun,
    now,
    templateContext: () => printProgress({ ...managed, progress: begun }),
    call: action =>
      requestContext({
        ...ports.askerOf(managed.caller),
        action,
        opaqueId: null,
        changeTimeoutInMillis: Number.POSITIVE_INFINITY,
      }),
    async keep(properties) {
      current = { ...current, progress: withProperties(current.progress!, properties) }
      await host.keep(current)
    },
  }
  const outcome = await planned.step.run(context)
  const ended = endedWith(current.progress!, outcome, planned, now)
  const after = { ...current, progress: ended }
  if (planned.name === 'delete' && outcome.status === 'completed') {
    host.tellLast(after)
    return null
  }
  return hasFailed(ended) ? await told(host, after) : after
}

/** The fault that the checks ahead of the action found; null: it may begin, or they are switched off. */
async function faultAhead(
  host: JobHost,
  managed: ManagedIndex,
  index: IndexView,
  planned: PlannedStep,
): Promise<ManagedIndex | null> {
  const { engine, ports, settings } = host
  if (!settings.validatesActions) return null
  const replicas = planned.name === 'replica_count' ? (planned.config as number) : null
  const { message, status } = await validateAction(planned.name, {
    engine,
    ports,
    settings,
    index,
    replicas,
  })
  if (status === 'passed') return null
  const waiting = { ...managed, progress: { ...managed.progress!, info: { message } } }
  // The job goes on in either case: the remedy of the fault is to be enough.
  return await told(host, waiting)
}

function initialized(host: JobHost, managed: ManagedIndex, index: IndexView): ManagedIndex {
  const { changePolicy, policy } = managed
  const created = (
    followed: { policy: Policy; seqNo: number; primaryTerm: number },
    state: string,
  ): ManagedIndex => ({
    ...managed,
    policyId: followed.policy.id,
    policy: followed.policy,
    policySeqNo: followed.seqNo,
    policyPrimaryTerm: followed.primaryTerm,
    caller: changePolicy === null ? managed.caller : changePolicy.caller,
    changePolicy: null,
    progress: {
      ...fresh(followed.policy.id, index),
      policySeqNo: followed.seqNo,
      policyPrimaryTerm: followed.primaryTerm,
      state: { name: state, startTime: host.now },
      info: { message: `Successfully initialized policy: ${followed.policy.id}` },
    },
  })
  if (changePolicy === null) {
    const { policySeqNo: seqNo, policyPrimaryTerm: primaryTerm } = managed
    return created({ policy, seqNo, primaryTerm }, policy.defaultState)
  }
  const found = host.policy(changePolicy.policyId)
  if (found !== null) return created(found, changePolicy.state ?? found.policy.defaultState)
  const message = `Fail to load policy: ${changePolicy.policyId}`
  const progress = { ...fresh(changePolicy.policyId, index), failed: true, info: { message } }
  return { ...managed, progress }
}

function fresh(policyId: string, index: IndexView): Progress {
  return {
    policyId,
    policySeqNo: null,
    policyPrimaryTerm: null,
    policyCompleted: false,
    rolledOver: false,
    rolledOverIndexName: null,
    indexCreationDate: index.createdAtInMillis,
    transitionTo: null,
    state: null,
    action: null,
    step: null,
    failed: false,
    info: null,
  }
}

/** Goes over to another policy, behind a state or, where it has the same actions there, amid one. */
function changeOver(
  host: JobHost,
  managed: ManagedIndex,
  progress: Progress,
  planned: PlannedStep | null,
): ManagedIndex {
  const change = managed.changePolicy!
  const found = host.policy(change.policyId)
  if (found === null) {
    const info = { message: `Failed to load change policy: ${change.policyId}` }
    return { ...managed, progress: { ...progress, failed: true, info } }
  }
  const { policy, seqNo, primaryTerm } = found
  if (change.isSafe && !isSafeToChange(managed, policy, change.state))
    return { ...managed, changePolicy: { ...change, isSafe: false } }
  const action = planned?.name === null ? newAction('transition', -1, host.now) : progress.action
  return {
    ...managed,
    policyId: policy.id,
    policy,
    policySeqNo: seqNo,
    policyPrimaryTerm: primaryTerm,
    caller: change.caller,
    changePolicy: null,
    progress: {
      ...progress,
      policyId: policy.id,
      policySeqNo: seqNo,
      policyPrimaryTerm: primaryTerm,
      policyCompleted: false,
      transitionTo: change.state,
      action,
      step: null,
      info: { message: `Attempting to change policy to ${policy.id}` },
    },
  }
}

/** Whether an index can follow another policy where it is: its state has the same kinds of action there. */
export function isSafeToChange(
  { policy, progress }: ManagedIndex,
  other: Policy,
  nextState: string | null,
): boolean {
  const name = progress?.state?.name
  if (name === undefined) return true
  if (nextState !== null) return false
  const [mine, theirs] = [stateOf(policy, name), stateOf(other, name)]
  return (
    mine !== null &&
    theirs !== null &&
    mine.actions.length === theirs.actions.length &&
    mine.actions.every((action, i) => action.name === theirs.actions[i]!.name)
  )
}

function started(progress: Progress, planned: PlannedStep, now: number): Progress {
  const { state, action, step } = progress
  const isNewState = state?.name !== planned.stateName
  const isNewAction = isNewState || action === null || action.index !== planned.index
  const isSameStep = step?.name === planned.step.name && step.status !== 'completed'
  return {
    ...progress,
    state: isNewState ? { name: planned.stateName, startTime: now } : state,
    action: isNewAction
      ? newAction(planned.name ?? 'transition', planned.index, now)
      : { ...action, startTime: action.startTime ?? now },
    step: {
      name: planned.step.name,
      startTime: isSameStep ? step.startTime : now,
      status: 'starting',
    },
    info: {
      message: `Starting action ${planned.name ?? 'transition'} and working on ${planned.step.name}`,
    },
  }
}

function newAction(
  name: ActionName | 'transition',
  index: number,
  now: number,
): NonNullable<Progress['action']> {
  return {
    name,
    startTime: now,
    index,
    failed: false,
    consumedRetries: 0,
    lastRetryTime: null,
    properties: null,
  }
}

function endedWith(
  begun: Progress,
  outcome: StepOutcome,
  planned: PlannedStep,
  now: number,
): Progress {
  const action = begun.action!
  const properties = outcome.properties === undefined ? action.properties : outcome.properties
  const retried =
    outcome.status !== 'failed'
      ? {}
      : action.consumedRetries >= planned.retry.count
        ? { failed: true }
        : { consumedRetries: action.consumedRetries + 1, lastRetryTime: now }
  return {
    ...begun,
    policyCompleted: outcome.policyCompleted ?? begun.policyCompleted,
    rolledOver: outcome.rolledOver ?? begun.rolledOver,
    rolledOverIndexName: begun.rolledOverIndexName ?? outcome.rolledOverIndexName ?? null,
    transitionTo: outcome.transitionTo ?? null,
    action: { ...action, ...retried, properties },
    step: { ...begun.step!, name: outcome.endedAs ?? planned.step.name, status: outcome.status },
    info: outcome.info,
  }
}

function withProperties(
  progress: Progress,
  properties: NonNullable<Progress['action']>['properties'],
): Progress {
  return { ...progress, action: { ...progress.action!, properties } }
}

function hasTimedOut({ timeoutInMillis }: PlannedStep, { action }: Progress, now: number): boolean {
  const startTime = action?.startTime ?? null
  return startTime !== null && timeoutInMillis !== null && now - startTime > timeoutInMillis
}

async function timedOut(
  host: JobHost,
  managed: ManagedIndex,
  progress: Progress,
  { step }: PlannedStep,
): Promise<ManagedIndex> {
  return await told(
    host,
    disabled({
      ...managed,
      progress: {
        ...progress,
        action: progress.action === null ? null : { ...progress.action, failed: true },
        step: { name: step.name, startTime: host.now, status: 'timed_out' },
        info: { message: 'Action timed out' },
      },
    }),
  )
}

/** Between a failure and the next try. */
function isPausing({ retry }: PlannedStep, { action }: Progress, now: number): boolean {
  if (action === null || action.consumedRetries === 0 || action.lastRetryTime === null) return false
  return now - action.lastRetryTime < pauseBefore(retry, action.consumedRetries)
}

function policyFailed(
  host: JobHost,
  managed: ManagedIndex,
  progress: Progress,
  message: string,
): Promise<ManagedIndex> {
  return told(
    host,
    disabled({ ...managed, progress: { ...progress, failed: true, info: { message } } }),
  )
}

function lostText({ policy }: ManagedIndex, progress: Progress): string {
  const state = progress.transitionTo ?? progress.state?.name ?? null
  if (state === null || stateOf(policy, state) === null)
    return `Failed to find state=${state} in policy=${progress.policyId}`
  return `Failed to find action=${progress.action?.name} in state=${state}`
}

function disabled(managed: ManagedIndex): ManagedIndex {
  return managed.isEnabled ? { ...managed, isEnabled: false } : managed
}

/** Tells the channel of the policy that something failed, and in the index that it was told. */
async function told(host: JobHost, managed: ManagedIndex): Promise<ManagedIndex> {
  const { errorNotification } = managed.policy
  const { progress } = managed
  if (errorNotification === null || progress === null) return managed
  const { channelId, template } = errorNotification
  let outcome: string
  try {
    const text = renderTemplate(host.engine, template, printProgress(managed))
    await host.ports.notify(channelId, ERROR_TITLE, text)
    outcome = `Successfully published error notification [index = ${managed.index}]`
  } catch (error) {
    outcome = error instanceof Error ? error.message : 'Failed to publish error notification'
  }
  const info: StepInfo = { ...progress.info, error_notification: outcome }
  return { ...managed, progress: { ...progress, info } }
}

/** A kind of action: how its object is read and printed, and the steps that it takes. */
import type { EngineApi } from '../../engine/api/engine-api.ts'
import type { Action as TaskAction } from '../../task/actions.ts'
import type { CallContext } from '../../task/call-context.ts'
import type { JsonNode } from '../../util/json/json-tree.ts'
import type { JsonRecord } from '../../util/json/json-value.ts'
import type { IndexView } from './index-view.ts'
import type { IsmPorts } from './ports.ts'
import type { ActionProperties, Progress, StepInfo, StepStatus } from './progress.ts'

/** The surroundings of a step. */
export interface StepContext<C> {
  readonly engine: EngineApi
  readonly ports: IsmPorts
  readonly index: IndexView
  readonly config: C
  /** The limit of the action; null: it has none of its own. */
  readonly timeoutInMillis: number | null
  /** As the step began it. */
  readonly progress: Progress
  readonly now: number
  /** The value of `{{ctx}}` in templates. */
  templateContext(): JsonRecord
  /** The context of a call, in the name of who put the index under its policy. */
  call(action: TaskAction): CallContext
  /** Keeps what a repetition must know before anything happens; durable when it resolves. */
  keep(properties: ActionProperties): Promise<void>
}

/** How a step ended. */
export interface StepOutcome {
  readonly status: Exclude<StepStatus, 'starting' | 'timed_out'>
  readonly info: StepInfo | null
  /** Of the action from here on; absent: as they were. */
  readonly properties?: ActionProperties | null
  /** The step that this one stands for, if it ended those between; absent: its own. */
  readonly endedAs?: string
  readonly rolledOver?: boolean
  readonly rolledOverIndexName?: string
  readonly transitionTo?: string
  readonly policyCompleted?: boolean
}

/**
 * A step of an action, which one run of a job takes. A node that ends amid one takes it again: it finds what
 * is done already, or does it once more to the same effect.
 */
export interface Step<C> {
  readonly name: string
  /** Whether it may be left undone when management is switched off. */
  readonly isUnderWay?: boolean
  run(context: StepContext<C>): Promise<StepOutcome>
}

/** A kind of action. */
export interface ActionType<C> {
  /** @throws {EngineError} `illegal_argument_exception`, `parsing_exception` */
  parse(node: JsonNode): C
  print(config: C): JsonRecord
  /** In their order. */
  readonly steps: readonly Step<C>[]
  /** Whether a step that failed begins the action anew. */
  readonly restarts?: boolean
}

/** Ties the parts of an action to the type of its object. */
export function defineAction<C>(type: ActionType<C>): ActionType<unknown> {
  return type as unknown as ActionType<unknown>
}

/** A step that is done. */
export function completed(message: string, more: Partial<StepOutcome> = {}): StepOutcome {
  return { status: 'completed', info: { message }, ...more }
}

/** A step that is taken again in the next run. */
export function notYet(message: string, more: StepInfo = {}): StepOutcome {
  return { status: 'condition_not_met', info: { message, ...more } }
}

/**
 * A step that failed.
 * @param cause an error, whose message is told; absent: there is none
 */
export function failed(message: string, cause?: unknown): StepOutcome {
  const told = cause instanceof Error ? { cause: cause.message } : {}
  return { status: 'failed', info: { message, ...told } }
}

/** A step of one call: what it says when that succeeded, and when it did not. */
export function callStep<C>(
  name: string,
  call: (context: StepContext<C>) => Promise<unknown>,
  texts: (context: StepContext<C>) => { readonly done: string; readonly failed: string },
): Step<C> {
  return {
    name,
    async run(context) {
      const told = texts(context)
      try {
        await call(context)
        return completed(told.done)
      } catch (error) {
        return failed(told.failed, error)
      }
    },
  }
}

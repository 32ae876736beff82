import type { Cancellation } from '../util/cancellation.ts'
import { nowInNanos } from '../util/clock.ts'
import type { JsonRecord } from '../util/json/json-value.ts'
import { ACTIONS, type Action } from './actions.ts'
import { ResourceTally, type TaskResources } from './task-resources.ts'

/** `transport`: asked for by a caller. `direct`: a step of another task on the same node. */
export type TaskType = 'transport' | 'direct'

/** Headers of the request that a task keeps, in their wire names: `X-Opaque-Id`. */
export type TaskHeaders = Readonly<Record<string, string>>

/** The parts of a new task. */
export interface TaskParts {
  readonly action: Action
  readonly type: TaskType
  readonly parent: Task | null
  readonly headers: TaskHeaders
  /**
   * A task of a `call` ends when that call of the engine settles; a task of a `request` lasts through
   * all calls of the request.
   */
  readonly owner: 'call' | 'request'
}

/** A list of tasks that wait. */
export interface TaskList {
  /** Lists a task under an id of its own; one that is listed, or has ended, is left alone. */
  enter(task: Task): void
}

/**
 * One thing that runs: an action under way. It costs two small objects until it waits for something;
 * only then a registry gives it an id and lists it.
 */
export class Task implements Cancellation {
  readonly action: Action
  readonly type: TaskType
  readonly parent: Task | null
  readonly headers: TaskHeaders
  readonly owner: 'call' | 'request'
  /** On the common clock. */
  readonly startInNanos: number = nowInNanos()
  /** When it ended, on the common clock; null while it runs. */
  endInNanos: number | null = null
  /** End of its first turn on the calling thread, on the common clock; null during that turn. */
  firstTurnEndInNanos: number | null = null
  /** Rising over a node; 0 until the task is listed. */
  number = 0
  /** Null until it is listed. */
  nodeId: string | null = null
  /** Takes it from the list; null until it is listed. */
  unlist: (() => void) | null = null
  /** The list that it enters at its first wait; null without. */
  list: TaskList | null = null
  /** Settles when the call that owns it ends. */
  call: Promise<unknown> | null = null
  /** Makes the state of its work, on demand; null: it has none to show. */
  status: (() => JsonRecord) | null = null
  /** Makes its description, on demand. */
  describe: () => string = noDescription
  #cancelledAtInMillis: number | null = null
  #tally: ResourceTally | null = null
  #listeners: Set<() => void> | null = null

  constructor({ action, type, parent, headers, owner }: TaskParts) {
    this.action = action
    this.type = type
    this.parent = parent
    this.headers = headers
    this.owner = owner
  }

  /** `node:number`, as the API names a task that is listed. */
  get id(): string {
    return `${this.nodeId}:${this.number}`
  }

  get isCancellable(): boolean {
    return ACTIONS[this.action].isCancellable
  }

  /** True too once its parent is. */
  get isCancelled(): boolean {
    if (this.#cancelledAtInMillis !== null) return true
    return this.parent !== null && this.isCancellable && this.parent.isCancelled
  }

  /** Milliseconds since 1970; null unless it was cancelled itself. */
  get cancelledAtInMillis(): number | null {
    return this.#cancelledAtInMillis
  }

  /** Milliseconds since 1970. */
  get startTimeInMillis(): number {
    return Math.floor(performance.timeOrigin + this.startInNanos / 1e6)
  }

  /** How long it has run, or ran. */
  get runningTimeInNanos(): number {
    return (this.endInNanos ?? nowInNanos()) - this.startInNanos
  }

  /**
   * Its use of threads: the first turn on the calling thread, which runs without a break, and what search,
   * merge and write threads ran for it, with what this thread does for its writes, and later turns of this thread
   * that it spends on long work. Of a chunk of writes that others share it has its share. Short work of later turns
   * is not in it.
   */
  get resources(): TaskResources {
    const cpu = Math.max(1, (this.firstTurnEndInNanos ?? nowInNanos()) - this.startInNanos)
    this.#tally ??= new ResourceTally()
    return this.#tally.with(cpu, this.firstTurnEndInNanos === null)
  }

  /** A thread begins to run for the task; the function that is returned ends that. */
  beginExecution(): (cpuInNanos: number) => void {
    const tally = (this.#tally ??= new ResourceTally())
    tally.begin()
    return cpuInNanos => tally.end(cpuInNanos)
  }

  /** A later turn of the calling thread begins for it, ended likewise; null in the first one. */
  beginTurn(): ((cpuInNanos: number) => void) | null {
    return this.firstTurnEndInNanos === null ? null : this.beginExecution()
  }

  /** Cancels it and calls its listeners; idempotent, without effect where its action cannot be cancelled. */
  cancel(): void {
    if (!this.isCancellable || this.#cancelledAtInMillis !== null) return
    this.#cancelledAtInMillis = Date.now()
    const listeners = this.#listeners
    this.#listeners = null
    for (const listener of listeners ?? []) listener()
  }

  /** A task that can be told to stop is one that waits: it is listed from here on. */
  onCancel(listener: () => void): () => void {
    this.list?.enter(this)
    if (this.isCancelled) return () => {}
    this.#listeners ??= new Set()
    this.#listeners.add(listener)
    return () => this.#listeners?.delete(listener)
  }
}

function noDescription(): string {
  return ''
}

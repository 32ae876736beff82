/**
 * Profiles of threads of this process, by way of the inspector: a session on the calling thread reaches the
 * threads that it has started. A thread that waits on shared memory answers too: a message wakes it.
 */
import { type InspectorNotification, type Profiler, Session } from 'node:inspector'
import { isMainThread } from 'node:worker_threads'

/** A profile as V8 records it. */
export type ThreadProfile = Profiler.Profile

/** Max wait for the answer of a thread, which may be in native code. */
const PATIENCE_IN_MILLIS = 2000

interface Attached {
  readonly sessionId: string
  readonly workerInfo: { readonly title: string }
}

interface Received {
  readonly sessionId: string
  readonly message: string
}

/**
 * Records profiles of the calling thread and of some threads that it has started, side by side.
 * @param threadIds of `node:worker_threads`; one that ends meanwhile has no profile
 * @param everyMicros from one sample to the next
 * @param during resolves when the recording ends
 */
export async function profileThreads(
  threadIds: ReadonlySet<number>,
  everyMicros: number,
  during: () => Promise<void>,
): Promise<{
  readonly own: ThreadProfile
  readonly others: ReadonlyMap<number, ThreadProfile>
}> {
  const session = new Session()
  session.connect()
  try {
    const own = new OwnThread(session)
    // Threads of a thread cannot be reached.
    const others = isMainThread ? await attach(session, threadIds) : []
    await Promise.all([own, ...others].map(thread => start(thread, everyMicros)))
    await during()
    const [mine, ...theirs] = await Promise.all([own, ...others].map(stop))
    const found = new Map<number, ThreadProfile>()
    for (const [i, profile] of theirs.entries())
      if (profile !== null) found.set(others[i]!.threadId, profile)
    return { own: mine!, others: found }
  } finally {
    session.disconnect()
  }
}

/** A thread that takes messages of the inspector. */
interface InspectedThread {
  /** @returns null when it has not answered in time */
  ask(method: string, params: object): Promise<unknown>
}

class OwnThread implements InspectedThread {
  readonly #session: Session

  constructor(session: Session) {
    this.#session = session
  }

  ask(method: string, params: object): Promise<unknown> {
    return post(this.#session, method, params)
  }
}

class OtherThread implements InspectedThread {
  readonly threadId: number
  readonly #session: Session
  readonly #sessionId: string
  readonly #waiting = new Map<number, (result: unknown) => void>()
  #last = 0

  constructor(session: Session, sessionId: string, threadId: number) {
    this.#session = session
    this.#sessionId = sessionId
    this.threadId = threadId
  }

  /** Takes a message of the thread: an answer, or a notice without an id. */
  receive(message: string): void {
    const { id, result } = JSON.parse(message) as { id?: number; result?: unknown }
    if (id !== undefined) this.#waiting.get(id)?.(result ?? null)
  }

  async ask(method: string, params: object): Promise<unknown> {
    const id = ++this.#last
    const message = JSON.stringify({ id, method, params })
    const answer = new Promise<unknown>(resolve => this.#waiting.set(id, resolve))
    let timer: NodeJS.Timeout | undefined
    const silence = new Promise<null>(resolve => {
      timer = setTimeout(() => resolve(null), PATIENCE_IN_MILLIS)
    })
    await post(this.#session, 'NodeWorker.sendMessageToWorker', {
      sessionId: this.#sessionId,
      message,
    })
    const result = await Promise.race([answer, silence])
    clearTimeout(timer)
    this.#waiting.delete(id)
    return result
  }
}

async function attach(session: Session, threadIds: ReadonlySet<number>): Promise<OtherThread[]> {
  const attached = new Map<string, OtherThread>()
  session.on(
    'NodeWorker.attachedToWorker' as string,
    ({ params }: InspectorNotification<Attached>) => {
      const threadId = Number(/^\[worker (\d+)\]/.exec(params.workerInfo.title)?.[1])
      if (threadIds.has(threadId))
        attached.set(params.sessionId, new OtherThread(session, params.sessionId, threadId))
    },
  )
  session.on(
    'NodeWorker.receivedMessageFromWorker' as string,
    ({ params }: InspectorNotification<Received>) =>
      attached.get(params.sessionId)?.receive(params.message),
  )
  await post(session, 'NodeWorker.enable', { waitForDebuggerOnStart: false })
  // Threads that start later are not recorded.
  return [...attached.values()]
}

async function start(thread: InspectedThread, interval: number): Promise<void> {
  await thread.ask('Profiler.enable', {})
  await thread.ask('Profiler.setSamplingInterval', { interval })
  await thread.ask('Profiler.start', {})
}

async function stop(thread: InspectedThread): Promise<ThreadProfile | null> {
  const answer = (await thread.ask('Profiler.stop', {})) as { profile?: ThreadProfile } | null
  await thread.ask('Profiler.disable', {})
  return answer?.profile ?? null
}

function post(session: Session, method: string, params: object): Promise<unknown> {
  return new Promise((resolve, reject) =>
    session.post(method, params, (error, result) => (error ? reject(error) : resolve(result))),
  )
}

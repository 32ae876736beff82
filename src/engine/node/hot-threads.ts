/** Samples of the threads of a node. */

import { setTimeout as delay } from 'node:timers/promises'
import type { PoolThread } from '../../pool/pool-thread.ts'
import type { CallContext } from '../../task/call-context.ts'
import { cancelledError } from '../../util/cancelled-error.ts'
import { EngineError } from '../../util/errors.ts'
import { sourceLine } from '../../util/source-lines.ts'
import type { SampledStack, SampledThread, SampleThreads } from '../api/hot-threads.ts'
import type { Node } from './node.ts'
import type { ThreadProfile } from './thread-profiles.ts'

/** Samples of an interval, as far as one a millisecond allows. */
const SAMPLES = 500
const MIN_MICROS = 1000
/** Requests that wait for their turn: one records at a time. */
const MAX_WAITING = 8

let waiting = 0
let last: Promise<unknown> = Promise.resolve()

/**
 * Samples all threads of a node, the coordinating one first.
 * @throws {EngineError} `rejected_execution_exception`: too many wait; `task_cancelled_exception`
 */
export async function sampleThreads(
  node: Node,
  call: SampleThreads,
  context: CallContext,
): Promise<readonly SampledThread[]> {
  if (waiting >= MAX_WAITING)
    throw new EngineError({
      type: 'rejected_execution_exception',
      reason: `rejected sampling of threads: ${waiting} wait already, the limit is ${MAX_WAITING}`,
    })
  waiting++
  const turn = last.then(() => sample(node, call, context))
  last = turn.then(ended, ended)
  return await turn
}

function ended(): void {
  waiting--
}

async function sample(
  node: Node,
  { intervalInMillis, snapshots }: SampleThreads,
  context: CallContext,
): Promise<readonly SampledThread[]> {
  if (context.isCancelled) throw cancelledError()
  // Loaded with the first request: most programs never sample, and some builds of Node have no inspector.
  const { profileThreads } = await import('./thread-profiles.ts')
  const threads = threadsOf(node)
  const micros = Math.max(MIN_MICROS, Math.round((1000 * intervalInMillis) / SAMPLES))
  const signal = context.abortSignal()
  const { own, others } = await profileThreads(
    new Set(threads.map(({ threadId }) => threadId)),
    micros,
    // A cancelled recording ends early: its profilers have to be stopped.
    () => delay(intervalInMillis, undefined, { signal }).catch(() => {}),
  )
  if (context.isCancelled) throw cancelledError()
  return [
    sampledThread('coordinator', own, snapshots),
    ...threads.flatMap(({ pool, number, threadId }) => {
      const profile = others.get(threadId)
      const name = `${pool}][T#${number + 1}`
      return profile === undefined ? [] : [sampledThread(name, profile, snapshots)]
    }),
  ]
}

function threadsOf({ searcher, lanes, ingest, updates }: Node): PoolThread[] {
  const pipelines = [ingest.threadId, updates.threadId].flatMap((threadId, number) =>
    threadId === null ? [] : [{ pool: 'pipeline', number, threadId }],
  )
  return [...searcher.runningThreads(), ...lanes.runningThreads(), ...pipelines]
}

type ProfileNode = ThreadProfile['nodes'][number]

/** Functions in which threads wait for work. */
const WAITS: ReadonlySet<string> = new Set(['(idle)', 'awaitRequest'])

function sampledThread(
  name: string,
  { nodes, samples = [] }: ThreadProfile,
  snapshots: number,
): SampledThread {
  const parents = new Map<number, ProfileNode>()
  const byId = new Map<number, ProfileNode>()
  for (const node of nodes) {
    byId.set(node.id, node)
    for (const child of node.children ?? []) parents.set(child, node)
  }
  const isIdle = (id: number): boolean => WAITS.has(byId.get(id)!.callFrame.functionName)
  const idle = samples.filter(isIdle).length
  const count = Math.max(1, samples.length)
  const kept = Math.min(snapshots, samples.length)
  const stacks = Array.from({ length: kept }, (_, i): SampledStack => {
    const id = samples[Math.floor(((i + 0.5) * samples.length) / kept)]!
    return { isIdle: isIdle(id), frames: framesFrom(byId.get(id)!, parents) }
  })
  return { name, busy: (samples.length - idle) / count, waiting: idle / count, stacks }
}

/** Frames from an inner one outwards; the root of a profile is none. */
function framesFrom(node: ProfileNode, parents: ReadonlyMap<number, ProfileNode>): string[] {
  const frames: string[] = []
  for (let at: ProfileNode | undefined = node; at !== undefined; at = parents.get(at.id)) {
    const { functionName, url, lineNumber } = at.callFrame
    if (functionName === '(root)') break
    const source = sourceLine(url, lineNumber + 1)
    const file = (source?.file ?? url).replace(/^.*\//, '')
    const place = file === '' ? '' : ` (${file}:${source?.line ?? lineNumber + 1})`
    frames.push(`${functionName === '' ? '(anonymous)' : functionName}${place}`)
  }
  return frames
}

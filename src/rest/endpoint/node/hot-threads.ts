import type { SampledThread } from '../../../engine/api/hot-threads.ts'
import { IllegalArgumentError } from '../../../util/errors.ts'
import { durationText } from '../../../util/units.ts'
import { type Answer, defineEndpoint, type Endpoint } from '../../endpoint.ts'
import { addressOf, attributesOf, isNodeMeant, ROLE_LETTERS } from '../../node-view.ts'
import { takes } from '../../param-form.ts'
import { flag, integer, list, millis, type ParamReader } from '../../params.ts'

/** Longer ones would record too much. */
const MAX_INTERVAL_IN_MILLIS = 60_000
const MAX_SNAPSHOTS = 1000

/** By the kind of time that is asked for: its share of a thread's samples, and what it is called. */
const TYPES = {
  cpu: (thread: SampledThread): number => thread.busy,
  wait: (thread: SampledThread): number => thread.waiting,
  // No thread waits for a lock.
  block: (): number => 0,
} as const

const type: ParamReader<keyof typeof TYPES> = takes(Object.keys(TYPES).join(' | '), value => {
  if (Object.hasOwn(TYPES, value)) return value as keyof typeof TYPES
  throw new IllegalArgumentError(`type not supported [${value}]`)
})

const interval: ParamReader<number> = takes('duration, up to 60s', (value, name) => {
  const duration = millis(value, name)
  if (duration >= 0 && duration <= MAX_INTERVAL_IN_MILLIS) return duration
  throw new IllegalArgumentError(`[${name}] must be between 0 and 60s, found [${value}]`)
})

const snapshots: ParamReader<number> = takes('integer, 1 to 1000', (value, name) => {
  const count = integer(value, name)
  if (count >= 1 && count <= MAX_SNAPSHOTS) return count
  throw new IllegalArgumentError(
    `[${name}] must be between 1 and ${MAX_SNAPSHOTS}, found [${value}]`,
  )
})

const threads: ParamReader<number> = takes('integer, from 0', (value, name) => {
  const count = integer(value, name)
  if (count >= 0) return count
  throw new IllegalArgumentError(`[${name}] must not be negative, found [${value}]`)
})

/** `GET /_nodes[/{node_id}]/hot_threads`: what threads did over a moment, as text. */
export const hotThreads: Endpoint = defineEndpoint({
  routes: [
    ['GET', '/_nodes/hot_threads'],
    ['GET', '/_nodes/{node_id}/hot_threads'],
    ['GET', '/_nodes/hotthreads'],
    ['GET', '/_nodes/{node_id}/hotthreads'],
    ['GET', '/_cluster/nodes/hot_threads'],
    ['GET', '/_cluster/nodes/{node_id}/hot_threads'],
    ['GET', '/_cluster/nodes/hotthreads'],
    ['GET', '/_cluster/nodes/{node_id}/hotthreads'],
  ],
  action: 'cluster:monitor/nodes/hot_threads',
  params: { threads, interval, snapshots, type, ignore_idle_threads: flag, timeout: millis },
  body: 'none',
  async handle({ engine, params, part, httpAddress, context }): Promise<Answer> {
    const info = engine.cluster.nodeInfo()
    if (!isNodeMeant(list(part('node_id')), info, httpAddress)) return { text: '' }
    const kind = params.type ?? 'cpu'
    const count = params.threads ?? 3
    const ignoresIdle = params.ignore_idle_threads ?? true
    const intervalInMillis = params.interval ?? 500
    const sampled = await engine.cluster.sampleThreads(
      { intervalInMillis, snapshots: params.snapshots ?? 10 },
      context,
    )
    const { host, transportAddress } = addressOf(info, httpAddress)
    const attributes = [...attributesOf(info)].map(([key, value]) => `${key}=${value}`).join(', ')
    const names = [info.nodeName, info.nodeId, info.ephemeralId, host, transportAddress]
    const lines = [
      `::: ${[...names, ROLE_LETTERS, attributes].map(name => `{${name}}`).join('')}`,
      `   Hot threads at ${new Date().toISOString()}, interval=${durationText(intervalInMillis * 1e6)}, ` +
        `busiestThreads=${count}, ignoreIdleThreads=${ignoresIdle}:`,
    ]
    const shareOf = TYPES[kind]
    const shown = sampled
      .filter(({ stacks }) => !ignoresIdle || stacks.some(({ isIdle }) => !isIdle))
      .sort((a, b) => shareOf(b) - shareOf(a))
      .slice(0, count)
    for (const thread of shown) {
      const share = shareOf(thread)
      const time = durationText(Math.round(share * intervalInMillis * 1e6))
      lines.push(
        '   ',
        `   ${(100 * share).toFixed(1)}% (${time} out of ${durationText(intervalInMillis * 1e6)}) ` +
          `${kind} usage by thread 'lamella[${info.nodeName}][${thread.name}]'`,
        ...stackLines(thread, ignoresIdle),
      )
    }
    return { text: `${lines.join('\n')}\n\n` }
  },
})

/** Each different stack once, with how many snapshots have it; the most frequent first. */
function stackLines({ stacks }: SampledThread, ignoresIdle: boolean): readonly string[] {
  const counts = new Map<string, number>()
  for (const { isIdle, frames } of stacks) {
    if (ignoresIdle && isIdle) continue
    const text = frames.map(frame => `       ${frame}`).join('\n')
    counts.set(text, (counts.get(text) ?? 0) + 1)
  }
  return [...counts]
    .sort(([, a], [, b]) => b - a)
    .flatMap(([text, count]) => {
      const depth = text.split('\n').length
      return count === 1
        ? ['     unique snapshot', text]
        : [`     ${count}/${stacks.length} snapshots sharing following ${depth} elements`, text]
    })
}

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { failureOf, ndjson, okOf, openRest, type Rest } from '../support/rest-calls.ts'

/** A search that is worth threads. */
const DEAR = {
  profile: true,
  query: { match: { t: 'sea' } },
  sort: [{ n: 'desc' }],
  aggs: { n: { histogram: { field: 'n', interval: 10 } } },
}

let rest: Rest
beforeAll(async () => {
  rest = await openRest({ 'node.attr.rack': 'r1', 'lamella.threads.search': '2' })
  const lines = Array.from({ length: 30_000 }, (_, n) => [
    { index: { _index: 'books' } },
    { n, t: `the ${n % 7} sea` },
  ])
  for (const half of [lines.slice(0, 15_000), lines.slice(15_000)])
    await ok('POST /_bulk?refresh', ndjson(...half.flat()))
  await ok('POST /books/_search', DEAR)
  const { nodes } = await ok('GET /_nodes/stats/thread_pool')
  const [own] = Object.values<{ thread_pool: Record<string, object> }>(nodes)
  expect(own!.thread_pool['search']).toMatchObject({ threads: 2 })
})
afterAll(() => rest.close())

const ok = okOf(() => rest)
const failure = failureOf(() => rest)

async function text(path: string): Promise<string> {
  const { status, text } = await rest.call(`GET ${path}`)
  expect([status, text.split('{')[0]]).toEqual([200, '::: '])
  return text
}

describe('hot threads', () => {
  it('name the node and how it was sampled', async () => {
    const { nodeId } = rest.engine.cluster.identity
    const [head, settings] = (await text('/_nodes/hot_threads?interval=20ms')).split('\n')
    expect(head).toMatch(
      new RegExp(
        `^::: \\{lamella-0\\}\\{${nodeId}\\}\\{[\\w-]{22}\\}\\{127\\.0\\.0\\.1\\}` +
          '\\{127\\.0\\.0\\.1:0\\}\\{dimr\\}\\{rack=r1\\}$',
      ),
    )
    expect(settings).toMatch(
      /^ {3}Hot threads at \d{4}-.*Z, interval=20ms, busiestThreads=3, ignoreIdleThreads=true:$/,
    )
  })

  it('show the stacks of threads that search', async () => {
    let isOver = false
    const searching = async (): Promise<void> => {
      while (!isOver) await ok('POST /books/_search', DEAR)
    }
    const searches = searching()
    const sampled = await text('/_nodes/_local/hot_threads?interval=300ms&threads=20&snapshots=50')
    isOver = true
    await searches
    expect(sampled).toMatch(/^ {3}\d+\.\d% \(.* out of 300ms\) cpu usage by thread 'lamella\[/m)
    expect(sampled).toContain('[lamella-0][coordinator]')
    expect(sampled).toMatch(/\[lamella-0\]\[search\]\[T#[12]\]/)
    expect(sampled).toMatch(/snapshots sharing following \d+ elements|unique snapshot/)
    expect(sampled).toMatch(/^ {7}\w+ \(worker-loop\.ts:\d+\)$/m)
  })

  it('show threads that wait when they are asked for', async () => {
    const path = '/_nodes/hotthreads?interval=20ms&threads=20&type=wait&ignore_idle_threads=false'
    const sampled = await text(path)
    expect(sampled).toMatch(/wait usage by thread 'lamella\[lamella-0\]\[search\]\[T#1\]'/)
    expect(sampled).toMatch(/wait usage by thread 'lamella\[lamella-0\]\[search\]\[T#2\]'/)
    expect(sampled).toMatch(/wait usage by thread 'lamella\[lamella-0\]\[write\]\[T#1\]'/)
    const blocked = await text(
      '/_cluster/nodes/hot_threads?interval=20ms&type=block&ignore_idle_threads=false',
    )
    expect(blocked.match(/0\.0% \(.*\) block usage/g)).toHaveLength(3)
  })

  it('are those of the nodes that are meant, as many as asked for', async () => {
    expect((await rest.call('GET /_nodes/other/hot_threads')).text).toBe('')
    expect(await text('/_nodes/hot_threads?threads=0&interval=0')).not.toContain('usage by thread')
  })

  it('answer searches as before once they were sampled', async () => {
    await text('/_nodes/hot_threads?interval=10ms')
    const { hits } = await ok('POST /books/_search', { query: { match: { t: 'sea' } } })
    expect(hits.total.value).toBe(10_000)
  })

  it.each([
    ['type=heap', 'type not supported [heap]'],
    ['interval=61s', '[interval] must be between 0 and 60s, found [61s]'],
    ['interval=-1', '[interval] must be between 0 and 60s, found [-1]'],
    [
      'interval=5',
      'failed to parse setting [interval] with value [5] as a time value: unit is missing or unrecognized',
    ],
    ['snapshots=0', '[snapshots] must be between 1 and 1000, found [0]'],
    ['threads=-1', '[threads] must not be negative, found [-1]'],
    ['threads=x', 'Failed to parse int parameter [threads] with value [x]'],
    ['ignore_idle_threads=no', 'Failed to parse value [no] as only [true] or [false] are allowed.'],
  ])('refuse %s', async (query, reason) => {
    expect(await failure(`GET /_nodes/hot_threads?${query}`)).toEqual([
      400,
      'illegal_argument_exception',
      reason,
    ])
  })

  it('are sampled one request after another, and not for too many', async () => {
    const asked = Array.from({ length: 12 }, () =>
      rest.call('GET /_nodes/hot_threads?interval=5ms'),
    )
    const answers = await Promise.all(asked)
    const refused = answers.filter(({ status }) => status !== 200)
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(8)
    expect(refused.map(({ status, json }) => [status, json.error.type])).toEqual(
      refused.map(() => [429, 'rejected_execution_exception']),
    )
  })

  it('end early when they are cancelled', async () => {
    const asked = rest.call('GET /_nodes/hot_threads?interval=60s')
    await ok('POST /_tasks/_cancel?actions=*hot_threads&wait_for_completion')
    expect((await asked).json.error).toMatchObject({
      type: 'task_cancelled_exception',
      reason: 'The task was cancelled.',
    })
  })
})

import { afterAll, describe, expect, it } from 'vitest'
import { ControlBuffer } from '../../src/pool/control-buffer.ts'
import { FairQueue } from '../../src/pool/fair-queue.ts'
import { SearchThreads } from '../../src/pool/search-threads.ts'

const worker = new URL('./fixtures/pausing-worker.mjs', import.meta.url)
const open: SearchThreads[] = []
afterAll(async () => {
  for (const pool of open) await pool.close()
})

function threads(count: number): SearchThreads {
  const control = new ControlBuffer().shared
  const pool = new SearchThreads({ threads: count, worker, maxQueue: 100, control })
  open.push(pool)
  return pool
}

/** Asks for something; resolves with what the worker answers. */
async function ask(
  pool: SearchThreads,
  isLong: boolean,
  hasRun = false,
  isPatient = false,
): Promise<string> {
  let answer = ''
  await pool.runRecord(
    {
      write(_, into) {
        into.flag(isLong)
        into.flag(isPatient)
        return true
      },
      read(from) {
        answer = from.text()
      },
    },
    hasRun,
  )
  return answer
}

/** A long request that goes on when it has made room, so many times. */
async function goOn(
  pool: SearchThreads,
  name: string,
  times: number,
  log: string[],
  {
    whenBack = () => undefined,
    isPatient = false,
  }: { whenBack?: () => void; isPatient?: boolean } = {},
): Promise<void> {
  for (let i = 0; i < times; i++) {
    expect(await ask(pool, true, i > 0, i === 0 && isPatient)).toBe('made room')
    log.push(name)
    // Runs once the next one has been asked for.
    if (i === 0) queueMicrotask(whenBack)
  }
}

/** Three long requests and a short one, in the order of their answers. */
async function turns(pool: SearchThreads): Promise<string[]> {
  const log: string[] = []
  const all: Promise<void>[] = []
  // The second one runs until a new one waits, which is asked for when the first waits again.
  await new Promise<void>(resolve => {
    const askOthers = (): void => {
      all.push(goOn(pool, 'c', 6, log))
      void ask(pool, false).then(() => {
        log.push('short')
        resolve()
      })
    }
    all.push(goOn(pool, 'a', 6, log, { whenBack: askOthers }))
    all.push(goOn(pool, 'b', 6, log, { isPatient: true }))
  })
  // The last of them runs until somebody waits.
  let hasEnded = false
  void Promise.all(all).then(() => {
    hasEnded = true
  })
  while (!hasEnded) await ask(pool, false)
  return log
}

describe('a thread that runs something long', () => {
  it('makes room for what is asked meanwhile, and goes on behind it', async () => {
    const pool = threads(1)
    const log: string[] = []
    const long = goOn(pool, 'long', 4, log)
    for (let i = 0; i < 4; i++) {
      // Only this one makes the long one stop: it would run for ever.
      expect(await ask(pool, false)).toBe('done')
      log.push('short')
    }
    await long
    expect(log).toEqual(['long', 'short', 'long', 'short', 'long', 'short', 'long', 'short'])
  })

  it('takes turns with others as long, and lets a short one in between', async () => {
    let log: string[] = []
    // Now and then a thread sees late that nobody waits any more, and the second one ends before the third is asked for.
    for (let i = 0; i < 20 && log[2] !== 'c'; i++) log = await turns(threads(1))
    // One that has run goes ahead of the fourth new one.
    expect(log.slice(0, 5)).toEqual(['a', 'b', 'c', 'a', 'short'])
    // While all three go on, each runs as often as the others.
    for (const name of ['a', 'b', 'c'])
      expect(log.slice(5, 17).filter(each => each === name).length).toBeGreaterThanOrEqual(3)
  })

  it('keeps short ones from none of its threads', async () => {
    const pool = threads(2)
    const log: string[] = []
    const all = ['a', 'b', 'c', 'd'].map(name => goOn(pool, name, 3, log))
    const short = Array.from({ length: 20 }, () => ask(pool, false).then(() => log.push('short')))
    await Promise.all(short)
    // None of the four has ended: each is still to run twice when the first short ones come.
    expect(log.indexOf('short')).toBeLessThanOrEqual(6)
    // Two that are alone with two threads go on for ever.
    const ended = Promise.allSettled(all)
    await pool.close()
    await ended
  })
})

describe('what waits for a thread', () => {
  it('goes in order, what is new ahead of what has run, but for every fourth', () => {
    const queue = new FairQueue<string>()
    for (let i = 0; i < 8; i++) queue.push(`new ${i}`, false)
    for (let i = 0; i < 3; i++) queue.push(`old ${i}`, true)
    const order = Array.from({ length: queue.length }, () => queue.take())
    expect(order).toEqual([
      'new 0',
      'new 1',
      'new 2',
      'old 0',
      'new 3',
      'new 4',
      'new 5',
      'old 1',
      'new 6',
      'new 7',
      'old 2',
    ])
    expect(queue.take()).toBe(undefined)
  })
})

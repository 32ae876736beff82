/** The thread that checks hashes of bcrypt, which is JavaScript and takes a tenth of a second. */

import { Worker } from 'node:worker_threads'
import { builtFile } from '../../util/built-file.ts'

/** One check, as it is sent. */
export interface BcryptCheck {
  readonly number: number
  readonly password: string
  readonly hash: string
}

/** Its outcome. */
export interface BcryptOutcome {
  readonly number: number
  readonly matches: boolean
}

/** A hash of so high a cost that its check takes longer is taken for one that does not match. */
const LONGEST_CHECK_IN_MILLIS = 10_000

/** The thread, started by the first check; it keeps no process from ending. */
let thread: Worker | null = null
let last = 0
const waiting = new Map<number, (matches: boolean) => void>()

/** Whether a password is that of a hash of bcrypt. */
export function checkBcrypt(password: string, hash: string): Promise<boolean> {
  thread ??= startThread()
  const number = ++last
  return new Promise(resolve => {
    const timer = setTimeout(() => {
      // Nothing else ends a loop of another thread; checks that waited behind it are lost with it.
      const lost = thread
      thread = null
      void lost?.terminate()
      for (const answer of [...waiting.values()]) answer(false)
    }, LONGEST_CHECK_IN_MILLIS)
    timer.unref()
    waiting.set(number, matches => {
      clearTimeout(timer)
      waiting.delete(number)
      resolve(matches)
    })
    thread?.postMessage({ number, password, hash } satisfies BcryptCheck)
  })
}

function startThread(): Worker {
  const worker = new Worker(builtFile('service/security/bcrypt-worker.js'))
  worker.unref()
  worker.on('message', ({ number, matches }: BcryptOutcome) => waiting.get(number)?.(matches))
  worker.on('error', () => {
    if (thread === worker) thread = null
    for (const answer of [...waiting.values()]) answer(false)
  })
  return worker
}

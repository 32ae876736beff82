/** How long this thread has waited for a processor, which tells what a loaded machine adds to a reading. */

import { openSync, readSync } from 'node:fs'

/** A counter of the milliseconds that the calling thread was ready and did not run; stays 0 where the system does not tell. */
export function processorWait(): () => number {
  let file: number
  try {
    file = openSync('/proc/thread-self/schedstat', 'r')
  } catch {
    return () => 0
  }
  // Nanoseconds on the processor, nanoseconds in its queue, turns.
  const bytes = Buffer.alloc(128)
  return () =>
    Number(bytes.toString('latin1', 0, readSync(file, bytes, 0, 128, 0)).split(' ')[1]) / 1e6
}

/**
 * Loaded into a thread that is to be killed, ahead of its own module. Node 20 aborts the whole process when a
 * thread is ended inside the making of a zlib stream, so these calls and the killing take turns: each
 * thread has a word of shared memory, taken by whoever is at it.
 */
import { syncBuiltinESMExports } from 'node:module'
import { getEnvironmentData, threadId } from 'node:worker_threads'
import zlib from 'node:zlib'

const words = new Int32Array(getEnvironmentData('turns'))
const turn = threadId % words.length

for (const name of ['deflateRawSync', 'inflateRawSync']) {
  const plain = zlib[name]
  zlib[name] = (...args) => {
    // Once the killer has it, this thread waits here for its end.
    while (Atomics.compareExchange(words, turn, 0, 1) !== 0) Atomics.wait(words, turn, 2, 50)
    try {
      return plain(...args)
    } finally {
      Atomics.store(words, turn, 0)
    }
  }
}
syncBuiltinESMExports()

/** What the pool takes for the thread's module until the first task names the real one. */
export default () => {}

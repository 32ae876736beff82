/**
 * Loaded into a thread that is to be killed, ahead of its own modules. Node 20 aborts the whole process when a
 * thread is ended inside the making of a zlib stream or amid a `require` of this file, so these and the
 * killing take turns: each thread has a word of shared memory, taken by whoever is at it, and by the
 * thread from its start until this file is loaded. Its own modules may be cut short.
 */
import { syncBuiltinESMExports } from 'node:module'
import { getEnvironmentData, threadId, workerData } from 'node:worker_threads'
import zlib from 'node:zlib'

const words = new Int32Array(getEnvironmentData('turns'))
const turn = threadId % (words.length / 2)

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

// The second half tells of each thread which of the kinds it is, from 1; 0: none of them.
const kinds = getEnvironmentData('kinds')
const kind = kinds.findIndex(name => workerData.module.endsWith(`/${name}-worker.js`))
Atomics.store(words, words.length / 2 + turn, kind + 1)
Atomics.store(words, turn, 0)

/** What the pool takes for the thread's module until the first task names the real one. */
export default () => {}

/**
 * Loaded into a thread that is to be killed, ahead of its own module. Node 20 aborts the whole process when a
 * thread is ended inside the making of a zlib stream or the loading of a module, so these and the
 * killing take turns: each thread has a word of shared memory, taken by whoever is at it, and by the
 * thread from its start until its module is loaded.
 */
import { createRequire, syncBuiltinESMExports } from 'node:module'
import { fileURLToPath } from 'node:url'
import { getEnvironmentData, threadId } from 'node:worker_threads'
import zlib from 'node:zlib'

const words = new Int32Array(getEnvironmentData('turns'))
// The second half tells which module each thread is for.
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

// As the pool loads it, which then finds it loaded.
const url = getEnvironmentData('modules')[Atomics.load(words, words.length / 2 + turn)]
createRequire(import.meta.url)(fileURLToPath(url))
Atomics.store(words, turn, 0)

/** What the pool takes for the thread's module until the first task names the real one. */
export default () => {}

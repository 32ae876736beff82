// Time of the machine to wake a thread and to be woken by it: a word each way, and nothing else.
import { workerData } from 'node:worker_threads'

const words = new Int32Array(workerData)
for (let seen = 0; ; ) {
  Atomics.wait(words, 0, seen)
  seen = Atomics.load(words, 0)
  Atomics.store(words, 1, seen)
  Atomics.notify(words, 1)
}

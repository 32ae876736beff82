/** Work on another thread that whoever asked for it may give up: a word of shared memory is set for it. */
import type { Cancellation } from '../util/cancellation.ts'

/** Words of works under way; setting one gives that work up. */
export type StopWords = Set<Int32Array>

/**
 * Runs a work that may be given up.
 * @param signal for whom it runs; null: for nobody in particular
 * @param words  gets the work's word while it runs
 * @param run    hands the memory to the thread
 */
export async function underStop<T>(
  signal: Cancellation | null,
  words: StopWords,
  run: (stop: SharedArrayBuffer) => Promise<T>,
): Promise<T> {
  const stop = new SharedArrayBuffer(4)
  const word = new Int32Array(stop)
  const unlisten = signal?.onCancel(() => giveUp(word))
  if (signal?.isCancelled) giveUp(word)
  words.add(word)
  try {
    return await run(stop)
  } finally {
    words.delete(word)
    unlisten?.()
  }
}

/** Gives a work up. @param word of it */
export function giveUp(word: Int32Array): void {
  Atomics.store(word, 0, 1)
}

/**
 * The check of a work's thread, called every few milliseconds.
 * @returns throws once the work was given up
 */
export function stopCheck(stop: SharedArrayBuffer): () => void {
  const word = new Int32Array(stop)
  return () => {
    if (Atomics.load(word, 0) !== 0) throw new Error('the work was given up')
  }
}

/** Watches a request that may never end: a native pattern cannot be interrupted but with its thread. */

/** How long processors may take, in milliseconds. */
export interface ProcessorLimits {
  /** Of one processor. */
  readonly processor: number
  /** Of all processors of one document together. */
  readonly document: number
}

const LOOKS_PER_LIMIT = 10

/** Words of a request's progress: the number of the document under way, from 1; a count of processors; */
export const DOCUMENT_WORD = 0
export const TICK_WORD = 1
/** and the number of the match of a native pattern that is under way in that document, from 1; 0: none. */
export const MATCH_WORD = 2
const WORDS = 3

/** Shared memory for the progress of a request. */
export function newProgress(): SharedArrayBuffer {
  return new SharedArrayBuffer(4 * WORDS)
}

/** The reason of a match that takes too long. */
export function interrupted({ processor }: ProcessorLimits): string {
  return `grok pattern matching was interrupted after [${processor}] ms`
}

/** How far a request got: words that its thread writes. */
export interface RequestProgress {
  /** Number of the document under way, from 0; −1: none yet. */
  readonly document: number
  /** Processors that were begun. */
  readonly ticks: number
  /** Number of the match of a native pattern that is under way in the document, from 1; 0: none. */
  readonly match: number
}

/** The progress that is written to shared memory. */
export function readProgress(shared: SharedArrayBuffer): RequestProgress {
  const words = new Int32Array(shared)
  return {
    document: Atomics.load(words, DOCUMENT_WORD) - 1,
    ticks: Atomics.load(words, TICK_WORD),
    match: Atomics.load(words, MATCH_WORD),
  }
}

/**
 * Runs a request, and ends its thread once it stands still for too long.
 * @param run   the request
 * @param stop  ends the thread, upon which `run` rejects
 */
export async function watched<T>(
  progress: SharedArrayBuffer,
  limits: ProcessorLimits,
  run: () => Promise<T>,
  stop: () => void,
): Promise<T> {
  let seen = readProgress(progress)
  let since = performance.now()
  let entered = since
  const look = (): void => {
    const now = performance.now()
    const next = readProgress(progress)
    if (next.document !== seen.document) entered = now
    if (next.ticks !== seen.ticks || next.document !== seen.document) since = now
    seen = next
    if (next.document < 0) return
    if (now - since > limits.processor || now - entered > limits.document) stop()
  }
  const timer = setInterval(look, Math.ceil(limits.processor / LOOKS_PER_LIMIT))
  try {
    return await run()
  } finally {
    clearInterval(timer)
  }
}

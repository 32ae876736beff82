import type { Cancellation } from '../../src/util/cancellation.ts'

/** A cancellation that a test makes. */
export function cancellation(): Cancellation & { cancel(): void } {
  const listeners = new Set<() => void>()
  let isCancelled = false
  return {
    get isCancelled() {
      return isCancelled
    },
    onCancel(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    cancel() {
      isCancelled = true
      for (const listener of listeners) listener()
    },
  }
}

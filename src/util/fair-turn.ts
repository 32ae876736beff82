/** How long calls that never leave the thread may keep the event loop from turning. */
const LONGEST_TURN_IN_MILLIS = 5

let isWatching = false
let turnBegan = 0

/**
 * Lets timers and sockets have their turn when calls follow each other without one: a search that
 * this thread runs by itself resolves within the same turn, so a caller's loop of searches would
 * starve everything else. Null when no wait is due.
 */
export function fairTurn(): Promise<void> | null {
  if (!isWatching) {
    isWatching = true
    turnBegan = performance.now()
    setImmediate(() => {
      isWatching = false
    })
    return null
  }
  if (performance.now() - turnBegan < LONGEST_TURN_IN_MILLIS) return null
  return new Promise(resolve => setImmediate(resolve))
}

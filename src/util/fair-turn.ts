/** Max time that calls which never leave the thread may block the event loop. */
import { nowInMillis } from './clock.ts'

const LONGEST_TURN_IN_MILLIS = 5

let isWatching = false
let turnBegan = 0

/**
 * Yields to timers and sockets between consecutive calls: an inline search resolves within the same
 * turn of the event loop, so a caller's loop of searches would starve all other work. Null when no
 * wait is due.
 */
export function fairTurn(): Promise<void> | null {
  if (!isWatching) {
    isWatching = true
    turnBegan = nowInMillis()
    setImmediate(() => {
      isWatching = false
    })
    return null
  }
  if (nowInMillis() - turnBegan < LONGEST_TURN_IN_MILLIS) return null
  return new Promise(resolve => setImmediate(resolve))
}

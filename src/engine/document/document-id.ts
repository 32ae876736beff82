/**
 * Ids for documents that come without one: 20 url-safe characters, each six bits, highest first.
 *
 *   id := milliseconds since 1970 (8) · drawn when the process started (8) · a counter (4)
 *
 * As unlike as random ones, and cheap to keep: neighbours share all but the last characters, and those
 * count on, so that a segment spends some bits on an id (`codec/ids/`). Like the real server's they tell
 * when they were made.
 */
import { randomBytes } from 'node:crypto'

const SYMBOLS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
const PROCESS = randomBytes(6).toString('base64url')
const COUNTS = 2 ** 24

let counter = randomBytes(4).readUInt32LE() % COUNTS
/** Never falls, and rises when the counter starts over: no two ids have both in common. */
let time = 0
/** All but the last character, while it holds. */
let start = ''

/** An id that no document has. */
export function newDocumentId(): string {
  const now = Date.now()
  counter = (counter + 1) % COUNTS
  if (now > time) {
    time = now
    start = ''
  } else if (counter === 0) time++
  if (start === '' || counter % 64 === 0)
    start = sixes(time, 8) + PROCESS + sixes(Math.floor(counter / 64), 3)
  return start + SYMBOLS[counter % 64]!
}

/** A whole number as so many symbols. */
function sixes(value: number, count: number): string {
  let text = ''
  for (let rest = value; text.length < count; rest = Math.floor(rest / 64))
    text = SYMBOLS[rest % 64]! + text
  return text
}

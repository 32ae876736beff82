/**
 * Finds the terms of a dictionary (`codec/terms/format.ts`) that an automaton over code points accepts.
 * Two neighbours share a prefix, and with it the automaton's states: only the bytes behind it are
 * stepped through. A prefix that no accepted term has is passed over with all groups that begin with it, and
 * with skips the entries of a group. A group none of whose terms holds the required bytes, or none of which is marked,
 * is passed over as well.
 *
 * The automaton is a table of moves by state and class of code points, or the texts within a few edits
 * of a word: sets of positions as bits, a word for each number of edits (`search/query/near-word.ts`).
 */
import { behindData, behindNumber, docFreq, GROUP_TERMS, varint } from './dictionary-entry'
import { editsIn, isNearEnd, NEAR_BYTES, stepNear } from './near-word'
import { marksOf, nextMarked } from './term-signatures'
import {
  bytesOf,
  copyShared,
  firstOf,
  holders,
  keysOf,
  leastShared,
  nextBelow,
  sharedOf,
  sizeOf,
  skipsOf,
} from './term-skips'

// The dictionary.
const INDEX: usize = 0
const START: usize = 4
const END: usize = 8
const FLAGS: usize = 12
const TERM_COUNT: usize = 16
const GROUP_COUNT: usize = 20
/**
 * u32 by state and class: where the moves of the next state begin, times four, with its flags `ACCEPTS` and
 * `IS_TOTAL`; 0: the dead state. The states are those of `util/automaton/automaton.ts`.
 */
const MOVES: usize = 24
const CLASSES: usize = 28
/** The state before any text, in the same form. */
const FIRST: usize = 32
/** First code point of each class, i32; and the classes of ASCII, u16. */
const CLASS_STARTS: usize = 36
const ASCII: usize = 40
/** Room for a term, its bytes, and for the state behind each of them. */
const TERM: usize = 44
const TERM_BYTES: usize = 48
const STATES: usize = 52
const OUT: usize = 56
const OUT_END: usize = 60
/** The first group that is not walked yet, from call to call. */
const GROUP: usize = 64
/** Behind what the last call wrote. */
const OUT_AT: usize = 68
/** f64: sum of the document frequencies of the accepted terms, from call to call. */
const POSTINGS: usize = 72
/** 0: ranges of ords are written, as pairs; 1: terms, each with ord, state, docFreq, length, bytes. */
const TELLS: usize = 80
/** Record of a word; 0: the table is used. */
const WORD: usize = 84
/** The dictionary's skips (`term-skips.ts`); 0: none. */
const SKIPS: usize = 88
/** Bytes that every accepted term holds, and how many: 0, or two and more. */
const REQUIRED: usize = 92
const REQUIRED_LENGTH: usize = 96
/** Marks of the terms that may be accepted (`term-signatures.ts`), no others; 0: all may be. */
const MARKS: usize = 100

const DEAD: u32 = 0
const ACCEPTS: u32 = 1
const IS_TOTAL: u32 = 2
/** A longer term is told without its bytes. */
const TOLD_BYTES: usize = 256
const TOLD_HEAD: usize = 16
/** Output of a group at most. */
const GROUP_OUT: usize = 32 * (TOLD_HEAD + TOLD_BYTES)
/** No prefix. */
const NONE: usize = 0xffffffff

let index: usize = 0
let start: usize = 0
let end: usize = 0
let term: usize = 0
let states: usize = 0
let moves: usize = 0
let classes: i32 = 0
let classStarts: usize = 0
let ascii: usize = 0
let word: usize = 0
/** First bytes of the groups; 0: there are none. */
let keys: usize = 0
/** Up to where the states behind the term's bytes are known. */
let known: usize = 0
/** End of the prefix that no accepted term has, or whose every continuation is accepted. */
let dead: usize = 0
let total: usize = 0
/** The state behind the term; of a word the edits, −1 where it is not accepted. */
let state: i32 = 0

/**
 * Walks the dictionary from the record's group on.
 * @returns 0: all was walked; 1: the output is full, and the call is to be made again; −1: the bytes
 *   are corrupt, or a term has no room
 */
export function matchTerms(record: usize): i32 {
  index = load<usize>(record, INDEX)
  start = load<usize>(record, START)
  end = load<usize>(record, END)
  const flags = load<u32>(record, FLAGS)
  const termCount = load<i32>(record, TERM_COUNT)
  const groupCount = load<i32>(record, GROUP_COUNT)
  moves = load<usize>(record, MOVES)
  classes = load<i32>(record, CLASSES)
  const before = load<u32>(record, FIRST)
  classStarts = load<usize>(record, CLASS_STARTS)
  ascii = load<usize>(record, ASCII)
  term = load<usize>(record, TERM)
  const termBytes = load<usize>(record, TERM_BYTES)
  states = load<usize>(record, STATES)
  word = load<usize>(record, WORD)
  const first = load<usize>(record, OUT)
  const outEnd = load<usize>(record, OUT_END)
  const tells = load<i32>(record, TELLS) != 0
  const allSkips = load<usize>(record, SKIPS)
  keys = allSkips ? keysOf(allSkips, groupCount) : 0
  const required = load<usize>(record, REQUIRED)
  const requiredLength = allSkips ? load<i32>(record, REQUIRED_LENGTH) : 0
  const marks = load<usize>(record, MARKS)
  const allTotal: usize = !word && before & IS_TOTAL ? 0 : NONE
  if (!word) store<u32>(states, before)
  known = 0
  let out = first
  let postings = load<f64>(record, POSTINGS)
  let group = load<i32>(record, GROUP)
  while (group < groupCount) {
    if (marks) group = nextMarked(marks, group, groupCount)
    if (group >= groupCount || outEnd - out < GROUP_OUT) break
    const offset = <usize>load<u32>(index + (<usize>group << 4))
    if (offset >= end - start) return -1
    const entries = start + offset
    const base = group * GROUP_TERMS
    const count = min(GROUP_TERMS, termCount - base)
    const skips = allSkips ? skipsOf(allSkips, group) : 0
    // The entries that are to be read: bit i for entry i.
    let wanted: u32 = marks && skips ? marksOf(marks, group, termCount) : 0xffffffff
    if (skips && requiredLength) {
      const behind = entries + bytesOf(skips, count)
      if (behind > end) return -1
      wanted = holders(skips, entries, behind, count, required, requiredLength)
      if (wanted == 0) {
        group++
        continue
      }
    }
    let length: usize = 0
    dead = NONE
    total = allTotal
    if (allTotal == 0) state = <i32>before
    let next = entries
    // The entry that begins there.
    let at = 0
    for (let i = 0; i < count; i++) {
      const left = wanted >> i
      if (left == 0) break
      if (!(left & 1)) {
        const from = i - 1
        i += <i32>ctz(left)
        const kept = min(leastShared(skips, from, i), length)
        if (dead > kept) {
          dead = NONE
          if (total > kept) total = NONE
          known = min(known, kept)
          copyShared(skips, entries, i, kept, term)
        }
        length = sharedOf(skips, i)
      }
      if (skips && i > 0 && isDeadEnd(sharedOf(skips, i), firstOf(skips, i))) {
        length = dead
        i = nextBelow(skips, i + 1, count, dead) - 1
        continue
      }
      if (at != i) next = entries + bytesOf(skips, i)
      at = i + 1
      if (next >= end) return -1
      const entry = next
      let shared: usize
      let rest: usize
      const head = <u32>load<u16>(next)
      if (head & 0x8080) {
        shared = <usize>varint(next)
        rest = <usize>varint(behindNumber)
        next = behindNumber
      } else {
        shared = <usize>(head & 0x7f)
        rest = <usize>(head >> 8)
        next += 2
      }
      if (next > end || rest > end - next || shared > length || rest > termBytes - shared) return -1
      length = shared + rest
      // The last group's terms may have led here already.
      const alike = i == 0 ? sharedWith(next, rest) : shared
      // Nobody reads what stands behind the dead prefix.
      if (dead > shared) copy(shared, next, rest, termBytes)
      const data = next + rest
      next = skips ? entry + sizeOf(skips, i) : behindData(data, end, flags)
      if (next > end) return -1
      if (dead <= shared) continue
      if (total > shared) {
        dead = NONE
        total = NONE
        if (!(word ? runNear(alike, length) : runTable(alike, length))) return -1
        if (dead != NONE) {
          // All of the group begins so where the next one does.
          if (i == 0 && beginsAlike(group + 1, groupCount)) break
          if (skips) i = nextBelow(skips, i + 1, count, dead) - 1
          continue
        }
        if (word ? state < 0 : total == NONE && !(<u32>state & ACCEPTS)) continue
      }
      if (skips) behindData(data, end, flags)
      postings += <f64>docFreq
      if (tells) out = tell(out, base + i, docFreq, length)
      else out = addOrd(first, out, base + i)
    }
    group++
    if (dead != NONE && !marks) group = passAlike(group, groupCount)
  }
  store<i32>(record, group, GROUP)
  store<usize>(record, out, OUT_AT)
  store<f64>(record, postings, POSTINGS)
  return group < groupCount ? 1 : 0
}

/**
 * Whether no accepted term begins as one whose own bytes begin with `byte`; false as well where that is not known. If
 * so, the term's dead prefix ends there.
 */
@inline function isDeadEnd(shared: usize, byte: u32): bool {
  if (byte >= 0x80 || shared > known || shared >= dead || shared >= total) return false
  if (word) {
    if (!isNearEnd(word, states + shared * NEAR_BYTES, byte)) return false
  } else {
    const row = load<u32>(states + (shared << 2)) >> 2
    const group = <u32>load<u16>(ascii + (<usize>byte << 1))
    if (load<u32>(moves + (<usize>(row + group) << 2)) != DEAD) return false
  }
  store<u8>(term + shared, <u8>byte)
  known = shared
  dead = shared + 1
  total = NONE
  return true
}

/** How many of some bytes, max 8, the term has whose states are known. */
@inline function sharedWith(at: usize, length: usize): usize {
  if (at + 8 > end) return 0
  const difference = load<u64>(at) ^ load<u64>(term)
  return min(min(<usize>(ctz(difference) >> 3), length), known)
}

/** Copies the bytes of an entry behind those that it shares. */
@inline function copy(shared: usize, from: usize, rest: usize, termBytes: usize): void {
  if (rest <= 8 && from + 8 <= end && shared + 8 <= termBytes)
    store<u64>(term + shared, load<u64>(from))
  else
    for (let i: usize = 0; i < rest; i++)
      store<u8>(term + shared + i, load<u8>(from + i))
}

/** The last boundary of code points of the term at or before `shared` whose state is known. */
@inline function boundary(shared: usize, length: usize): usize {
  let from = min(shared, known)
  while (from > 0 && from < length && (load<u8>(term + from) & 0xc0) == 0x80) from--
  return from
}

/** Steps through the bytes of the term that are not shared; false: they are not UTF-8. */
function runTable(shared: usize, length: usize): bool {
  const bytes = term
  const behindBytes = states
  const table = moves
  const ofAscii = ascii
  let from = boundary(shared, length)
  let next = load<u32>(behindBytes + (from << 2))
  while (from < length) {
    const byte = <u32>load<u8>(bytes + from)
    let behind = from + 1
    let group: u32
    if (byte < 0x80) group = load<u16>(ofAscii + (<usize>byte << 1))
    else {
      behind = endOfPoint(from, byte)
      if (behind > length) return false
      group = classOf(pointAt(from, behind, byte))
    }
    next = load<u32>(table + <usize>(((next >> 2) + group) << 2))
    if (next == DEAD) {
      dead = behind
      break
    }
    from = behind
    store<u32>(behindBytes + (from << 2), next)
    if (next & IS_TOTAL) {
      total = from
      break
    }
  }
  known = from
  state = <i32>next
  return true
}

/** The same for the texts near a word. */
function runNear(shared: usize, length: usize): bool {
  let from = boundary(shared, length)
  // A term without bytes is the first one alone.
  state = length == 0 ? editsIn(word, states) : -1
  while (from < length) {
    const byte = <u32>load<u8>(term + from)
    const behind = byte < 0x80 ? from + 1 : endOfPoint(from, byte)
    if (behind > length) return false
    const point = byte < 0x80 ? byte : pointAt(from, behind, byte)
    const left = stepNear(word, states + from * NEAR_BYTES, states + behind * NEAR_BYTES, point)
    if (left == -2) {
      dead = behind
      break
    }
    from = behind
    state = left
  }
  known = from
  return true
}

@inline function endOfPoint(from: usize, byte: u32): usize {
  return from + (byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4)
}

function pointAt(from: usize, behind: usize, byte: u32): u32 {
  let point = byte & (0x7f >> <u32>(behind - from))
  for (let i = from + 1; i < behind; i++) point = (point << 6) | (<u32>load<u8>(term + i) & 0x3f)
  return point
}

function classOf(point: u32): u32 {
  let low = 0
  let high = classes - 1
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if (load<u32>(classStarts + (<usize>middle << 2)) <= point) low = middle
    else high = middle - 1
  }
  return <u32>low
}

/** Whether a group's first term begins with the term's first `dead` bytes. */
function beginsAlike(group: i32, groupCount: i32): bool {
  if (group >= groupCount) return false
  // A shorter term is below all that begin so, and the groups asked for are above.
  if (keys && dead <= 8) {
    const difference = load<u64>(keys + (<usize>group << 3)) ^ load<u64>(term)
    return difference << (64 - (<u64>dead << 3)) == 0
  }
  const offset = <usize>load<u32>(index + (<usize>group << 4))
  if (offset >= end - start) return false
  const length = <usize>varint(start + offset + 1)
  const at = behindNumber
  let isAlike = length >= dead && at <= end && length <= end - at
  for (let i: usize = 0; isAlike && i < dead; i++)
    isAlike = load<u8>(at + i) == load<u8>(term + i)
  return isAlike
}

/** The last group that begins with the dead prefix, of those from `group` on; `group` if none does. */
function passAlike(group: i32, groupCount: i32): i32 {
  if (!beginsAlike(group, groupCount)) return group
  let low = group
  let step = 1
  while (beginsAlike(low + step, groupCount)) {
    low += step
    step <<= 1
  }
  // Those of the sought prefix are neighbours: a group that does not begin so is behind them.
  let high = low + step
  while (high - low > 1) {
    const middle = low + ((high - low) >> 1)
    if (beginsAlike(middle, groupCount)) low = middle
    else high = middle
  }
  return low
}

function addOrd(first: usize, out: usize, ord: i32): usize {
  if (out > first && load<i32>(out - 4) == ord) {
    store<i32>(out - 4, ord + 1)
    return out
  }
  store<i32>(out, ord)
  store<i32>(out, ord + 1, 4)
  return out + 8
}

function tell(out: usize, ord: i32, docFreq: u64, length: usize): usize {
  store<i32>(out, ord)
  store<i32>(out, state, 4)
  store<u32>(out, <u32>min(docFreq, 0x7fffffff), 8)
  store<u32>(out, <u32>length, 12)
  out += TOLD_HEAD
  if (length > TOLD_BYTES) return out
  for (let i: usize = 0; i < length; i++) store<u8>(out + i, load<u8>(term + i))
  return out + ((length + 3) & ~3)
}

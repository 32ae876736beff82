/**
 * Inverts the words of a text into a field of a write buffer: split, lowercased, looked up in the
 * field's terms and logged, in one pass over the bytes. The formats of a field's record, its table
 * and its log are those of `indexing/term-log.ts`.
 *
 * A word here is a run of ASCII letters and digits that the standard tokenizer would end at the
 * same bytes; at any other token the walk stops, and the caller's automaton takes over.
 */

/** Byte offsets in a field's record. */
const TABLE: usize = 0
const SHIFT: usize = 4
const COUNT: usize = 8
const BYTES: usize = 12
const BYTES_CAPACITY: usize = 16
const OFFSETS: usize = 20
const TERMS_CAPACITY: usize = 24
const LOG: usize = 28
const LOG_LENGTH: usize = 32
const HAS_POSITIONS: usize = 36
const LAST_POSITION: usize = 40
const LENGTH: usize = 44

/** A table entry: the term's first eight bytes, its length, its number + 1 (0: free). */
const ENTRY_BITS: u32 = 4

/**
 * Classes of bytes, in `classes`, which the caller fills: a word of letters and digits ends here.
 */
const ENDS: u32 = 1
/** … unless a letter or digit follows. */
const ENDS_UNLESS_JOINED: u32 = 2
/** No token starts here. */
const STARTS_NONE: u32 = 4
/** … unless a non-ASCII byte follows. */
const STARTS_NONE_IN_ASCII: u32 = 8

let seed: u64 = 0
let factor: u64 = 1

/**
 * Called to enlarge a field, which sets its record.
 * @param isTable 1: a zeroed table of twice the size; 0: one more term of `bytes` more bytes
 */
@external('env', 'makeRoom')
declare function makeRoom(field: usize, isTable: i32, bytes: u32): void

/** Seeds this instance's hash, so that documents cannot provoke collisions. */
export function seedHash(a: u32, b: u32, c: u32): void {
  seed = (<u64>a << 32) | b
  factor = ((<u64>b << 32) | c) | 1
}

function mix(hash: u64, word: u64): u64 {
  const product = (hash ^ word) * factor
  return (product ^ (product >> 32)) * 0x9e3779b97f4a7c15
}

/** Up to eight bytes from `at`, zero padded; eight must be readable. */
function head(at: usize, length: u32): u64 {
  const word = load<u64>(at)
  return length >= 8 ? word : word & (((<u64>1) << ((<u64>length) << 3)) - 1)
}

function hashOf(at: usize, length: u32, first: u64): u64 {
  let hash = mix(seed ^ length, first)
  for (let i: u32 = 8; i < length; i += 8) hash = mix(hash, head(at + i, length - i))
  return hash
}

/** Whether two byte strings are equal behind their first eight bytes; up to 7 more are read. */
function endsAlike(a: usize, b: usize, length: u32): bool {
  for (let i: u32 = 8; i < length; i += 8) {
    const rest = length - i
    if (head(a + i, rest) != head(b + i, rest)) return false
  }
  return true
}

/** The first free entry for a hash. */
function freeEntry(field: usize, hash: u64): usize {
  const shift = <u64>load<u32>(field, SHIFT)
  const mask = ((<u64>1) << (64 - shift)) - 1
  const table = <usize>load<u32>(field, TABLE)
  let slot = hash >> shift
  while (load<u32>(table + (<usize>slot << ENTRY_BITS), 12) != 0) slot = (slot + 1) & mask
  return table + (<usize>slot << ENTRY_BITS)
}

function fillEntry(entry: usize, first: u64, length: u32, number: u32): void {
  store<u64>(entry, first)
  store<u32>(entry, length, 8)
  store<u32>(entry, number, 12)
}

/** Fills an empty table from the terms. */
function fillTable(field: usize): void {
  const bytes = <usize>load<u32>(field, BYTES)
  const count = load<u32>(field, COUNT)
  let offset = <usize>load<u32>(field, OFFSETS)
  for (let term: u32 = 0; term < count; term++, offset += 4) {
    const from = load<u32>(offset)
    const length = load<u32>(offset, 4) - from
    const first = head(bytes + from, length)
    fillEntry(freeEntry(field, hashOf(bytes + from, length, first)), first, length, term + 1)
  }
}

/** Appends a term and enters it at a free entry, after enlarging a full table. */
function addTerm(
  field: usize, at: usize, length: u32, first: u64, hash: u64, entry: usize,
): u32 {
  const term = load<u32>(field, COUNT)
  const from = load<u32>(load<u32>(field, OFFSETS) + (term << 2))
  // 16 spare: bytes are copied, and later read, eight at a time.
  if (
    term + 2 > load<u32>(field, TERMS_CAPACITY) ||
    from + length + 16 > load<u32>(field, BYTES_CAPACITY)
  )
    makeRoom(field, 0, length)
  const slots: u64 = (<u64>1) << (64 - <u64>load<u32>(field, SHIFT))
  let free = entry
  if (<u64>(term + 1) * 3 > slots * 2) {
    makeRoom(field, 1, 0)
    fillTable(field)
    free = freeEntry(field, hash)
  }
  const to = <usize>load<u32>(field, BYTES) + from
  for (let i: u32 = 0; i < length; i += 8) store<u64>(to + i, load<u64>(at + i))
  store<u32>(load<u32>(field, OFFSETS) + (term << 2), from + length, 4)
  fillEntry(free, first, length, term + 1)
  store<u32>(field, term + 1, COUNT)
  return term
}

/**
 * The number of the term of `length` bytes at `at`, added if it is new. Reads up to 15 bytes behind
 * it.
 */
export function findTerm(field: usize, at: usize, length: u32): u32 {
  const first = head(at, length)
  const hash = hashOf(at, length, first)
  const shift = <u64>load<u32>(field, SHIFT)
  const mask = ((<u64>1) << (64 - shift)) - 1
  const table = <usize>load<u32>(field, TABLE)
  let slot = hash >> shift
  let entry = table + (<usize>slot << ENTRY_BITS)
  let number = load<u32>(entry, 12)
  while (number != 0) {
    if (load<u64>(entry) == first && load<u32>(entry, 8) == length) {
      if (length <= 8) return number - 1
      const offset = load<u32>(load<u32>(field, OFFSETS) + ((number - 1) << 2))
      if (endsAlike(at, load<u32>(field, BYTES) + offset, length)) return number - 1
    }
    slot = (slot + 1) & mask
    entry = table + (<usize>slot << ENTRY_BITS)
    number = load<u32>(entry, 12)
  }
  return addTerm(field, at, length, first, hash, entry)
}

/** Sixteen bytes with ASCII letters lowercased. */
function lowered(text: v128): v128 {
  const isUpper = i8x16.lt_u(i8x16.sub(text, i8x16.splat(0x41)), i8x16.splat(26))
  return v128.or(text, v128.and(isUpper, i8x16.splat(0x20)))
}

/** A bit for each of 16 lowercased bytes that is a letter or digit. */
function wordBits(lower: v128): u64 {
  const isLetter = i8x16.lt_u(i8x16.sub(lower, i8x16.splat(0x61)), i8x16.splat(26))
  const isDigit = i8x16.lt_u(i8x16.sub(lower, i8x16.splat(0x30)), i8x16.splat(10))
  return <u64>i8x16.bitmask(v128.or(isLetter, isDigit)) & 0xffff
}

/** The same for 64 bytes, lowercased into `out`. */
function wordBits64(at: usize, out: usize): u64 {
  const a = lowered(v128.load(at))
  const b = lowered(v128.load(at, 16))
  const c = lowered(v128.load(at, 32))
  const d = lowered(v128.load(at, 48))
  v128.store(out, a)
  v128.store(out, b, 16)
  v128.store(out, c, 32)
  v128.store(out, d, 48)
  return wordBits(a) | (wordBits(b) << 16) | (wordBits(c) << 32) | (wordBits(d) << 48)
}

/**
 * Adds words from `from` on, each one position after the previous one.
 *
 * @param field   its log must have room for half of the text's bytes and two more
 * @param end     of the text, behind which 64 bytes are readable
 * @param classes 256 byte classes: `ENDS` and the others
 * @param scratch 96 bytes
 * @param position of the previous token; the record receives that of the last word
 * @returns `end`, or the start of a token that is not such a word
 */
export function invertWords(
  field: usize, from: usize, end: usize, classes: usize, scratch: usize, position: i32,
): usize {
  const log = <usize>load<u32>(field, LOG)
  const first = position + 1
  const start = load<u32>(field, LOG_LENGTH)
  let to = log + (<usize>start << 2)
  if (load<u32>(field, HAS_POSITIONS)) {
    const increment = first - load<i32>(field, LAST_POSITION)
    // The marker precedes the first word; it is removed when there is none.
    if (increment != 1) {
      store<i32>(to, -1 - increment)
      to += 4
    }
  }
  const words = to
  let at = from
  let stop = false
  while (at < end && !stop) {
    let bits = wordBits64(at, scratch)
    const left = end - at
    if (left < 64) bits &= ((<u64>1) << (<u64>left)) - 1
    let next: u64 = 0
    // Bytes of these 64 that are done; a word at their end is read again.
    let done: u64 = 0
    for (;;) {
      const rest = bits >> done
      // A byte before the next word may itself start a token.
      const gap: u64 = rest == 0 ? 64 - done : <u64>ctz(rest)
      const limit: u64 = min<u64>(done + gap, <u64>left)
      next = done
      while (next < limit) {
        const byte = at + <usize>next
        const kind = <u32>load<u8>(classes + load<u8>(byte))
        if (!(kind & STARTS_NONE)) {
          if (!(kind & STARTS_NONE_IN_ASCII) || (byte + 1 < end && load<u8>(byte, 1) > 127)) break
        }
        next++
      }
      if (next < limit) {
        stop = true
        break
      }
      if (rest == 0 || next >= <u64>left) break
      const length: u64 = <u64>ctz(~(bits >> next))
      if (next + length == 64 && left > 64) {
        // The word's end is not within these 64 bytes: read again from its start, unless this was
        // its start.
        stop = next == 0
        break
      }
      const behind = at + <usize>(next + length)
      if (behind < end) {
        const kind = <u32>load<u8>(classes + load<u8>(behind))
        if (!(kind & ENDS)) {
          const after = behind + 1
          if (
            !(kind & ENDS_UNLESS_JOINED) ||
            (after < end && !(load<u8>(classes + load<u8>(after)) & (ENDS | ENDS_UNLESS_JOINED)))
          ) {
            stop = true
            break
          }
        }
      }
      store<u32>(to, findTerm(field, scratch + <usize>next, <u32>length))
      to += 4
      done = next + length
      next = done
      if (done >= 64) break
    }
    at += <usize>min<u64>(next, <u64>left)
  }
  const count = <i32>((to - words) >> 2)
  if (count == 0) return at
  store<u32>(field, <u32>((to - log) >> 2), LOG_LENGTH)
  // The first one is stacked if it shares the previous token's position.
  const isStacked = load<i32>(field, LAST_POSITION) == first
  store<i32>(field, load<i32>(field, LENGTH) + count - (isStacked ? 1 : 0), LENGTH)
  store<i32>(field, first + count - 1, LAST_POSITION)
  return at
}

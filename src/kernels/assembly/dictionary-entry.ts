/** The entries of a dictionary's groups, as `codec/terms/format.ts` draws them. */

export const HAS_FREQS: u32 = 1
export const HAS_POSITIONS: u32 = 2
export const HAS_IMPACTS: u32 = 4
export const HAS_POSTINGS: u32 = 8
export const GROUP_TERMS: i32 = 32
export const BLOCK_DOCS: u32 = 128

/** The highest bit of each byte: unset where a varint ends. */
const VARINT_ENDS: u64 = 0x8080808080808080

/** Address behind the varint that `varint` read last. */
export let behindNumber: usize = 0
/** Document frequency of the entry that `behindData` passed last. */
export let docFreq: u64 = 0

/** A varint below 2⁴⁹: reads max seven bytes, corrupt or not. */
export function varint(from: usize): u64 {
  let at = from
  let byte = <u64>load<u8>(at++)
  if (byte < 0x80) {
    behindNumber = at
    return byte
  }
  let value = byte & 0x7f
  for (let shift: u64 = 7; shift < 49; shift += 7) {
    byte = <u64>load<u8>(at++)
    value |= (byte & 0x7f) << shift
    if (byte < 0x80) break
  }
  behindNumber = at
  return value
}

/**
 * The address behind an entry.
 * @param from behind the term's bytes
 * @param end  of the section; up to 48 bytes past it are read
 * @returns an address past `end` where the bytes are corrupt
 */
@inline export function behindData(from: usize, end: usize, flags: u32): usize {
  docFreq = <u64>load<u8>(from)
  if (!(flags & HAS_POSTINGS) && docFreq < 0x80) return from + 1
  // Where the varints of an entry of one document end, if they lie in eight bytes.
  const lasts = from + 8 <= end ? ~load<u64>(from) & VARINT_ENDS : 0
  const bytesBehind: usize = flags & HAS_POSITIONS ? 1 : 0
  if (docFreq == 1 && popcnt(lasts) > 2) {
    const second = lasts & (lasts - 1)
    const last = flags & HAS_FREQS ? second & (second - 1) : second
    return from + <usize>(ctz(last) >> 3) + 1 + bytesBehind + (flags & HAS_IMPACTS ? 1 : 0)
  }
  if (docFreq - 2 < <u64>BLOCK_DOCS - 2 && popcnt(lasts) > 1) {
    const last = flags & HAS_FREQS ? lasts & (lasts - 1) : lasts
    const next = from + <usize>(ctz(last) >> 3) + 1 + (flags & HAS_IMPACTS ? 4 : 0)
    if (next + 8 > end) return end + 1
    return next + <usize>(ctz(~load<u64>(next) & VARINT_ENDS) >> 3) + 1 + bytesBehind
  }
  return behindAny(from, flags)
}

/** The same for entries of any size. */
function behindAny(from: usize, flags: u32): usize {
  docFreq = varint(from)
  const count = docFreq
  if (!(flags & HAS_POSTINGS)) return behindNumber
  if (count == 1) varint(behindNumber)
  if (flags & HAS_FREQS) varint(behindNumber)
  if (flags & HAS_IMPACTS) behindNumber += count == 1 ? 1 : 4
  if (count < <u64>BLOCK_DOCS) {
    if (count != 1) varint(behindNumber)
    if (flags & HAS_POSITIONS) behindNumber++
  }
  return behindNumber
}

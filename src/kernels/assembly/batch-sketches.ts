/** Sketches of the values of a batch in one owning bucket: registers of hashes, and cells of numbers. */
import {
  BASE,
  COUNTS,
  DOUBLES,
  ENCODING,
  KEYS,
  MINS,
  PRECISION,
  REGISTERS,
  SCALE,
  SHIFT,
} from './batch-record'
import { groupValues, nextGroup, openValues } from './batch-values'
import { decodeDoubles, RAW } from './column-batch'

/**
 * Notes the hashes of a record's batch in HyperLogLog registers: each holds the longest run of zeros,
 * plus one, of the hashes whose first bits are its index.
 */
export function noteHashes(record: usize): void {
  openValues(record)
  const registers = load<usize>(record, REGISTERS)
  const precision = <u64>load<u32>(record, PRECISION)
  const encoding = load<i32>(record, ENCODING)
  const scale = load<f64>(record, SCALE)
  const values = groupValues()
  // A run ends with the hash: the bit behind its last one counts as set.
  const sentinel = ((<u64>1) << precision) >> 1
  for (let size = nextGroup(); size > 0; size = nextGroup()) {
    if (encoding != RAW) decodeDoubles(values, size, values, encoding, scale)
    const end = values + (<usize>size << 3)
    let at = values
    // Two at a time: their multiplications do not wait for one another.
    for (; at + 16 <= end; at += 16) {
      const first = mix(load<u64>(at))
      const second = mix(load<u64>(at, 8))
      noteHash(registers, first, precision, sentinel)
      noteHash(registers, second, precision, sentinel)
    }
    if (at < end) noteHash(registers, mix(load<u64>(at)), precision, sentinel)
  }
}

@inline function noteHash(registers: usize, hash: u64, precision: u64, sentinel: u64): void {
  const register = registers + <usize>(hash >> (64 - precision))
  const run = <u32>clz<u64>((hash << precision) | sentinel) + 1
  // Written each time: a branch would be mispredicted too often.
  store<u8>(register, <u8>max(run, <u32>load<u8>(register)))
}

/** `mix64` of `util/word64.ts`. */
@inline function mix(value: u64): u64 {
  let hash = value
  hash = (hash ^ (hash >> 32)) * 0x4cd6944c5cc20b6d
  hash = (hash ^ (hash >> 29)) * 0xfc12c5b19d3259e9
  return hash ^ (hash >> 32)
}

/** The encoding of sortable doubles. */
const SORTABLE: i32 = 1

/**
 * Counts numbers by cell, and notes the extremes of each as sortable integers, side by side: numbers of a
 * cell agree but for their lowest bits. Numbers outside of the cells are listed.
 * @returns how many those are
 */
export function countCells(at: usize): i32 {
  openValues(at)
  const counts = load<usize>(at, COUNTS)
  const extremes = load<usize>(at, MINS)
  const cells = load<u32>(at, KEYS)
  const base = load<i64>(at, BASE)
  const level = <i64>load<i32>(at, SHIFT)
  const encoding = load<i32>(at, ENCODING)
  const scale = load<f64>(at, SCALE)
  const values = groupValues()
  const others = load<usize>(at, DOUBLES)
  let out: usize = 0
  for (let size = nextGroup(); size > 0; size = nextGroup()) {
    if (encoding != SORTABLE) {
      decodeDoubles(values, size, values, encoding, scale)
      // A double and its sortable integer turn into one another.
      decodeDoubles(values, size, values, SORTABLE, 1)
    }
    for (let i: usize = 0; i < <usize>size << 3; i += 8) {
      const value = load<i64>(values + i)
      const cell = <u64>((value >> level) - base)
      if (cell >= <u64>cells) {
        store<i64>(others + out, value ^ ((value >> 63) & 0x7fffffffffffffff))
        out += 8
        continue
      }
      const count = counts + (<usize>cell << 2)
      store<u32>(count, load<u32>(count) + 1)
      const least = extremes + (<usize>cell << 4)
      if (value < load<i64>(least)) store<i64>(least, value)
      if (value > load<i64>(least, 8)) store<i64>(least, value, 8)
    }
  }
  return <i32>(out >> 3)
}

/**
 * Scores of a cursor's documents in the steps of `search/similarity/bm25.ts`, each rounded to
 * float32 as there.
 */
import { countScored } from './counters'
import { DOCS, FREQS, INVERSE, isConstant, NO_NORM_CODE, NORMS, WEIGHT } from './cursor'
import { decodeFreqsAt, decodeFreqsOf } from './cursor-blocks'

/** BM25 of `freq` in a document of the cursor's field, float32. */
@inline export function scoreOf(c: usize, weight: f32, freq: f32, doc: i32): f32 {
  countScored(1)
  const norms = load<usize>(c, NORMS)
  const code = norms ? <usize>load<u8>(norms + <usize>doc) : NO_NORM_CODE
  const inverse = load<f32>(load<usize>(c, INVERSE) + (code << 2))
  return weight - weight / (<f32>1 + freq * inverse)
}

/** The frequency of a decoded slot; frequencies must be decoded. */
@inline export function freqAt(c: usize, slot: i32): i32 {
  return load<i32>(load<usize>(c, FREQS) + ((<usize>slot) << 2))
}

/** The score of a decoded slot; frequencies must be decoded unless the score is constant. */
@inline export function scoreAt(c: usize, slot: i32, doc: i32): f32 {
  if (isConstant(c)) return load<f32>(c, WEIGHT)
  return scoreOf(c, load<f32>(c, WEIGHT), <f32>freqAt(c, slot), doc)
}

/**
 * Writes the scores of the decoded block's slots [from, to) to `out`, rounded out to groups of
 * four.
 */
export function scoreSlots(c: usize, from: i32, to: i32, out: usize): void {
  const weight = f32x4.splat(load<f32>(c, WEIGHT))
  let at = (<usize>(from & ~3)) << 2
  const end = (<usize>to) << 2
  if (isConstant(c)) {
    for (; at < end; at += 16) v128.store(out + at, weight)
    return
  }
  countScored(to - from)
  decodeFreqsOf(c)
  const docs = load<usize>(c, DOCS)
  const freqs = load<usize>(c, FREQS)
  const norms = load<usize>(c, NORMS)
  const inverse = load<usize>(c, INVERSE)
  const one = f32x4.splat(1)
  if (!norms) {
    const same = f32x4.splat(load<f32>(inverse + (NO_NORM_CODE << 2)))
    for (; at < end; at += 16) {
      const x = f32x4.mul(f32x4.convert_i32x4_s(v128.load(freqs + at)), same)
      v128.store(out + at, f32x4.sub(weight, f32x4.div(weight, f32x4.add(one, x))))
    }
    return
  }
  for (; at < end; at += 16) {
    const a = (<usize>load<u8>(norms + load<u32>(docs + at))) << 2
    const b = (<usize>load<u8>(norms + load<u32>(docs + at, 4))) << 2
    const d = (<usize>load<u8>(norms + load<u32>(docs + at, 8))) << 2
    const e = (<usize>load<u8>(norms + load<u32>(docs + at, 12))) << 2
    let inv = v128.load32_zero(inverse + a)
    inv = v128.load_lane<f32>(inverse + b, inv, 1)
    inv = v128.load_lane<f32>(inverse + d, inv, 2)
    inv = v128.load_lane<f32>(inverse + e, inv, 3)
    const x = f32x4.mul(f32x4.convert_i32x4_s(v128.load(freqs + at)), inv)
    v128.store(out + at, f32x4.sub(weight, f32x4.div(weight, f32x4.add(one, x))))
  }
}

/**
 * Writes the scores of `count` documents at the given slots of the block to `out`, rounded up to a
 * group of four.
 */
export function scoreList(
  c: usize, block: i32, docs: usize, slots: usize, count: i32, out: usize,
): void {
  const weight = f32x4.splat(load<f32>(c, WEIGHT))
  const end = (<usize>count) << 2
  if (isConstant(c)) {
    for (let i: usize = 0; i < end; i += 16) v128.store(out + i, weight)
    return
  }
  countScored(count)
  decodeFreqsAt(c, block)
  inversesOf(c, docs, count, out)
  const freqs = load<usize>(c, FREQS)
  const one = f32x4.splat(1)
  for (let i: usize = 0; i < end; i += 16) {
    // Slots behind the last one are undefined: mask them to stay within the block.
    let freq = v128.load32_zero(freqs + ((load<u32>(slots + i) & 127) << 2))
    freq = v128.load_lane<i32>(freqs + ((load<u32>(slots + i, 4) & 127) << 2), freq, 1)
    freq = v128.load_lane<i32>(freqs + ((load<u32>(slots + i, 8) & 127) << 2), freq, 2)
    freq = v128.load_lane<i32>(freqs + ((load<u32>(slots + i, 12) & 127) << 2), freq, 3)
    const x = f32x4.mul(f32x4.convert_i32x4_s(freq), v128.load(out + i))
    v128.store(out + i, f32x4.sub(weight, f32x4.div(weight, f32x4.add(one, x))))
  }
}

/** Whether two cursors' documents have the same inverse norms. */
@inline export function sharesNorms(c: usize, other: usize): bool {
  return (
    load<usize>(c, NORMS) == load<usize>(other, NORMS) &&
    load<usize>(c, INVERSE) == load<usize>(other, INVERSE)
  )
}

/**
 * The inverse norms of `count` documents, float32; the last group of four is padded with undefined
 * values.
 */
export function inversesOf(c: usize, docs: usize, count: i32, out: usize): void {
  const end = (<usize>count) << 2
  const norms = load<usize>(c, NORMS)
  const inverse = load<usize>(c, INVERSE)
  if (!norms) {
    const same = f32x4.splat(load<f32>(inverse + (NO_NORM_CODE << 2)))
    for (let i: usize = 0; i < end; i += 16) v128.store(out + i, same)
    return
  }
  for (let i: usize = 0; i < end; i += 4) {
    const code = <usize>load<u8>(norms + load<u32>(docs + i))
    store<f32>(out + i, load<f32>(inverse + (code << 2)))
  }
}

/** The frequencies at `count` ascending posting ords: block · 128 + slot. */
export function freqsAt(c: usize, ords: usize, count: i32, out: usize): void {
  const freqs = load<usize>(c, FREQS)
  const end = (<usize>count) << 2
  for (let i: usize = 0; i < end; ) {
    const block = load<u32>(ords + i) >> 7
    decodeFreqsAt(c, block)
    for (; i < end; i += 4) {
      const ord = load<u32>(ords + i)
      if (ord >> 7 != block) break
      store<i32>(out + i, load<i32>(freqs + ((<usize>(ord & 127)) << 2)))
    }
  }
}

/**
 * Writes the scores of `count` documents at the given posting ords to `out`, rounded up to a group
 * of four.
 * @param inverses temporary buffer of as many words
 */
export function scoreOrds(
  c: usize, docs: usize, ords: usize, count: i32, inverses: usize, out: usize,
): void {
  const weight = f32x4.splat(load<f32>(c, WEIGHT))
  const end = (<usize>count) << 2
  if (isConstant(c)) {
    for (let i: usize = 0; i < end; i += 16) v128.store(out + i, weight)
    return
  }
  countScored(count)
  inversesOf(c, docs, count, inverses)
  freqsAt(c, ords, count, out)
  const one = f32x4.splat(1)
  for (let i: usize = 0; i < end; i += 16) {
    const x = f32x4.mul(f32x4.convert_i32x4_s(v128.load(out + i)), v128.load(inverses + i))
    v128.store(out + i, f32x4.sub(weight, f32x4.div(weight, f32x4.add(one, x))))
  }
}

/** Adds the scores of `count` frequencies to f64 sums, rounded up to a group of four. */
export function addScores(c: usize, freqs: usize, inverses: usize, count: i32, sums: usize): void {
  countScored(count)
  const weight = f32x4.splat(load<f32>(c, WEIGHT))
  const one = f32x4.splat(1)
  const end = (<usize>count) << 2
  for (let i: usize = 0; i < end; i += 16) {
    const x = f32x4.mul(f32x4.convert_i32x4_s(v128.load(freqs + i)), v128.load(inverses + i))
    const score = f32x4.sub(weight, f32x4.div(weight, f32x4.add(one, x)))
    const at = sums + (i << 1)
    v128.store(at, f64x2.add(v128.load(at), f64x2.promote_low_f32x4(score)))
    const high = f64x2.promote_low_f32x4(v128.shuffle<i32>(score, score, 2, 3, 2, 3))
    v128.store(at, f64x2.add(v128.load(at, 16), high), 16)
  }
}

/**
 * Bounds of what a query's vector and others are to each other, by their codes. Four vectors are bounded at a
 * time: each register of the query's codes is read once for all of them, and their sums fill one register.
 *
 * A vector is passed over where a sum is at most a limit, both made by `search/vector/score-bounds.ts`, which
 * tells why. All steps are in float32, whose rounding the factors allow for. Most vectors are passed over by their
 * first codes and the length of the last ones; last codes are read of the vectors alone that are left.
 */

// Offsets of the record, which `search/vector/score-bounds.ts` writes.
/** Codes of the query, two bytes for each component. */
const QUERY: usize = 0
const CODES: usize = 4
/** Bytes of a row of first codes, a multiple of 16. */
const FIRST_BYTES: usize = 8
/** Numbers of the vectors, u32 each; 0: a run of vectors. */
const ORDS: usize = 12
/** The first vector of a run. */
const FIRST: usize = 16
const COUNT: usize = 20
/** Receives the numbers of the vectors that are not passed over, u32 each, in order. */
const KEPT: usize = 24
/** f32 for each vector: the value of one step of its codes, and a bound of what they leave out. */
const QUANTA: usize = 28
/** f32 for each vector: the sum of its squares. */
const SQUARES: usize = 32
/** f32: the value of one step of the query's codes. */
const STEP: usize = 36
// f32: the factors of what a vector's codes leave out, of its length, and of its square; and the limit.
const OF_REST: usize = 40
const OF_LENGTH: usize = 44
const OF_SQUARE: usize = 48
const LIMIT: usize = 52
/** f32: the factor of the length of a vector's last codes. */
const OF_TAIL: usize = 56
/** Whether all codes of a vector are compared at once, not the first ones first. */
const AT_ONCE: usize = 60
/** Whether a vector's quanta are four: its step, what its codes leave out, the length of its last codes, its square. */
const HAS_TAILS: usize = 64
/** Receives how many vectors the first codes leave. */
const LEFT: usize = 68
/** Receives the products of the codes of what is kept, i32 each. */
const PRODUCTS: usize = 72
/** The last codes of each vector, and bytes of a row of them, a multiple of 16; 0: there are none. */
const LAST_CODES: usize = 76
const LAST_BYTES: usize = 80

// Squares beyond these are not compared: errors of float32 are not relative to what they are errors of.
const LEAST_SQUARE: f32 = 1e-30
const MOST_SQUARE: f32 = 1e30

@inline function addProducts(sum: v128, low: v128, high: v128, codes: usize): v128 {
  return i32x4.add(
    sum,
    i32x4.add(
      i32x4.dot_i16x8_s(low, v128.load_ext<i8>(codes)),
      i32x4.dot_i16x8_s(high, v128.load_ext<i8>(codes, 8)),
    ),
  )
}

/** The sums of four registers. */
@inline function sumsOf(s0: v128, s1: v128, s2: v128, s3: v128): v128 {
  const ab = i32x4.add(
    v128.shuffle<i32>(s0, s1, 0, 4, 1, 5),
    v128.shuffle<i32>(s0, s1, 2, 6, 3, 7),
  )
  const cd = i32x4.add(
    v128.shuffle<i32>(s2, s3, 0, 4, 1, 5),
    v128.shuffle<i32>(s2, s3, 2, 6, 3, 7),
  )
  return i32x4.add(v128.shuffle<i32>(ab, cd, 0, 1, 4, 5), v128.shuffle<i32>(ab, cd, 2, 3, 6, 7))
}

/**
 * The products of a row of 16-bit integers and four of bytes.
 * @param bytes of a row of bytes, a multiple of 16
 */
@inline export function dotFour(
  wide: usize, a: usize, b: usize, c: usize, d: usize, bytes: usize,
): v128 {
  let s0 = i32x4.splat(0)
  let s1 = i32x4.splat(0)
  let s2 = i32x4.splat(0)
  let s3 = i32x4.splat(0)
  const end = wide + (bytes << 1)
  for (; wide < end; wide += 32, a += 16, b += 16, c += 16, d += 16) {
    const low = v128.load(wide)
    const high = v128.load(wide, 16)
    s0 = addProducts(s0, low, high, a)
    s1 = addProducts(s1, low, high, b)
    s2 = addProducts(s2, low, high, c)
    s3 = addProducts(s3, low, high, d)
  }
  return sumsOf(s0, s1, s2, s3)
}

/**
 * The same of rows that lie in two parts.
 * @param first address of the first parts, `bytes` of each row
 * @param last  that of the others, `lastBytes` of each row
 */
@inline export function dotFourParts(
  wide: usize, first: usize, bytes: usize, last: usize, lastBytes: usize,
  a: u32, b: u32, c: u32, d: u32,
): v128 {
  return i32x4.add(
    dotFour(
      wide,
      first + <usize>a * bytes,
      first + <usize>b * bytes,
      first + <usize>c * bytes,
      first + <usize>d * bytes,
      bytes,
    ),
    dotFour(
      wide + (bytes << 1),
      last + <usize>a * lastBytes,
      last + <usize>b * lastBytes,
      last + <usize>c * lastBytes,
      last + <usize>d * lastBytes,
      lastBytes,
    ),
  )
}

/** Four float32 in the order of their vectors. */
@inline export function gather(at: usize, shift: u32, a: u32, b: u32, c: u32, d: u32): v128 {
  let four = f32x4.splat(load<f32>(at + (<usize>a << shift)))
  four = f32x4.replace_lane(four, 1, load<f32>(at + (<usize>b << shift)))
  four = f32x4.replace_lane(four, 2, load<f32>(at + (<usize>c << shift)))
  return f32x4.replace_lane(four, 3, load<f32>(at + (<usize>d << shift)))
}

/** Vectors of a list whose codes are asked for together: the most, and so many bytes that a cache holds them. */
const MOST_ASKED: u32 = 64
const ASKED_BYTES: usize = 24 << 10
/** Bytes that come from memory at once. */
const LINE: usize = 64
/** Keeps the reads of `askFor` alive. */
let touched: u32 = 0

/**
 * Reads a little of the codes of vectors that lie anywhere, so that all are on their way from memory before the first
 * is compared: a processor looks no further ahead than the next few of them.
 */
@inline function askFor(codes: usize, bytes: usize, ords: usize, from: u32, to: u32): void {
  for (let i = from; i < to; i++) {
    const row = codes + <usize>load<u32>(ords + (<usize>i << 2)) * bytes
    for (let line: usize = 0; line < bytes; line += LINE) touched += load<u32>(row + line)
  }
}

/** Lists the vectors that are not passed over. @returns how many */
export function boundVectors(at: usize): u32 {
  const isAtOnce = load<u32>(at, AT_ONCE) != 0 || load<usize>(at, LAST_BYTES) == 0
  const left = boundPart(at, true, isAtOnce, load<usize>(at, ORDS), load<u32>(at, COUNT))
  store<u32>(at, left, LEFT)
  return isAtOnce ? left : boundPart(at, false, true, load<usize>(at, KEPT), left)
}

/** Writes a vector, and moves on behind it where the lowest bit is set. */
@inline function keepIf(
  bit: i32, found: usize, kept: usize, ord: u32, products: usize, product: i32,
): usize {
  store<u32>(kept + found, ord)
  store<i32>(products + found, product)
  return found + (<usize>(bit & 1) << 2)
}

/**
 * Lists the vectors that their first codes, or all of them, do not pass over.
 * @param readsFirst false: the products of the first codes are there
 * @param readsLast  whether the last codes are read too
 * @param ords the vectors' numbers, which may lie where those that are left are written
 * @returns how many are left
 */
function boundPart(at: usize, readsFirst: bool, readsLast: bool, ords: usize, count: u32): u32 {
  const query = load<usize>(at, QUERY)
  const codes = load<usize>(at, CODES)
  const firstBytes = load<usize>(at, FIRST_BYTES)
  const ownQuery = readsFirst ? query : query + (firstBytes << 1)
  const lastCodes = load<usize>(at, LAST_CODES)
  const lastBytes = readsLast ? load<usize>(at, LAST_BYTES) : 0
  const first = load<u32>(at, FIRST)
  const quanta = load<usize>(at, QUANTA)
  const squares = load<usize>(at, SQUARES)
  const hasTails = load<u32>(at, HAS_TAILS) != 0
  const ownStep = f32x4.splat(load<f32>(at, STEP))
  const ofRest = f32x4.splat(load<f32>(at, OF_REST))
  const ofLength = f32x4.splat(load<f32>(at, OF_LENGTH))
  const ofSquare = f32x4.splat(load<f32>(at, OF_SQUARE))
  const ofTail = f32x4.splat(readsLast ? 0 : load<f32>(at, OF_TAIL))
  const limit = f32x4.splat(load<f32>(at, LIMIT))
  const products = load<usize>(at, PRODUCTS)
  const kept = load<usize>(at, KEPT)
  const ownCodes = readsFirst ? codes : lastCodes
  const readsBoth = readsFirst && lastBytes > 0
  const bytes = (readsFirst ? firstBytes : 0) + lastBytes
  const together = max(4, min(MOST_ASKED, <u32>(ASKED_BYTES / bytes)) & ~3)
  let found: usize = 0
  let asked: u32 = 0
  for (let i: u32 = 0; i < count; i += 4) {
    if (ords && i >= asked) {
      asked = min(i + together, count)
      if (readsFirst) {
        askFor(codes, firstBytes, ords, i, asked)
        askFor(quanta, hasTails ? 16 : 8, ords, i, asked)
      }
      if (lastBytes) askFor(lastCodes, lastBytes, ords, i, asked)
    }
    let a = first + i
    let b = a + 1
    let c = a + 2
    let d = a + 3
    if (ords) {
      const four = ords + (<usize>i << 2)
      a = load<u32>(four)
      b = load<u32>(four, 4)
      c = load<u32>(four, 8)
      d = load<u32>(four, 12)
    }
    // The first one stands in for those that are missing of four.
    if (count - i < 4) {
      d = a
      if (count - i < 3) c = a
      if (count - i < 2) b = a
    }
    let dots: v128
    if (readsBoth) dots = dotFourParts(query, codes, firstBytes, lastCodes, lastBytes, a, b, c, d)
    else
      dots = dotFour(
        ownQuery,
        ownCodes + <usize>a * bytes,
        ownCodes + <usize>b * bytes,
        ownCodes + <usize>c * bytes,
        ownCodes + <usize>d * bytes,
        bytes,
      )
    if (!readsFirst) dots = i32x4.add(dots, v128.load(products + (<usize>i << 2)))
    let steps: v128
    let rests: v128
    let square: v128
    let tails = f32x4.splat(0)
    if (hasTails) {
      const ofA = v128.load(quanta + (<usize>a << 4))
      const ofB = v128.load(quanta + (<usize>b << 4))
      const ofC = v128.load(quanta + (<usize>c << 4))
      const ofD = v128.load(quanta + (<usize>d << 4))
      const ab = v128.shuffle<i32>(ofA, ofB, 0, 4, 1, 5)
      const cd = v128.shuffle<i32>(ofC, ofD, 0, 4, 1, 5)
      const abLast = v128.shuffle<i32>(ofA, ofB, 2, 6, 3, 7)
      const cdLast = v128.shuffle<i32>(ofC, ofD, 2, 6, 3, 7)
      steps = v128.shuffle<i32>(ab, cd, 0, 1, 4, 5)
      rests = v128.shuffle<i32>(ab, cd, 2, 3, 6, 7)
      tails = v128.shuffle<i32>(abLast, cdLast, 0, 1, 4, 5)
      square = v128.shuffle<i32>(abLast, cdLast, 2, 3, 6, 7)
    } else {
      steps = gather(quanta, 3, a, b, c, d)
      rests = gather(quanta + 4, 3, a, b, c, d)
      square = gather(squares, 2, a, b, c, d)
    }
    const ofCodes = f32x4.add(
      f32x4.mul(f32x4.mul(f32x4.convert_i32x4_s(dots), steps), ownStep),
      f32x4.mul(tails, ofTail),
    )
    const error = f32x4.add(
      f32x4.mul(rests, ofRest),
      f32x4.mul(f32x4.sqrt(square), ofLength),
    )
    const sum = f32x4.add(f32x4.add(ofCodes, error), f32x4.mul(square, ofSquare))
    const isKnown = v128.and(
      f32x4.gt(square, f32x4.splat(LEAST_SQUARE)),
      f32x4.lt(square, f32x4.splat(MOST_SQUARE)),
    )
    let left = i32x4.bitmask(v128.not(v128.and(isKnown, f32x4.le(sum, limit))))
    if (count - i < 4) left &= (1 << (count - i)) - 1
    if (!left) continue
    // Each of the four is written, and kept by moving on; those of a list are read before they are written over.
    found = keepIf(left, found, kept, a, products, i32x4.extract_lane(dots, 0))
    found = keepIf(left >> 1, found, kept, b, products, i32x4.extract_lane(dots, 1))
    found = keepIf(left >> 2, found, kept, c, products, i32x4.extract_lane(dots, 2))
    found = keepIf(left >> 3, found, kept, d, products, i32x4.extract_lane(dots, 3))
  }
  return <u32>(found >> 2)
}

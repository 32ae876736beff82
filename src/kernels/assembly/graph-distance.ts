/**
 * Distances of the vectors of a graph: float32, the lower the nearer, and in the order of the space's; sums that are
 * no numbers are the farthest.
 */
import { dotFour, dotFourParts } from './code-bounds'
import {
  KIND,
  LAST_BYTES,
  LAST_ROWS,
  QUANTA_BYTES,
  QUERY,
  QUERY_SQUARE,
  QUERY_STEP,
  ROW_BYTES,
  ROWS,
  SPACE,
  SQUARES,
  SQUARE_STRIDE,
  STEP_STRIDE,
  STEPS,
  WIDE,
  WIDTH,
  lastOf,
  ordOf,
  squareOf,
  stepOf,
  vectorOf,
} from './graph-record'
import { differingBits, dotBytes, dotFloats, dotWide, squaredFloats } from './vectors'

/** How far a vector of a product with another one is from it. */
@inline function byProduct(at: usize, dot: f32, square: f32, ord: u32): f32 {
  return load<u32>(at, SPACE) == 0 ? square + squareOf(at, ord) - 2 * dot : -dot
}

/** The distance of a sum: of its angle where the space measures angles; always a number. */
@inline function finished(at: usize, sum: f32, square: f32, ord: u32): f32 {
  let found = sum
  if (load<u32>(at, SPACE) == 1) {
    const product = square * squareOf(at, ord)
    found = product > 0 ? found / sqrt<f32>(product) : 0
  }
  return found == found ? found : f32.MAX_VALUE
}

/** How far a vector is from a row that has a step and a square. */
export function distance(at: usize, row: usize, step: f32, square: f32, ord: u32): f32 {
  const kind = load<u32>(at, KIND)
  const bytes = load<usize>(at, ROW_BYTES)
  const other = vectorOf(at, ord)
  if (kind == 2) return <f32>differingBits(row, other, bytes)
  let found: f32
  if (kind == 1) {
    if (load<u32>(at, SPACE) == 0) found = squaredFloats(row, other, bytes)
    else found = -dotFloats(row, other, bytes)
  } else {
    const dot = <f32>dotBytes(row, other, bytes) * step * stepOf(at, ord)
    found = byProduct(at, dot, square, ord)
  }
  return finished(at, found, square, ord)
}

/** How far a vector is from the query. */
export function fromQuery(at: usize, ord: u32): f32 {
  const square = load<f32>(at, QUERY_SQUARE)
  if (load<u32>(at, KIND) != 0) return distance(at, load<usize>(at, QUERY), 0, square, ord)
  const wide = load<usize>(at, WIDE)
  const first = load<usize>(at, ROW_BYTES)
  const last = load<usize>(at, LAST_BYTES)
  const sum = dotWide(wide, vectorOf(at, ord), first) + dotWide(wide + (first << 1), lastOf(at, ord), last)
  const dot = <f32>sum * load<f32>(at, QUERY_STEP) * stepOf(at, ord)
  return finished(at, byProduct(at, dot, square, ord), square, ord)
}

@inline function four(at: usize, a: usize, b: usize, c: usize, d: usize): v128 {
  let lanes = f32x4.splat(load<f32>(at + a))
  lanes = f32x4.replace_lane(lanes, 1, load<f32>(at + b))
  lanes = f32x4.replace_lane(lanes, 2, load<f32>(at + c))
  return f32x4.replace_lane(lanes, 3, load<f32>(at + d))
}

/** The distances of four vectors of bytes from the query, each as `distance` has it. */
function fourFromQuery(at: usize, a: u32, b: u32, c: u32, d: u32): v128 {
  const wide = load<usize>(at, WIDE)
  const bytes = load<usize>(at, ROW_BYTES)
  const lastBytes = load<usize>(at, LAST_BYTES)
  let dots: v128
  if (lastBytes)
    dots = dotFourParts(wide, load<usize>(at, ROWS), bytes, load<usize>(at, LAST_ROWS), lastBytes, a, b, c, d)
  else
    dots = dotFour(wide, vectorOf(at, a), vectorOf(at, b), vectorOf(at, c), vectorOf(at, d), bytes)
  const space = load<u32>(at, SPACE)
  const stride = load<usize>(at, STEP_STRIDE)
  let steps: v128
  let squares: v128
  if (stride == QUANTA_BYTES) {
    const quanta = load<usize>(at, STEPS)
    const ofA = v128.load(quanta + (<usize>a << 4))
    const ofB = v128.load(quanta + (<usize>b << 4))
    const ofC = v128.load(quanta + (<usize>c << 4))
    const ofD = v128.load(quanta + (<usize>d << 4))
    const ab = v128.shuffle<i32>(ofA, ofB, 0, 4, 3, 7)
    const cd = v128.shuffle<i32>(ofC, ofD, 0, 4, 3, 7)
    steps = v128.shuffle<i32>(ab, cd, 0, 1, 4, 5)
    squares = v128.shuffle<i32>(ab, cd, 2, 3, 6, 7)
  } else {
    const further = load<usize>(at, SQUARE_STRIDE)
    steps = four(
      load<usize>(at, STEPS),
      <usize>a * stride,
      <usize>b * stride,
      <usize>c * stride,
      <usize>d * stride,
    )
    squares = four(
      load<usize>(at, SQUARES),
      <usize>a * further,
      <usize>b * further,
      <usize>c * further,
      <usize>d * further,
    )
  }
  const products = f32x4.mul(
    f32x4.mul(f32x4.convert_i32x4_s(dots), f32x4.splat(load<f32>(at, QUERY_STEP))),
    steps,
  )
  const square = f32x4.splat(load<f32>(at, QUERY_SQUARE))
  let found: v128
  if (space == 0)
    found = f32x4.sub(f32x4.add(square, squares), f32x4.mul(f32x4.splat(2), products))
  else found = f32x4.neg(products)
  if (space == 1) {
    const product = f32x4.mul(square, squares)
    found = v128.and(
      f32x4.div(found, f32x4.sqrt(product)),
      f32x4.gt(product, f32x4.splat(0)),
    )
  }
  return v128.bitselect(found, f32x4.splat(f32.MAX_VALUE), f32x4.eq(found, found))
}

/**
 * Compares the query with nodes of a level: writes the distance of each behind the list.
 * @param fresh the list of their ranks
 * @returns where the distances start
 */
export function compareFresh(at: usize, level: usize, fresh: usize, count: u32): usize {
  const fars = fresh + (<usize>load<u32>(level, WIDTH) << 2)
  let i: u32 = 0
  if (load<u32>(at, KIND) == 0)
    for (; i < count; i += 4) {
      const place = <usize>i << 2
      // The first one stands in for those that are missing of four.
      const a = ordOf(level, load<u32>(fresh + place))
      const b = i + 1 < count ? ordOf(level, load<u32>(fresh + place, 4)) : a
      const c = i + 2 < count ? ordOf(level, load<u32>(fresh + place, 8)) : a
      const d = i + 3 < count ? ordOf(level, load<u32>(fresh + place, 12)) : a
      v128.store(fars + place, fourFromQuery(at, a, b, c, d))
    }
  else
    for (; i < count; i++)
      store<f32>(
        fars + (<usize>i << 2),
        fromQuery(at, ordOf(level, load<u32>(fresh + (<usize>i << 2)))),
      )
  return fars
}

/** Makes a vector the one that others are compared with. */
@inline export function takeAsQuery(at: usize, ord: u32): void {
  const row = vectorOf(at, ord)
  store<usize>(at, row, QUERY)
  if (load<u32>(at, KIND) == 0) {
    store<f32>(at, stepOf(at, ord), QUERY_STEP)
    const wide = load<usize>(at, WIDE)
    const bytes = load<usize>(at, ROW_BYTES)
    for (let from: usize = 0; from < bytes; from += 8)
      v128.store(wide + (from << 1), v128.load_ext<i8>(row + from))
  }
  if (load<usize>(at, SQUARES)) store<f32>(at, squareOf(at, ord), QUERY_SQUARE)
}

/** Rings as they are cut: quantised, without corners that change nothing. */
import type { Corners } from './corners.ts'
import { turn } from './orientation.ts'
import { quantised } from './quantised.ts'

/** Corners without neighbours that are the same or on one line with both neighbours. */
export interface CleanRing {
  readonly xs: readonly number[]
  readonly ys: readonly number[]
}

/** Quantises a closed ring and drops corners that change nothing. */
export function cleaned({ lons, lats }: Corners): CleanRing {
  const xs: number[] = []
  const ys: number[] = []
  const drop = (): void => {
    xs.pop()
    ys.pop()
  }
  // Once round, and over the first two again, which may be on one line with the last.
  const isStraight = (x: number, y: number): boolean => {
    const end = xs.length
    return end >= 2 && turn(xs[end - 2]!, ys[end - 2]!, xs[end - 1]!, ys[end - 1]!, x, y) === 0
  }
  for (let i = 0; i + 1 < lons.length; i++) {
    const x = quantised(lons[i]!, 360)
    const y = quantised(lats[i]!, 180)
    while (isStraight(x, y)) drop()
    if (xs[xs.length - 1] === x && ys[ys.length - 1] === y) continue
    xs.push(x)
    ys.push(y)
  }
  let start = 0
  for (let isDone = false; !isDone && xs.length - start >= 3; ) {
    isDone = true
    const end = xs.length
    if (
      turn(xs[end - 2]!, ys[end - 2]!, xs[end - 1]!, ys[end - 1]!, xs[start]!, ys[start]!) === 0
    ) {
      drop()
      isDone = false
    } else if (
      turn(xs[end - 1]!, ys[end - 1]!, xs[start]!, ys[start]!, xs[start + 1]!, ys[start + 1]!) === 0
    ) {
      start++
      isDone = false
    }
  }
  return { xs: xs.slice(start), ys: ys.slice(start) }
}

/** Twice the area, above 0 counterclockwise. */
export function areaOf({ xs, ys }: CleanRing): number {
  let sum = 0
  for (let i = 1; i + 1 < xs.length; i++)
    sum += (xs[i]! - xs[0]!) * (ys[i + 1]! - ys[0]!) - (xs[i + 1]! - xs[0]!) * (ys[i]! - ys[0]!)
  return sum
}

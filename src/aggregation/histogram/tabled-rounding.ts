import type { Rounding } from './rounding.ts'

/** Max buckets whose starts are kept. */
const MAX_STARTS = 4096

/** A rounding that keeps the starts of buckets that it met: values of one bucket cost a search. */
export function tabled(rounding: Rounding): Rounding {
  let starts = new Float64Array(16)
  let ends = new Float64Array(16)
  let count = 0
  let last = -1
  const round = (millis: number): number => {
    if (last >= 0 && millis >= starts[last]! && millis < ends[last]!) return starts[last]!
    let from = 0
    let to = count
    while (from < to) {
      const middle = (from + to) >>> 1
      if (starts[middle]! <= millis) from = middle + 1
      else to = middle
    }
    const at = from - 1
    if (at >= 0 && millis < ends[at]!) {
      last = at
      return starts[at]!
    }
    const start = rounding.round(millis)
    const end = rounding.next(start)
    // Where a zone changes its offset, a bucket may not end where the next begins.
    const isWhole =
      end > millis &&
      rounding.round(end - 1) === start &&
      rounding.round(end) === end &&
      !rounding.mayFallBack(start)
    if (!isWhole || count === MAX_STARTS) return start
    if (count === starts.length) {
      const wider = new Float64Array(2 * count)
      wider.set(starts)
      starts = wider
      const widerEnds = new Float64Array(2 * count)
      widerEnds.set(ends)
      ends = widerEnds
    }
    const place = at + 1
    if (place > 0 && starts[place - 1] === start) return start
    starts.copyWithin(place + 1, place, count)
    ends.copyWithin(place + 1, place, count)
    starts[place] = start
    ends[place] = end
    count++
    last = place
    return start
  }
  return {
    round,
    next: start => rounding.next(start),
    mayFallBack: start => rounding.mayFallBack(start),
  }
}

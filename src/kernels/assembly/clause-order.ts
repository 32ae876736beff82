/**
 * A disjunction's clauses, by rising bound of the window or the stretch at hand, and what those up to
 * each add to a score at most: those at the front that stay below the threshold together are not
 * essential.
 */
import { bitsOf, setWindowBound, SLACK, weightOf, windowBound } from './cursor'
import { seek } from './cursor-blocks'
import { rangeBound } from './cursor-bounds'
import { combine, mostAdded } from './dis-max'
import {
  constant,
  cursor,
  isDisMax,
  optionalCount,
  orderBuffer,
  prefixBuffer,
  threshold,
} from './plan'

/** How many clauses the disjunction has. */
export let total: i32 = 0

/** Puts the clauses of the call in the order in which they stand. */
export function beginOrder(): void {
  total = optionalCount()
  const order = orderBuffer()
  for (let i = 0; i < total; i++) store<usize>(order + ((<usize>i) << 2), cursor(i))
}

/** The cursor of the i-th clause in the order that was made. */
@inline export function inOrder(place: i32): usize {
  return load<usize>(orderBuffer() + ((<usize>place) << 2))
}
/** What the clauses up to a place add to a score at most. */
@inline export function boundsUpTo(place: i32): f64 {
  return place < 0 ? 0 : load<f64>(prefixBuffer() + ((<usize>place) << 3))
}

/** How many clauses at the front of the order are not essential in the window; −1: nothing can win. */
export function divide(from: i32, to: i32): i32 {
  const order = orderBuffer()
  for (let i = 0; i < total; i++) {
    const c = inOrder(i)
    const bound = bitsOf(c) ? <f64>weightOf(c) : rangeBound(c, seek(c, from), to - 1)
    setWindowBound(c, bound)
    // Insertion: windows change little from one to the next.
    let at = i
    while (at > 0 && windowBound(inOrder(at - 1)) > bound) {
      store<usize>(order + ((<usize>at) << 2), inOrder(at - 1))
      at--
    }
    store<usize>(order + ((<usize>at) << 2), c)
  }
  const prefix = prefixBuffer()
  let sum: f64 = 0
  let together: f64 = 0
  let first = total
  for (let i = 0; i < total; i++) {
    const bound = windowBound(inOrder(i))
    sum += bound
    // Bounds rise: this one is the largest.
    together = isDisMax ? combine(sum, bound) : sum
    store<f64>(prefix + ((<usize>i) << 3), isDisMax ? mostAdded(sum, bound) : sum)
    if (first == total && (constant() + together) * SLACK >= <f64>threshold) first = i
  }
  return (constant() + together) * SLACK < <f64>threshold ? -1 : first
}

/** The same for the clauses that are not essential over [first, last]; returns what all add. */
export function narrow(first: i32, last: i32, essential: i32): f64 {
  const prefix = prefixBuffer()
  let sum: f64 = 0
  let most: f64 = 0
  let added: f64 = 0
  for (let place = 0; place < essential; place++) {
    const c = inOrder(place)
    let bound = windowBound(c)
    if (!bitsOf(c)) bound = min(bound, rangeBound(c, seek(c, first), last))
    sum += bound
    most = max(most, bound)
    added = isDisMax ? mostAdded(sum, most) : sum
    store<f64>(prefix + ((<usize>place) << 3), added)
  }
  return added
}

/**
 * A disjunction's clauses by ascending bound of the current window or stretch, with prefix bounds:
 * the max that the clauses up to each one add to a score. Clauses whose prefix bound stays below
 * the threshold are not essential.
 */
import { setWindowBound, SLACK, windowBound } from './cursor'
import { boundWithin } from './cursor-bounds'
import { combine, maxAdded } from './dis-max'
import { isDisMax, threshold } from './plan'
import { constant, cursor, optionalCount, orderBuffer, prefixBuffer } from './plan-record'

/** Number of clauses. */
export let total: i32 = 0

/** Restores the given order of the clauses. */
export function beginOrder(): void {
  total = optionalCount()
  const order = orderBuffer()
  for (let i = 0; i < total; i++) store<usize>(order + ((<usize>i) << 2), cursor(i))
}

/** The cursor of the i-th clause in ascending order of bounds. */
@inline export function inOrder(index: i32): usize {
  return load<usize>(orderBuffer() + ((<usize>index) << 2))
}
/** Max that the clauses up to an index add to a score. */
@inline export function boundsUpTo(index: i32): f64 {
  return index < 0 ? 0 : load<f64>(prefixBuffer() + ((<usize>index) << 3))
}

/** Number of non-essential clauses in the window; −1: no document can be a hit. */
export function divide(from: i32, to: i32): i32 {
  const order = orderBuffer()
  for (let i = 0; i < total; i++) {
    const c = inOrder(i)
    const bound = boundWithin(c, from, to - 1)
    setWindowBound(c, bound)
    // Insertion sort: the order changes little between windows.
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
    // Bounds ascend: this one is the max.
    together = isDisMax ? combine(sum, bound) : sum
    store<f64>(prefix + ((<usize>i) << 3), isDisMax ? maxAdded(sum, bound) : sum)
    if (first == total && (constant() + together) * SLACK >= <f64>threshold) first = i
  }
  return (constant() + together) * SLACK < <f64>threshold ? -1 : first
}

/**
 * The same for the non-essential clauses over [first, last]; returns the max that all of them add.
 */
export function narrow(first: i32, last: i32, essential: i32): f64 {
  const prefix = prefixBuffer()
  let sum: f64 = 0
  let highest: f64 = 0
  let added: f64 = 0
  for (let index = 0; index < essential; index++) {
    const c = inOrder(index)
    const bound = min(windowBound(c), boundWithin(c, first, last))
    sum += bound
    highest = max(highest, bound)
    added = isDisMax ? maxAdded(sum, highest) : sum
    store<f64>(prefix + ((<usize>index) << 3), added)
  }
  return added
}

import { expect } from 'vitest'

/** How much larger the large input is. */
const FACTOR = 8
const RUNS = 3

/**
 * Expects work in proportion to the size of its input. Compares processor time, of which other work on
 * the machine takes none, of one size with that of eight times the size; a quadratic way takes 64 times
 * as long.
 *
 * @param size of the small input, for which `run` takes a millisecond or more
 */
export function expectLinearTime(size: number, run: (size: number) => void): void {
  run(size)
  const small = shortest(() => run(size))
  const large = shortest(() => run(size * FACTOR))
  expect(large / small).toBeLessThan(4 * FACTOR)
}

/** Processor time of the shortest of some runs, microseconds. */
function shortest(run: () => void): number {
  let least = Number.POSITIVE_INFINITY
  for (let i = 0; i < RUNS; i++) {
    const before = process.cpuUsage()
    run()
    const { user, system } = process.cpuUsage(before)
    least = Math.min(least, user + system)
  }
  return Math.max(least, 1)
}

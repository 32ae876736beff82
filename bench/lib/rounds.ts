/** A case of an interleaved run; what it returns is consumed, so that nothing is optimised away. */
export interface Case {
  readonly name: string
  run(): unknown
}

let consumed: unknown = null

/** Keeps a result alive. */
export function consume(value: unknown): void {
  consumed = value === consumed ? null : value
}

/**
 * Runs cases in turn, round after round, so that whatever else the machine does hits all alike.
 * @param warmUp rounds that do not count
 * @returns by case, milliseconds of each round
 */
export async function interleave(
  cases: readonly Case[],
  rounds: number,
  warmUp = 2,
): Promise<Map<string, number[]>> {
  const readings = new Map<string, number[]>(cases.map(({ name }) => [name, []]))
  for (let round = -warmUp; round < rounds; round++) {
    for (const { name, run } of cases) {
      const start = performance.now()
      const value = await run()
      const took = performance.now() - start
      consume(value)
      if (round >= 0) readings.get(name)!.push(took)
    }
  }
  return readings
}

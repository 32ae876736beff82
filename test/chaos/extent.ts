/**
 * How much the chaos tests do: a twentieth with every run of the tests, all of it with
 * `npm run chaos`, which sets `LAMELLA_CHAOS=long`. `LAMELLA_CHAOS_SEED` makes other runs.
 */
export const isLong: boolean = process.env['LAMELLA_CHAOS'] === 'long'
export const SEED: number = Number(process.env['LAMELLA_CHAOS_SEED'] ?? '20261121')

/** @param short in every run, @param long by command */
export function extent(short: number, long: number): number {
  return isLong ? long : short
}

/** Tells what was done, with the seed to do it again. */
export function tell(what: string): void {
  process.stdout.write(`    ${what} (seed ${SEED})\n`)
}

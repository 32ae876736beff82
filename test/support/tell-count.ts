/** Tells how many attempts a test has made, in the report of the run. */
export function tellCount(what: string, count: number): void {
  process.stdout.write(`    ${what}: ${count}\n`)
}

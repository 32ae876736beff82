/**
 * Runs the benches: `npm run bench [-- --only kernels,indexing --corpus sotu --rounds 7]`. Prints a
 * table and writes the same as JSON under bench/results/. Exits 1 when a mark is missed with --check.
 */
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { machineNow, save, table } from './lib/report.ts'
import type { Bench, BenchResult } from './lib/result.ts'
import { analysis } from './macro/analysis.ts'
import { cost } from './macro/cost.ts'
import { durability } from './macro/durability.ts'
import { indexing } from './macro/indexing.ts'
import { merging } from './macro/merging.ts'
import { recovery } from './macro/recovery.ts'
import { searching } from './macro/searching.ts'
import { threads } from './macro/threads.ts'
import { codec } from './micro/codec.ts'
import { dispatch } from './micro/dispatch.ts'
import { heap } from './micro/heap.ts'
import { kernels } from './micro/kernels.ts'

const BENCHES: readonly Bench[] = [
  kernels,
  codec,
  heap,
  dispatch,
  analysis,
  indexing,
  durability,
  recovery,
  merging,
  searching,
  threads,
  cost,
]

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    corpus: { type: 'string', default: 'debian-docs' },
    rounds: { type: 'string', default: '7' },
    check: { type: 'boolean', default: false },
  },
})
const wanted = values.only?.split(',')
const unknown = wanted?.filter(name => !BENCHES.some(bench => bench.name === name)) ?? []
if (unknown.length > 0) {
  console.error(
    `unknown bench [${unknown}], there are ${BENCHES.map(bench => bench.name).join(', ')}`,
  )
  process.exit(2)
}
const machine = machineNow()
const results: BenchResult[] = []
for (const bench of BENCHES) {
  if (wanted !== undefined && !wanted.includes(bench.name)) continue
  const say = (line: string): void => console.error(line)
  say(`${bench.name} …`)
  results.push(...(await bench.run({ rounds: Number(values.rounds), corpus: values.corpus, say })))
}
console.log(table(machine, results))
console.error(`written to ${save(fileURLToPath(new URL('.', import.meta.url)), machine, results)}`)
if (values.check && results.some(result => result.mark?.isReached === false)) process.exit(1)

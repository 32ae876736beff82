/**
 * Runs the benches: `npm run bench [-- --only kernels,indexing --corpus sotu --rounds 7]`. Prints a
 * table and writes the same as JSON under bench/results/. Exits 1 when a mark is missed with --check.
 */
import { fileURLToPath } from 'node:url'
import { machineNow, save, table } from './lib/report.ts'
import type { Bench, BenchResult } from './lib/result.ts'
import { runOptions } from './lib/run-options.ts'
import { aggregationLoad } from './macro/aggregation-load.ts'
import { aggregations } from './macro/aggregations.ts'
import { analysis } from './macro/analysis.ts'
import { authentication } from './macro/authentication.ts'
import { cancelling } from './macro/cancelling.ts'
import { cost } from './macro/cost.ts'
import { durability } from './macro/durability.ts'
import { gathering } from './macro/gathering.ts'
import { highlighting } from './macro/highlighting.ts'
import { hybrid } from './macro/hybrid.ts'
import { indexLife } from './macro/index-life.ts'
import { indexStates } from './macro/index-states.ts'
import { indexing } from './macro/indexing.ts'
import { merging } from './macro/merging.ts'
import { overload } from './macro/overload.ts'
import { pipelines } from './macro/pipelines.ts'
import { queryStrings } from './macro/query-strings.ts'
import { ranges } from './macro/ranges.ts'
import { recovery } from './macro/recovery.ts'
import { reindexing } from './macro/reindexing.ts'
import { scanning } from './macro/scanning.ts'
import { scriptedSearches } from './macro/scripted-searches.ts'
import { searching } from './macro/searching.ts'
import { snapshots } from './macro/snapshots.ts'
import { starting } from './macro/starting.ts'
import { statistics } from './macro/statistics.ts'
import { threads } from './macro/threads.ts'
import { vectorLoad } from './macro/vector-load.ts'
import { vectorGraphs } from './macro/vectors.ts'
import { codec } from './micro/codec.ts'
import { completion } from './micro/completion.ts'
import { dispatch } from './micro/dispatch.ts'
import { heap } from './micro/heap.ts'
import { kernels } from './micro/kernels.ts'
import { scripts } from './micro/scripts.ts'
import { vectors } from './micro/vectors.ts'

const BENCHES: readonly Bench[] = [
  starting,
  kernels,
  codec,
  completion,
  heap,
  vectors,
  vectorGraphs,
  vectorLoad,
  scripts,
  dispatch,
  analysis,
  pipelines,
  indexing,
  durability,
  recovery,
  merging,
  reindexing,
  cancelling,
  indexLife,
  indexStates,
  snapshots,
  statistics,
  authentication,
  highlighting,
  hybrid,
  scriptedSearches,
  queryStrings,
  scanning,
  searching,
  threads,
  overload,
  gathering,
  aggregations,
  aggregationLoad,
  ranges,
  cost,
]

const values = runOptions('bench', 'runs the benches, and writes what they found as JSON', {
  only: { kind: 'names', help: 'benches to run', of: BENCHES.map(bench => bench.name) },
  corpus: { kind: 'text', hint: 'NAME', help: 'the corpus they run over', by: 'debian-docs' },
  rounds: { kind: 'count', help: 'interleaved rounds of each case, a minimum', by: 7 },
  check: { kind: 'flag', help: 'exit with 1 when a mark is missed' },
})
const machine = machineNow()
const results: BenchResult[] = []
for (const bench of BENCHES) {
  if (values.only !== null && !values.only.includes(bench.name)) continue
  const say = (line: string): void => console.error(line)
  say(`${bench.name} …`)
  results.push(...(await bench.run({ rounds: values.rounds, corpus: values.corpus, say })))
}
console.log(table(machine, results))
console.error(`written to ${save(fileURLToPath(new URL('.', import.meta.url)), machine, results)}`)
if (values.check && results.some(result => result.mark?.isReached === false)) process.exit(1)

import type { Node } from '../../dist/engine/node/node.js'
import { COST_MODEL, SearchCost } from '../../dist/parallel/search-cost.js'
import type { Query } from '../../dist/search/query/query.js'
import type { Shard } from '../../dist/shard/shard.js'
import { type Documents, readDocuments } from '../lib/documents.ts'
import { type Bench, type BenchResult, resultOf } from '../lib/result.ts'
import { interleave } from '../lib/rounds.ts'
import { optionsOf, run, type SearchStyle, withLoadedShard } from '../lib/search-runs.ts'

const DOCUMENTS = 200_000
/** Queries of a class that the iterators run: they take long. */
const FEW = 6

const WAYS: readonly (readonly [string, Omit<SearchStyle, 'slices'>])[] = [
  ['kernels', { kernels: true, exact: false }],
  ['kernels, counted exactly', { kernels: true, exact: true }],
  ['iterators', { kernels: false, exact: false }],
  ['iterators, counted exactly', { kernels: false, exact: true }],
]

/** The planner's cost model: its constants, and what it predicts beside what is measured, by class. */
export const cost: Bench = {
  name: 'cost',
  async run({ rounds, corpus, say }) {
    const documents = readDocuments(corpus, DOCUMENTS)
    say(`cost: indexing ${documents.bounds.length - 1} documents of ${corpus}`)
    return withLoadedShard(documents, async (node, shard) => {
      const results: BenchResult[] = Object.entries(COST_MODEL).map(([name, value]) => ({
        name: `cost/constant ${name}`,
        unit: name === 'profile' || name === 'handOversToPay' ? 'times' : 'ns',
        min: value,
        median: value,
        rounds: 1,
      }))
      const { inlineCost } = new SearchCost(node.memory.filters)
      say(`cost: before a hand-over is measured, runs inline below ${inlineCost / 1000} µs`)
      for (const [way, style] of WAYS)
        for (const [name, queries] of classesOf(documents)) {
          const some = style.kernels === true ? queries : queries.slice(0, FEW)
          results.push(await compare(node, shard, `${name}, ${way}`, some, style, rounds))
        }
      return results
    })
  },
}

const QUERY_KINDS: Record<string, (field: string, words: readonly string[]) => Query> = {
  term: (field, [word]) => ({ kind: 'term', field, term: word! }),
  or: (field, words) => clauses(field, words, 'should'),
  and: (field, words) => clauses(field, words, 'must'),
  phrase: (field, words) => ({
    kind: 'phrase',
    field,
    terms: words,
    positions: words.map((_, i) => i),
    slop: 0,
  }),
}

function clauses(field: string, words: readonly string[], occur: 'must' | 'should'): Query {
  return {
    kind: 'boolean',
    clauses: words.map(term => ({ occur, query: { kind: 'term', field, term } })),
    minimumShouldMatch: 0,
  }
}

function classesOf({ queries, textField }: Documents): Map<string, Query[]> {
  const classes = new Map<string, Query[]>()
  for (const { className, kind, words } of queries) {
    const make = QUERY_KINDS[kind]
    if (make === undefined) continue
    const list = classes.get(className) ?? []
    list.push(make(textField, words.split(' ')))
    classes.set(className, list)
  }
  return classes
}

/** One class: what a query takes, beside what the model says of it. */
async function compare(
  node: Node,
  shard: Shard,
  name: string,
  queries: readonly Query[],
  style: Omit<SearchStyle, 'slices'>,
  rounds: number,
): Promise<BenchResult> {
  const inline: SearchStyle = { ...style, slices: 1, executor: 'inline' }
  const model = new SearchCost(node.memory.filters)
  let predicted = 0
  for (const query of queries) {
    // A search that reports is always prepared.
    const { prepared } = await run(node, shard, query, { ...inline, reports: true })
    predicted += model.of(shard.snapshot, prepared!, optionsOf(inline))
  }
  const readings = await interleave(
    queries.map((query, i) => ({ name: `${i}`, run: () => run(node, shard, query, inline) })),
    2 * rounds,
  )
  // The mean of the queries' own: least of all rounds, and median.
  const lines = [...readings].map(([, times]) => resultOf('', '', times))
  const mean = (of: 'min' | 'median'): number =>
    (1000 * lines.reduce((sum, line) => sum + line[of], 0)) / lines.length
  const micros = predicted / 1000 / queries.length
  return {
    name: `cost/${name}`,
    unit: 'µs/query',
    min: mean('min'),
    median: mean('median'),
    rounds: 2 * rounds,
    against: { name: `predicted ${micros.toFixed(1)} µs`, ratio: micros / mean('min') },
  }
}

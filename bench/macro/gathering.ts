import type { ShardSearchOutcome } from '../../dist/parallel/search-options.js'
import type { Query } from '../../dist/search/query/query.js'
import { readDocuments } from '../lib/documents.ts'
import { type Bench, type BenchResult, resultOf } from '../lib/result.ts'
import { interleave } from '../lib/rounds.ts'
import { anyOf, optionsOf, withLoadedShard } from '../lib/search-runs.ts'
import { termsOf } from '../lib/terms-gather.ts'
import { topHits } from '../lib/top-hits.ts'

const DOCUMENTS = 200_000
/** By corpus: a keyword that some hundred documents share each. */
const KEYWORDS: Readonly<Record<string, string>> = { 'debian-docs': 'package', sotu: 'president' }

/**
 * Counts by value beside no hits: matches handed over by the kernels, held against the iterators, and
 * against the same search counted exactly with nothing gathered.
 */
export const gathering: Bench = {
  name: 'gathering',
  async run({ rounds, corpus, say }) {
    const documents = readDocuments(corpus, DOCUMENTS)
    const field = KEYWORDS[corpus]
    if (field === undefined) throw new Error(`no keyword of the corpus [${corpus}] is known here`)
    say(`gathering: indexing ${documents.bounds.length - 1} documents of ${corpus}`)
    const gather = termsOf(field)
    return withLoadedShard(
      documents,
      async (node, shard) => {
        const search = (
          query: Query,
          kernels: boolean,
          gathers: boolean,
        ): Promise<ShardSearchOutcome> =>
          node.searcher.search(
            shard.snapshot,
            {
              query,
              gather: topHits(0, Number.POSITIVE_INFINITY, gathers ? [gather] : []),
              maxClauseCount: 1024,
              statistics: null,
            },
            optionsOf({ slices: 1, executor: 'inline', kernels }),
          )
        const results: BenchResult[] = []
        for (const [name, className] of [
          ['a frequent word', 'term-X'],
          ['either of two words', 'or2-HM'],
        ] as const) {
          const words = documents.queries.find(query => query.className === className)!.words
          const query = anyOf(documents.textField, words.split(' '))
          const answers: unknown[] = []
          for (const kernels of [true, false]) {
            const { result } = await search(query, kernels, true)
            answers.push(result.parts[0])
          }
          if (JSON.stringify(answers[0]) !== JSON.stringify(answers[1]))
            throw new Error(`${name}: kernels and iterators count values differently`)
          const times = await interleave(
            [
              { name: 'kernels', run: () => search(query, true, true) },
              { name: 'iterators', run: () => search(query, false, true) },
              { name: 'count', run: () => search(query, true, false) },
            ],
            rounds,
          )
          const own = times.get('kernels')!
          const title = `gathering/${name}`
          results.push(
            held(`${title}, against iterators`, own, 'iterators', times.get('iterators')!),
            held(`${title}, against its count`, own, 'count alone', times.get('count')!),
          )
        }
        return results
      },
      field,
    )
  },
}

function held(
  name: string,
  own: readonly number[],
  baseline: string,
  other: readonly number[],
): BenchResult {
  const result = resultOf(name, 'ms', own)
  const against = { name: baseline, ratio: resultOf(baseline, 'ms', other).median / result.median }
  return { ...result, against }
}

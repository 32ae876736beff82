/** A hybrid query of two lists beside searches for the two alone. */
import { combineLists } from '../../dist/engine/search/hybrid/combine-lists.js'
import { DEFAULT_SCORING } from '../../dist/engine/search/hybrid/score-lists.js'
import { searchShard } from '../../dist/engine/search/hybrid/search-lists.js'
import type { Query } from '../../dist/search/query/query.js'
import { readDocuments } from '../lib/documents.ts'
import { atMost, type Bench, type BenchResult, resultOf } from '../lib/result.ts'
import { interleave } from '../lib/rounds.ts'
import { optionsOf, withLoadedShard } from '../lib/search-runs.ts'
import { topHits } from '../lib/top-hits.ts'

const DOCUMENTS = 100_000
/** Length of each list, how often it is searched in a round, and the microseconds to stay below. */
const LISTS = [
  { depth: 100, repeats: 100, mark: 50 },
  { depth: 10_000, repeats: 5, mark: 2000 },
]
/** Rounds that do not count, of some 20 ms: V8 has compiled what runs by then. */
const WARM_UP = 50
const PAGE = { from: 0, size: 10, minScore: null, trackTotalHits: -1, searchAfter: null }

/** The cost of a hybrid query beyond its parts: two frequent words of the corpus, nothing counted. */
export const hybrid: Bench = {
  name: 'hybrid',
  async run({ rounds, corpus, say }) {
    const documents = readDocuments(corpus, DOCUMENTS)
    say(`hybrid: indexing ${documents.bounds.length - 1} documents of ${corpus}`)
    const words = documents.queries.filter(({ className }) => className === 'term-X').slice(0, 2)
    const queries = words.map(
      ({ words: term }): Query => ({ kind: 'term', field: documents.textField, term }),
    )
    return withLoadedShard(documents, async ({ searcher }, { snapshot }) => {
      const options = optionsOf({ slices: 1, executor: 'inline', kernels: true })
      const results: BenchResult[] = []
      for (const { depth, repeats, mark } of LISTS) {
        const planOf = (query: Query): Parameters<typeof searchShard>[2] => ({
          query,
          gather: topHits(depth, -1),
          maxClauseCount: 1024,
          statistics: null,
        })
        const parts = async (): Promise<void> => {
          for (const query of queries) await searcher.search(snapshot, planOf(query), options)
        }
        const whole = async (): Promise<void> => {
          const plan = planOf({ kind: 'hybrid', queries, depth })
          const { result } = await searchShard(searcher, snapshot, plan, options)
          const { hits } = combineLists([result], PAGE, DEFAULT_SCORING)
          if (hits.length !== PAGE.size) throw new Error(`${hits.length} hits`)
        }
        const times = (run: () => Promise<void>) => async (): Promise<void> => {
          for (let i = 0; i < repeats; i++) await run()
        }
        const readings = await interleave(
          [
            { name: 'parts', run: times(parts) },
            { name: 'whole', run: times(whole) },
          ],
          rounds,
          WARM_UP,
        )
        const perSearch = (name: string): number[] =>
          readings.get(name)!.map(ms => (1000 * ms) / repeats)
        const beyond = Math.min(...perSearch('whole')) - Math.min(...perSearch('parts'))
        results.push(
          resultOf(`hybrid/two lists of ${depth}, alone`, 'µs', perSearch('parts')),
          resultOf(`hybrid/two lists of ${depth}, combined`, 'µs', perSearch('whole')),
          resultOf(`hybrid/two lists of ${depth}, beyond its parts`, 'µs', [beyond], {
            mark: atMost(beyond, mark, 'µs'),
          }),
        )
      }
      return results
    })
  },
}

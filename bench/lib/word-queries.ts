/** The query classes of a corpus's queries.tsv, and how a bench searches a shard for them. */

import { readFileSync } from 'node:fs'
import type { ShardSearchOutcome } from '../../dist/parallel/search-options.js'
import type { ShardSearcher } from '../../dist/parallel/shard-search.js'
import type { BooleanQuery, Query } from '../../dist/search/query/query.js'
import type { Shard } from '../../dist/shard/shard.js'
import { topHits } from './top-hits.ts'

/** A query as its file has it. */
export interface WordQuery {
  readonly kind: 'term' | 'or' | 'and' | 'phrase' | 'filtered'
  readonly words: readonly string[]
}

/** Options of a search. */
export type SearchMode = 'top 10' | 'counted to 10,000' | 'count only'

/** Our class, and the file's classes that it takes evenly from. */
const CLASSES: readonly (readonly [name: string, sources: readonly string[]])[] = [
  ['term-rare', ['term-L']],
  ['term-medium', ['term-M']],
  ['term-frequent', ['term-X', 'term-H']],
  ['or2', ['or2-HH', 'or2-HM', 'or2-ML']],
  ['or3-5', ['or3-HHM', 'or3-XHM', 'or3-nat', 'or5-nat']],
  ['and2', ['and2-HH', 'and2-HM', 'and2-HL']],
  ['and3', ['and3-HHM']],
  ['phrase', ['phrase2']],
  ['filtered-or', ['filtered-HHM']],
]
const PER_CLASS = 20

/** The classes of a corpus by name; queries stand as often as the file has them, at most twenty. */
export function wordQueries(corpus: string): Map<string, WordQuery[]> {
  const file = new URL(`../../corpora/${corpus}/queries.tsv`, import.meta.url)
  const rows = readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .slice(1)
    .map(line => line.split('\t') as [string, WordQuery['kind'], string])
  const classes = new Map<string, WordQuery[]>()
  for (const [name, sources] of CLASSES) {
    const lists = sources.map(source => rows.filter(([found]) => found === source))
    const taken: WordQuery[] = []
    for (let i = 0; i < PER_CLASS; i++)
      for (const list of lists) {
        const row = list[i]
        if (row !== undefined && taken.length < PER_CLASS)
          taken.push({ kind: row[1], words: row[2].split(' ') })
      }
    if (taken.length > 0) classes.set(name, taken)
  }
  return classes
}

/** Searches one shard on the calling thread. */
export function searchWords(
  searcher: ShardSearcher,
  shard: Shard,
  field: string,
  query: WordQuery,
  mode: SearchMode,
  kernels = true,
): Promise<ShardSearchOutcome> {
  return searcher.search(
    shard.snapshot,
    {
      query: queryOf(field, query),
      gather: topHits(mode === 'count only' ? 0 : 10, TRACKED[mode]),
      maxClauseCount: 1024,
      statistics: null,
    },
    {
      concurrent: false,
      slices: { maxSliceCount: 1, intraSegment: 'auto', intraSegmentMinDocs: 65_536 },
      profile: null,
      executor: 'inline',
      kernels,
      filterCache: false,
      reports: false,
      signal: null,
    },
  )
}

const TRACKED: Readonly<Record<SearchMode, number>> = {
  'top 10': -1,
  'counted to 10,000': 10_000,
  'count only': Number.POSITIVE_INFINITY,
}

function queryOf(field: string, { kind, words }: WordQuery): Query {
  if (kind === 'phrase')
    return { kind: 'phrase', field, terms: words, positions: words.map((_, i) => i), slop: 0 }
  const terms = words.map((term): Query => ({ kind: 'term', field, term }))
  if (terms.length === 1) return terms[0]!
  const clauses = terms.map((query, i): BooleanQuery['clauses'][number] => {
    // The last word of a filtered query is its filter.
    const isFilter = kind === 'filtered' && i === terms.length - 1
    return { occur: isFilter ? 'filter' : kind === 'and' ? 'must' : 'should', query }
  })
  // Beside a filter an optional clause need not match: these ask for one that does.
  return { kind: 'boolean', clauses, minimumShouldMatch: kind === 'filtered' ? 1 : 0 }
}

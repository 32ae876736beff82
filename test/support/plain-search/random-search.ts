/** A random request with its answer, found by going through the documents one by one. */
import type { Query } from '../../../src/search/query/query.ts'
import type { Random } from '../../../src/util/random.ts'
import { ROUTES, randomWord } from './collection.ts'
import {
  type DrawnPart,
  PART_OPTIONS,
  type PartOption,
  type PrintedParts,
  present,
} from './hit-parts.ts'
import { objectQuery } from './joined-kinds.ts'
import { type DrawnQuery, NOTHING, oneOf, several } from './kind.ts'
import { drawQuery, QUERY_KINDS } from './kinds.ts'
import type { PlainShard } from './plain-shard.ts'
import { featuresOf } from './request-features.ts'
import {
  compareValues,
  type DrawnSort,
  drawSort,
  type Match,
  SORT_KINDS,
  type SortKeyValue,
} from './sorts.ts'
import { SPARE_KEYS, type SpareFor } from './spare-keys.ts'
import { drawUrlQuery } from './string-kinds.ts'
import { moveToUrl } from './url-keys.ts'

const f32 = Math.fround

/** A hit as the answer must have it. */
export interface ExpectedHit {
  readonly id: string
  /** Null: scores are not kept. */
  readonly score: number | null
  /** Null: there is no sort; places in a shard are not compared. */
  readonly sort: readonly unknown[] | 'places' | null
  readonly names: readonly string[]
  /** The offsets of its nested objects that match, the best first. */
  readonly objects: readonly number[] | null
  /** The ids and scores of the best of its group. */
  readonly group: readonly (readonly [string, number])[] | null
  /** The scores of the named queries; null: names alone are asked for. */
  readonly nameScores: Readonly<Record<string, number>> | null
  /** What else is asked for of it, as it prints. */
  readonly parts: PrintedParts
}

/** A request with what it must find. */
export interface DrawnSearch {
  readonly body: Readonly<Record<string, unknown>>
  /** The path of the request; one over a point in time names no index. */
  readonly path: string
  /** Queries, sorts, options, keys and parameters that it is made of. */
  readonly features: readonly string[]
  readonly total: number | null
  readonly hits: readonly ExpectedHit[]
  readonly maxScore: number | null
  /** Whether some shard has as many matches as a search ends after; null: it does not end early. */
  readonly isCut: boolean | null
  /** Whether the hits are those of all pages of a scroll. */
  readonly isScrolled: boolean
  readonly isExplained: boolean
  /**
   * How many matches each shard scores, by its number; null: not every match is scored once, or others
   * are as well.
   */
  readonly scored: readonly number[] | null
  /** Matches with a value of `first`, where an aggregation counts them. */
  readonly counted: number | null
}

/** The options that are drawn, beside a query and a sort. */
export const OPTIONS = [
  'from',
  'min_score',
  'post_filter',
  'track_total_hits',
  'track_scores',
  'search_after',
  'rescore',
  'rescore_chain',
  'collapse',
  'collapse_inner_hits',
  'inner_hits',
  'indices_boost',
  'explain',
  'named_queries',
  'slice',
  '_shard_doc',
  'dfs_query_then_fetch',
  'terminate_after',
  'timeout',
  'scroll',
  'aggs',
  'aggregations',
  'search_pipeline',
  'verbose_pipeline',
  'include_named_queries_score',
  'routing',
  'preference',
  'q',
  ...(Object.keys(PART_OPTIONS) as PartOption[]),
] as const

type Option = (typeof OPTIONS)[number]

/** Those with which a shard scores others than its matches, or not all of them. */
const SCORED_OTHERWISE: ReadonlySet<Option> = new Set<Option>([
  'min_score',
  'post_filter',
  'track_total_hits',
  'rescore',
  'rescore_chain',
  'collapse',
  'collapse_inner_hits',
  'slice',
  'terminate_after',
])

/** Those whose hits stand by score. */
const BY_SCORE_ALONE: ReadonlySet<Option> = new Set<Option>(['slice', 'min_score'])

/** What a search is drawn from. */
export interface Collection {
  readonly shards: readonly PlainShard[]
  /** A point in time of the index. */
  readonly pit: string
}

interface Rescore {
  readonly window: number
  readonly query: DrawnQuery
  readonly first: number
  readonly second: number
  readonly mode: 'total' | 'multiply' | 'avg' | 'max' | 'min'
}

/** A stored pipeline and its body; it lets so many hits through. */
export const PIPELINE = 'cut'
const PIPED = 4
export const PIPELINE_BODY = { response_processors: [{ truncate_hits: { target_size: PIPED } }] }

const SORTS = Object.keys(SORT_KINDS)
const QUERIES = Object.keys(QUERY_KINDS)

/**
 * Draws the request of a number: each kind of query stands at the top of some, and so does each option.
 */
export function drawSearch(random: Random, number: number, collection: Collection): DrawnSearch {
  const { shards } = collection
  const ids = shards.flatMap(({ documents }) => documents.map(({ id }) => id))
  const any = (): DrawnQuery => drawQuery(random, oneOf(random, QUERIES), ids, 1)
  // A round later each kind meets the next option.
  const round = Math.floor(number / QUERIES.length)
  const option = OPTIONS[(number + round) % OPTIONS.length]!
  const top = drawQuery(random, QUERIES[number % QUERIES.length]!, ids, 2)
  const isNamed = option === 'named_queries' || option === 'include_named_queries_score'
  const url = option === 'q' ? drawUrlQuery({ random, word: () => randomWord(random) }) : null
  const asked: Asked = isNamed
    ? { ...withNames(random, top, any), params: {} }
    : { query: url?.query ?? top, names: [], params: url?.params ?? {} }
  const spare = SPARE_KEYS[number % SPARE_KEYS.length]!
  return new SearchDraft(random, option, asked, any, collection).finish(spare)
}

interface NamedQuery {
  readonly name: string
  readonly query: DrawnQuery
  /** With the name around it. */
  on(shard: PlainShard): Query
}

/** The query of a request, and the parameters that it is written in, if it is not in the body. */
interface Asked {
  readonly query: DrawnQuery
  readonly names: readonly NamedQuery[]
  readonly params: Readonly<Record<string, string>>
}

/** A query beside others, each with a name. */
function withNames(
  random: Random,
  top: DrawnQuery,
  any: () => DrawnQuery,
): { readonly query: DrawnQuery; readonly names: readonly NamedQuery[] } {
  const all = [top, ...several(1 + random.below(2), any)]
  const should = all.map((query, i) => ({ bool: { must: [query.dsl], _name: `q${i}` } }))
  const wrapped = ({ mustBecomesFilter, on }: DrawnQuery, shard: PlainShard): Query => ({
    kind: 'boolean',
    clauses: [{ occur: mustBecomesFilter ? 'filter' : 'must', query: on(shard) }],
    minimumShouldMatch: 0,
  })
  return {
    names: all.map((query, i) => ({ name: `q${i}`, query, on: shard => wrapped(query, shard) })),
    query: {
      dsl: { bool: { should } },
      names: ['bool', ...all.flatMap(({ names }) => names)],
      mustBecomesFilter: false,
      on: shard => ({
        kind: 'boolean',
        clauses: all.map(query => ({ occur: 'should', query: wrapped(query, shard) })),
        minimumShouldMatch: 0,
      }),
    },
  }
}

/** The parts of a request, each drawn where the option says so. */
class SearchDraft {
  readonly #random: Random
  readonly #shards: readonly PlainShard[]
  readonly #any: () => DrawnQuery
  readonly #query: DrawnQuery
  readonly #names: readonly NamedQuery[]
  readonly #option: Option
  readonly #pit: string
  readonly #body: Record<string, unknown> = {}
  readonly #params: Record<string, string>
  readonly #features: string[]

  constructor(
    random: Random,
    option: Option,
    asked: Asked,
    any: () => DrawnQuery,
    { shards, pit }: Collection,
  ) {
    this.#random = random
    this.#option = option
    this.#query = asked.query
    this.#names = asked.names
    this.#params = { ...asked.params }
    this.#any = any
    this.#shards = shards
    this.#pit = pit
    this.#features = [...asked.query.names, option]
  }

  finish(spare: (typeof SPARE_KEYS)[number]): DrawnSearch {
    const random = this.#random
    const body = this.#body
    const option = this.#option
    const isScrolled = option === 'scroll'
    const size = oneOf(random, isScrolled ? [40, 60, 500] : [1, 3, 10, 10, 50])
    const from = option === 'from' ? random.below(20) : 0
    body['size'] = size
    if (from > 0) body['from'] = from
    const objects = option === 'inner_hits' ? objectQuery({ random }) : null
    const query = objects === null ? this.#query : this.#withObjects(objects)
    if (option !== 'q') body['query'] = query.dsl
    const rescores = this.#rescores()
    const sorts = this.#sorts(rescores.length > 0)
    const readsScores = sorts.length === 0 || sorts.some(each => each.readsScores === true)
    const keepsScores = readsScores || option === 'track_scores'
    if (option === 'track_scores') body['track_scores'] = true
    const boost = this.#boost()
    const slice = option === 'slice' ? this.#slice() : null
    let matches = this.#matches(query, boost, slice, keepsScores)
    matches = this.#routed(matches)
    const scored = this.#scored(matches, sorts)
    const counted = this.#counted(matches)
    const isTracked = this.#tracks()
    matches = this.#filtered(matches, keepsScores)
    matches = this.#cut(matches)
    const mostOfShard = Number(body['terminate_after'])
    const isFull = (_: PlainShard, ord: number): boolean =>
      matches.filter(match => match.ord === ord).length === mostOfShard
    const isCut = option === 'terminate_after' ? this.#shards.some(isFull) : null
    const { length: total } = matches
    // The hits of a group are found by a search of their own, by score.
    const scoredMatches = keepsScores ? matches : this.#matches(query, 1, null, true)
    const rescored = rescores.length === 0 ? matches : this.#rescored(matches, rescores)
    const ordered = inOrder(rescored, sorts)
    const isCollapsed = option === 'collapse' || option === 'collapse_inner_hits'
    const shown = isCollapsed ? this.#collapsed(ordered) : ordered
    const after = option === 'search_after' ? this.#after(shown, sorts) : shown
    if (option === 'explain') body['explain'] = true
    // The best score is told where hits stand by it, or where it is asked for.
    const [first] = sorts
    const isBest = first === undefined || (first.name === 'score' && first.descending)
    const isBestKnown = isBest || option === 'track_scores'
    const best = Math.max(...rescored.map(({ score }) => score))
    const partsOf = this.#parts()
    const most = this.#piped()
    const withNameScores = option === 'include_named_queries_score'
    if (withNameScores) body['include_named_queries_score'] = true
    const sent = this.#sent(spare, { isScrolled, tracksTotal: option !== 'track_total_hits' })
    return {
      ...sent,
      isCut,
      isScrolled,
      isExplained: option === 'explain',
      scored,
      counted,
      total: isTracked ? total : null,
      maxScore: isBestKnown && total > 0 ? best : null,
      hits: (isScrolled ? after : after.slice(from, from + Math.min(size, most))).map(match => ({
        ...this.#namesOf(match, withNameScores),
        parts: partsOf(match),
        id: match.document.id,
        score: keepsScores ? match.score : null,
        sort: shownSort(match, sorts),
        objects: objects === null ? null : bestObjects(objects, match),
        group: option === 'collapse_inner_hits' ? bestOfGroup(match, scoredMatches) : null,
      })),
    }
  }

  /** The named queries that a match is one of: a least score within them sees boosts where they are scored. */
  #namesOf(match: Match, isScored: boolean): Pick<ExpectedHit, 'names' | 'nameScores'> {
    if (isScored) {
      const nameScores = scoresOfNames(this.#names, match)
      return { names: Object.keys(nameScores), nameScores }
    }
    const found = this.#names.filter(({ query }) => isMatch(query, match))
    return { names: found.map(({ name }) => name), nameScores: null }
  }

  /** The request, some of whose keys go in the URL. */
  #sent(
    spare: (typeof SPARE_KEYS)[number],
    search: Omit<SpareFor, 'hasPit'>,
  ): Pick<DrawnSearch, 'body' | 'path' | 'features'> {
    const random = this.#random
    const body = this.#body
    const params = this.#params
    const hasPit = body['pit'] !== undefined
    const added = spare(random, { ...search, hasPit })
    Object.assign(body, added.body)
    Object.assign(params, added.params)
    if (this.#option === 'scroll') params['scroll'] = '1m'
    // Statistics of several shards are no shard's own, as the documents are gone through here.
    if (this.#option === 'dfs_query_then_fetch' && this.#shards.length === 1)
      params['search_type'] = this.#option
    const sort = (body['sort'] ?? []) as readonly (string | object)[]
    if (random.below(2) === 0) moveToUrl(body, params)
    const query = new URLSearchParams(params).toString()
    const path = hasPit ? '/_search' : '/i/_search'
    return {
      body,
      path: query === '' ? path : `${path}?${query}`,
      features: [...this.#features, ...featuresOf(body, params, sort)],
    }
  }

  /** The matches in the shards that the request names. */
  #routed(matches: readonly Match[]): readonly Match[] {
    const random = this.#random
    if (this.#option === 'routing') {
      const routing = `r${random.below(ROUTES)}`
      this.#params['routing'] = routing
      return matches.filter(({ shard }) => shard.routes.includes(routing))
    }
    if (this.#option === 'preference') {
      const preference = oneOf(random, ['_local', 'me', '_shards:0', '_shards:0|_local'])
      this.#params['preference'] = preference
      return preference.startsWith('_shards') ? matches.filter(({ ord }) => ord === 0) : matches
    }
    return matches
  }

  /** How many matches each shard scores; null: that is not known. */
  #scored(matches: readonly Match[], sorts: readonly DrawnSort[]): readonly number[] | null {
    if (sorts.length > 0 || SCORED_OTHERWISE.has(this.#option)) return null
    return this.#shards.map((_, shard) => matches.filter(({ ord }) => ord === shard).length)
  }

  /** How many matches an aggregation counts; null: there is none. */
  #counted(matches: readonly Match[]): number | null {
    const option = this.#option
    if (option !== 'aggs' && option !== 'aggregations') return null
    this.#body[option] = { counted: { value_count: { field: 'first' } } }
    return matches.filter(({ document }) => document.source.first !== undefined).length
  }

  /** The most hits that a search pipeline lets through. */
  #piped(): number {
    const option = this.#option
    if (option !== 'search_pipeline' && option !== 'verbose_pipeline') return Infinity
    const body = this.#body
    if (option === 'verbose_pipeline') body['verbose_pipeline'] = true
    body['search_pipeline'] = oneOf(this.#random, [PIPELINE, PIPELINE_BODY])
    return PIPED
  }

  /** The query, where a nested object matches, of which the hit shows which. */
  #withObjects(objects: DrawnQuery): DrawnQuery {
    const { dsl, names, mustBecomesFilter, on } = this.#query
    const nested = { path: 'items', query: objects.dsl, inner_hits: {} }
    return {
      dsl: { bool: { must: [{ nested }], should: [dsl] } },
      names: ['bool', 'nested', ...names],
      mustBecomesFilter,
      on: shard => ({
        kind: 'boolean',
        clauses: [
          {
            occur: 'must',
            query: {
              kind: 'blockJoin',
              query: objects.on(shard),
              parentPath: null,
              scoreMode: 'avg',
            },
          },
          { occur: 'should', query: on(shard) },
        ],
        minimumShouldMatch: 0,
      }),
    }
  }

  /** The factor of the index's scores. */
  #boost(): number {
    if (this.#option !== 'indices_boost') return 1
    const boost = oneOf(this.#random, [0.5, 2, 3.25])
    this.#body['indices_boost'] = [{ i: boost }]
    return boost
  }

  #matches(
    query: DrawnQuery,
    boost: number,
    slice: ((ord: number) => Query) | null,
    scored: boolean,
  ): readonly Match[] {
    return this.#shards.flatMap((shard, ord) =>
      shard.matches(within(query.on(shard), slice?.(ord) ?? null), scored).map(match => ({
        ...match,
        score: f32(match.score * boost),
        ord,
        shard,
      })),
    )
  }

  /** One of several slices: what it takes of each shard. */
  #slice(): (ord: number) => Query {
    const random = this.#random
    const { length: shards } = this.#shards
    const max = 2 + random.below(4)
    const id = random.below(max)
    this.#body['pit'] = { id: this.#pit }
    this.#body['slice'] = { id, max }
    return ord => {
      if (max < shards) return ord % max === id ? EVERYTHING : NOTHING
      if (id % shards !== ord) return NOTHING
      const count = Math.floor(max / shards) + (ord < max % shards ? 1 : 0)
      const slice = Math.floor(id / shards)
      if (count === 1) return EVERYTHING
      return { kind: 'slice', column: 'ids', field: '_id', slice, max: count }
    }
  }

  /** Whether all matches are counted. */
  #tracks(): boolean {
    const body = this.#body
    if (this.#option !== 'track_total_hits') return true
    const limit = oneOf(this.#random, [true, false, 3])
    body['track_total_hits'] = limit
    return limit === true
  }

  #filtered(matches: readonly Match[], keepsScores: boolean): readonly Match[] {
    const body = this.#body
    if (this.#option === 'post_filter') {
      const filter = this.#any()
      body['post_filter'] = filter.dsl
      return matches.filter(match => isMatch(filter, match))
    }
    if (this.#option === 'min_score' && keepsScores) {
      const scores = matches.map(({ score }) => score).sort((a, b) => a - b)
      const least = scores[this.#random.below(Math.max(1, scores.length))] ?? 1
      body['min_score'] = least
      return matches.filter(({ score }) => score >= least)
    }
    return matches
  }

  /** In each shard the first matches alone, where the search ends after so many. */
  #cut(matches: readonly Match[]): readonly Match[] {
    const body = this.#body
    // Time that does not run out changes nothing.
    if (this.#option === 'timeout') body['timeout'] = oneOf(this.#random, ['1h', '500s', '-1'])
    if (this.#option !== 'terminate_after') return matches
    const most = oneOf(this.#random, [1, 2, 5, 20, 1000])
    body['terminate_after'] = most
    return this.#shards.flatMap((_, ord) =>
      matches
        .filter(match => match.ord === ord)
        .sort((a, b) => a.place - b.place)
        .slice(0, most),
    )
  }

  /** What is asked for of each hit. */
  #parts(): (match: Match) => PrintedParts {
    const body = this.#body
    const option = this.#option
    if (option === 'collapse' || option === 'collapse_inner_hits') {
      const { field } = body['collapse'] as { readonly field: 'shelf' | 'first' }
      return ({ document: { source } }) =>
        present({ [field]: source[field] === undefined ? [] : [source[field]] })
    }
    if (!Object.hasOwn(PART_OPTIONS, option)) return () => ({})
    const part: DrawnPart = PART_OPTIONS[option as PartOption](this.#random)
    Object.assign(body, part.body)
    Object.assign(this.#params, part.params)
    return part.printed
  }

  #sorts(isRescored: boolean): readonly DrawnSort[] {
    const random = this.#random
    const body = this.#body
    if (this.#option === '_shard_doc') {
      body['sort'] = [{ _shard_doc: 'asc' }]
      body['pit'] = { id: this.#pit }
      const level = { name: '_shard_doc', dsl: {}, descending: false, isPlace: true }
      return [{ ...level, value: ({ ord, place }) => ord * 2 ** 32 + place }]
    }
    const needs = this.#option === 'track_scores' || this.#option === 'search_after'
    if (isRescored || BY_SCORE_ALONE.has(this.#option) || (!needs && random.below(2) === 0))
      return []
    const first = oneOf(random, SORTS)
    const others = SORTS.filter(name => name !== first)
    const names = random.below(3) === 0 ? [first, oneOf(random, others)] : [first]
    const sorts = names.map(name => drawSort(random, name))
    if (sorts.length === 1 && sorts[0]!.name === 'score' && sorts[0]!.descending) return []
    body['sort'] = sorts.map(({ dsl }) => dsl)
    this.#features.push(...names.map(name => `sort ${name}`))
    return sorts
  }

  #rescores(): readonly Rescore[] {
    const random = this.#random
    const option = this.#option
    if (option !== 'rescore' && option !== 'rescore_chain') return []
    const rescores = several(option === 'rescore' ? 1 : 2, (): Rescore => {
      const [window, query] = [oneOf(random, [50, 60, 100]), this.#any()]
      const [first, second] = [oneOf(random, [1, 0.5, 2]), oneOf(random, [1, 3, 0.25])]
      const mode = oneOf(random, ['total', 'multiply', 'avg', 'max', 'min'])
      return { window, query, first, second, mode }
    })
    const printed = rescores.map(({ window, query, first, second, mode }) => ({
      window_size: window,
      query: {
        rescore_query: query.dsl,
        query_weight: first,
        rescore_query_weight: second,
        score_mode: mode,
      },
    }))
    this.#body['rescore'] = option === 'rescore' ? printed[0] : printed
    return rescores
  }

  /** Each shard's matches, of which the first windows are scored anew. */
  #rescored(matches: readonly Match[], rescores: readonly Rescore[]): readonly Match[] {
    return this.#shards.flatMap((shard, ord) => {
      let mine = inOrder(
        matches.filter(match => match.ord === ord),
        [],
      )
      // A shard hands on no more hits than the request or a window wants.
      const wanted = Math.max(...rescores.map(({ window }) => window), this.#body['size'] as number)
      mine = mine.slice(0, wanted)
      for (const { window, query, first, second, mode } of rescores) {
        const scores = new Map(
          shard.matches(query.on(shard)).map(match => [match.document, match.score]),
        )
        const changed = mine.map((match, i): Match => {
          const primary = f32(match.score * first)
          const other = i < window ? scores.get(match.document) : undefined
          if (other === undefined) return { ...match, score: primary }
          const secondary = f32(other * second)
          const score = {
            total: f32(primary + secondary),
            multiply: f32(primary * secondary),
            avg: f32(f32(primary + secondary) / 2),
            max: Math.max(primary, secondary),
            min: Math.min(primary, secondary),
          }[mode]
          return { ...match, score }
        })
        mine = inOrder(changed, [])
      }
      return mine
    })
  }

  /** The best match of each group. */
  #collapsed(ordered: readonly Match[]): readonly Match[] {
    const inner = this.#option === 'collapse_inner_hits'
    const field = inner ? 'shelf' : oneOf(this.#random, ['shelf', 'first'])
    this.#body['collapse'] = { field, ...(inner ? { inner_hits: { name: 'group', size: 4 } } : {}) }
    const seen = new Set<unknown>()
    return ordered.filter(({ document: { source } }) => {
      const group = source[field]
      if (seen.has(group)) return false
      seen.add(group)
      return true
    })
  }

  /** The matches behind one of them. */
  #after(ordered: readonly Match[], sorts: readonly DrawnSort[]): readonly Match[] {
    const random = this.#random
    const last = ordered[random.below(Math.max(1, ordered.length))]
    // Hits by score alone print no sort values.
    if (last === undefined || sorts.length === 0) return ordered
    if (sorts.some(({ isPlace }) => isPlace)) return ordered
    const values = sorts.map(each => each.value(last))
    // Values beyond those that are kept exactly are not handed back as numbers.
    if (values.some(value => typeof value === 'number' && Math.abs(value) > 2 ** 53)) return ordered
    this.#body['search_after'] = values.map((value, i) => printed(value, sorts[i]!))
    return ordered.filter(match => compareBy(valuesOf(match, sorts), values, sorts) > 0)
  }
}

const BY_SCORE: DrawnSort = {
  name: 'score',
  dsl: {},
  descending: true,
  value: ({ score }) => score,
}

const EVERYTHING: Query = { kind: 'matchAll' }

/** A query's matches that a filter takes. */
function within(query: Query, filter: Query | null): Query {
  if (filter === null || filter === EVERYTHING) return query
  const clauses = [
    { occur: 'must' as const, query },
    { occur: 'filter' as const, query: filter },
  ]
  return { kind: 'boolean', clauses, minimumShouldMatch: 0 }
}

function printed(value: SortKeyValue, sort: DrawnSort): unknown {
  return sort.print === undefined ? value : sort.print(value)
}

function shownSort(match: Match, sorts: readonly DrawnSort[]): ExpectedHit['sort'] {
  if (sorts.length === 0) return null
  if (sorts.some(({ isPlace }) => isPlace)) return 'places'
  return sorts.map(each => printed(each.value(match), each))
}

function isMatch({ on }: DrawnQuery, { shard, document }: Match): boolean {
  return shard.matchesOf(on).has(document)
}

/** The scores of the named queries that a match is one of. */
function scoresOfNames(
  names: readonly NamedQuery[],
  { shard, document }: Match,
): Readonly<Record<string, number>> {
  return Object.fromEntries(
    names.flatMap(({ name, on }) => {
      const found = shard.matches(on(shard)).find(match => match.document === document)
      return found === undefined ? [] : [[name, found.score]]
    }),
  )
}

function valuesOf(match: Match, levels: readonly DrawnSort[]): readonly SortKeyValue[] {
  return levels.map(each => each.value(match))
}

function compareBy(
  a: readonly SortKeyValue[],
  b: readonly SortKeyValue[],
  levels: readonly DrawnSort[],
): number {
  for (const [i, level] of levels.entries()) {
    const found = compareValues(a[i]!, b[i]!, level)
    if (found !== 0) return found
  }
  return 0
}

/** Matches by the levels, or by score; equals by shard and document. */
function inOrder(matches: readonly Match[], sorts: readonly DrawnSort[]): Match[] {
  const levels = sorts.length === 0 ? [BY_SCORE] : sorts
  return matches
    .map(match => ({ match, values: valuesOf(match, levels) }))
    .sort(
      (a, b) =>
        compareBy(a.values, b.values, levels) ||
        a.match.ord - b.match.ord ||
        a.match.place - b.match.place,
    )
    .map(({ match }) => match)
}

/** The offsets of the nested objects of a match that a query matches, the three best. */
function bestObjects(query: DrawnQuery, { shard, document }: Match): readonly number[] {
  const on = query.on(shard)
  return document.objects
    .get('items')!
    .flatMap((object, offset) => {
      const score = shard.oracle.score(on, object)
      return score === null ? [] : [{ offset, score }]
    })
    .sort((a, b) => b.score - a.score || a.offset - b.offset)
    .slice(0, 3)
    .map(({ offset }) => offset)
}

/** The best four matches of a match's group. */
function bestOfGroup(
  { document }: Match,
  matches: readonly Match[],
): readonly (readonly [string, number])[] {
  const group = matches.filter(each => each.document.source.shelf === document.source.shelf)
  return inOrder(group, [])
    .slice(0, 4)
    .map(each => [each.document.id, each.score])
}

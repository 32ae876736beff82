/** A random request with its answer, found by going through the documents one by one. */
import type { Query } from '../../../src/search/query/query.ts'
import type { Random } from '../../../src/util/random.ts'
import { objectQuery } from './joined-kinds.ts'
import { type DrawnQuery, NOTHING, oneOf, several } from './kind.ts'
import { drawQuery, QUERY_KINDS } from './kinds.ts'
import type { PlainShard } from './plain-shard.ts'
import {
  compareValues,
  type DrawnSort,
  drawSort,
  type Match,
  SORT_KINDS,
  type SortKeyValue,
} from './sorts.ts'

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
  /** What else is asked for of it, as it prints. */
  readonly parts: Readonly<Record<string, unknown>>
}

/** A request with what it must find. */
export interface DrawnSearch {
  readonly body: Readonly<Record<string, unknown>>
  /** The path of the request; one over a point in time names no index. */
  readonly path: string
  /** Queries, sorts and options that it is made of. */
  readonly features: readonly string[]
  readonly total: number | null
  readonly hits: readonly ExpectedHit[]
  readonly maxScore: number | null
  /** Whether some shard has as many matches as a search ends after; null: it does not end early. */
  readonly isCut: boolean | null
  /** Whether the hits are those of all pages of a scroll. */
  readonly isScrolled: boolean
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
  '_source',
  'fields',
  'docvalue_fields',
  'version',
  'seq_no_primary_term',
] as const

type Option = (typeof OPTIONS)[number]

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

/** Keys of sources by which they are filtered. */
const SOURCE_KEYS = ['body', 'tag', 'num', 'at', 'items', 'marks', 'zone']

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
  const asked = option === 'named_queries' ? withNames(random, top, any) : { query: top, names: [] }
  return new SearchDraft(random, option, asked, any, collection).finish()
}

interface NamedQuery {
  readonly name: string
  readonly query: DrawnQuery
}

/** A query beside others, each with a name. */
function withNames(
  random: Random,
  top: DrawnQuery,
  any: () => DrawnQuery,
): { readonly query: DrawnQuery; readonly names: readonly NamedQuery[] } {
  const all = [top, ...several(1 + random.below(2), any)]
  const clauses = all.map((query, i) => ({ name: `q${i}`, query }))
  const should = clauses.map(({ name, query }) => ({
    bool: { must: [query.dsl], _name: name },
  }))
  const wrapped = ({ mustBecomesFilter, on }: DrawnQuery, shard: PlainShard): Query => ({
    kind: 'boolean',
    clauses: [{ occur: mustBecomesFilter ? 'filter' : 'must', query: on(shard) }],
    minimumShouldMatch: 0,
  })
  return {
    names: clauses,
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
  readonly #features: string[]

  constructor(
    random: Random,
    option: Option,
    asked: { readonly query: DrawnQuery; readonly names: readonly NamedQuery[] },
    any: () => DrawnQuery,
    { shards, pit }: Collection,
  ) {
    this.#random = random
    this.#option = option
    this.#query = asked.query
    this.#names = asked.names
    this.#any = any
    this.#shards = shards
    this.#pit = pit
    this.#features = [...asked.query.names, option]
  }

  finish(): DrawnSearch {
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
    body['query'] = query.dsl
    const rescores = this.#rescores()
    const sorts = this.#sorts(rescores.length > 0)
    const readsScores = sorts.length === 0 || sorts.some(each => each.readsScores === true)
    const keepsScores = readsScores || option === 'track_scores'
    if (option === 'track_scores') body['track_scores'] = true
    const boost = this.#boost()
    const slice = option === 'slice' ? this.#slice() : null
    let matches = this.#matches(query, boost, slice, keepsScores)
    const isTracked = this.#tracks()
    matches = this.#filtered(matches, keepsScores)
    matches = this.#cut(matches)
    const most = Number(body['terminate_after'])
    const isFull = (_: PlainShard, ord: number): boolean =>
      matches.filter(match => match.ord === ord).length === most
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
    return {
      body,
      isCut,
      isScrolled,
      path: this.#path(),
      features: this.#features,
      total: isTracked ? total : null,
      maxScore: isBestKnown && total > 0 ? best : null,
      hits: (isScrolled ? after : after.slice(from, from + size)).map(match => ({
        parts: partsOf(match),
        id: match.document.id,
        score: keepsScores ? match.score : null,
        sort: shownSort(match, sorts),
        names: this.#names.filter(each => isMatch(each.query, match)).map(({ name }) => name),
        objects: objects === null ? null : bestObjects(objects, match),
        group: option === 'collapse_inner_hits' ? bestOfGroup(match, scoredMatches) : null,
      })),
    }
  }

  #path(): string {
    if (this.#body['pit'] !== undefined) return '/_search'
    const isGlobal = this.#option === 'dfs_query_then_fetch'
    if (this.#option === 'scroll') return '/i/_search?scroll=1m'
    // Statistics of several shards are no shard's own, as the documents are gone through here.
    return isGlobal && this.#shards.length === 1
      ? `/i/_search?search_type=${this.#option}`
      : '/i/_search'
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
  #parts(): (match: Match) => Readonly<Record<string, unknown>> {
    const random = this.#random
    const body = this.#body
    const present = (
      fields: Readonly<Record<string, readonly unknown[] | undefined>>,
    ): Readonly<Record<string, unknown>> => {
      const some = Object.entries(fields).filter(([, values]) => (values?.length ?? 0) > 0)
      return some.length === 0 ? {} : { fields: Object.fromEntries(some) }
    }
    switch (this.#option) {
      case 'collapse':
      case 'collapse_inner_hits': {
        const { field } = body['collapse'] as { readonly field: 'shelf' | 'first' }
        return ({ document: { source } }) =>
          present({ [field]: source[field] === undefined ? [] : [source[field]] })
      }
      case '_source': {
        const names = several(1 + random.below(3), () => oneOf(random, SOURCE_KEYS))
        const isExcluding = random.below(2) === 0
        body['_source'] = isExcluding ? { excludes: names } : names
        return ({ document: { source } }) => ({
          _source: Object.fromEntries(
            Object.entries(source).filter(([key]) => names.includes(key) !== isExcluding),
          ),
        })
      }
      case 'fields':
        body['fields'] = ['num', 'she*', { field: 'day', format: 'epoch_millis' }]
        return ({ document: { source } }) =>
          present({
            num: source.num,
            shelf: source.shelf === undefined ? [] : [source.shelf],
            day: source.day === undefined ? [] : [`${source.day}`],
          })
      case 'docvalue_fields':
        body['docvalue_fields'] = ['num', 'tag', { field: 'first' }]
        return ({ document: { source } }) =>
          present({
            num: source.num?.toSorted((a, b) => a - b),
            tag: [...new Set(source.tag)].sort(),
            first: source.first === undefined ? [] : [source.first],
          })
      case 'version':
        body['version'] = true
        return () => ({ _version: 1 })
      case 'seq_no_primary_term':
        body['seq_no_primary_term'] = true
        return ({ document, shard }) => ({
          _seq_no: shard.documents.indexOf(document),
          _primary_term: 1,
        })
    }
    return () => ({})
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
    const needs = this.#option === 'track_scores'
    if (isRescored || this.#option === 'slice' || (!needs && random.below(2) === 0)) return []
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
    if (last === undefined || sorts.some(({ isPlace }) => isPlace)) return ordered
    const levels = sorts.length === 0 ? [BY_SCORE] : sorts
    if (sorts.length === 0) this.#body['sort'] = [{ _score: 'desc' }]
    const values = levels.map(each => each.value(last))
    // Values beyond those that are kept exactly are not handed back as numbers.
    if (values.some(value => typeof value === 'number' && Math.abs(value) > 2 ** 53)) return ordered
    this.#body['search_after'] = values.map((value, i) => printed(value, levels[i]!))
    return ordered.filter(match => compareBy(valuesOf(match, levels), values, levels) > 0)
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

import { describe, expect, it } from 'vitest'
import { prepareSearch, rewriteSearch, type SearchPlan } from '../../../src/parallel/prepare.ts'
import { reduceSlices, type ShardResult } from '../../../src/parallel/reduce.ts'
import { bulkSearch } from '../../../src/search/bulk/bulk-search.ts'
import { type BulkShape, bulkShape } from '../../../src/search/bulk/bulk-shape.ts'
import { bulkSlice } from '../../../src/search/bulk/bulk-slice.ts'
import { columnKey, columnSort } from '../../../src/search/bulk/column-sorts.ts'
import { takesFirst } from '../../../src/search/bulk/doc-ranges.ts'
import { bestOfTerm, firstOfTerm } from '../../../src/search/bulk/sole-term.ts'
import type {
  CollectSpec,
  LeafPart,
  SliceHit,
  SliceResult,
} from '../../../src/search/collector/collect-spec.ts'
import type { MatchBatch, SliceGather } from '../../../src/search/collector/gather.ts'
import { type CollapseKey, demandsOf } from '../../../src/search/collector/gather-plan.ts'
import { SearchControl } from '../../../src/search/collector/search-control.ts'
import { MAX_LONG, MIN_LONG } from '../../../src/search/query/point-value.ts'
import type { BooleanClause, Query } from '../../../src/search/query/query.ts'
import { queryText } from '../../../src/search/query/query-ops.ts'
import type { FunctionCombination } from '../../../src/search/scorer/function-score-scorer.ts'
import type { NumberColumn } from '../../../src/search/scorer/number-values.ts'
import { searchSlice } from '../../../src/search/search-slice.ts'
import type { SortKey, SortValue } from '../../../src/search/sort/sort-key.ts'
import type { ScoreFunction } from '../../../src/search/weight/function/score-function.ts'
import type { Weight } from '../../../src/search/weight/weight.ts'
import { FilterCache } from '../../../src/segment/filter-cache.ts'
import type { Leaf } from '../../../src/segment/leaf.ts'
import { TermBitSetCache, type TermBitSets } from '../../../src/segment/term-bit-sets.ts'
import { BitSet } from '../../../src/util/bit-set.ts'
import { encodeUtf8 } from '../../../src/util/bytes.ts'
import { EngineError, IllegalArgumentError } from '../../../src/util/errors.ts'
import { Random } from '../../../src/util/random.ts'
import {
  type KeywordsField,
  type NumbersField,
  type PostingsField,
  type PostingsList,
  postingsLeaf,
} from '../../support/postings-leaf.ts'
import { optionsOf, type PlanOptions, searchPlan } from '../../support/search-plan.ts'
import { spareMemory } from '../../support/spare-memory.ts'
import { checkedArena, type TestArena, testArena } from '../../support/test-arena.ts'

/** A longer run, or another seed: `LAMELLA_FUZZ_CASES=1000000 LAMELLA_FUZZ_SEED=7`. */
const CASES = Number(process.env['LAMELLA_FUZZ_CASES'] ?? 20_000)
const SEED = Number(process.env['LAMELLA_FUZZ_SEED'] ?? 1)
const QUERIES_PER_COLLECTION = 250

/** The module that is published, and the debug build, which stops at the first stray access. */
const BUILDS: readonly [string, TestArena][] = [
  ['kernels', testArena(64 << 20)],
  ['kernels of the debug build', checkedArena(64 << 20, true)],
]

/** Sizes of lists at which the format changes shape, and around a window. */
const SIZES = [1, 2, 3, 127, 128, 129, 255, 256, 257, 1000, 4095, 4097]
/** More than are listed where a run of them is searched, and more than a group of a dictionary. */
const TAGS = Array.from({ length: 90 }, (_, i) => `t${i.toString().padStart(2, '0')}`)
/** What the kernels leave, of the queries that are made here. */
const LEFT = ['uneven_weights', 'nested_bool', 'phrase_clause', 'sloppy_repeats', 'function_score']
const DRIFTS = [0, 0, 0, 1e-7, -1e-7, 1e-5, -1e-3, 1e-1, -1e-1]

/** Hot filters and sets of terms of a collection, with room for a few of them. */
interface Caches {
  readonly filters: FilterCache
  readonly termBitSets: TermBitSetCache
  /** Sets that searches were given. */
  used: number
}

function smallCaches(arena: TestArena, random: Random): Caches {
  const memory = spareMemory(arena)
  const policy = { minDocs: 0, docsPerMember: pick(random, [0, 0, 4, 100]) }
  return {
    filters: new FilterCache(memory, 8 << 10, 0),
    termBitSets: new TermBitSetCache(memory, 24 << 10, policy),
    used: 0,
  }
}

/** A leaf's sets of terms, counted when they are used. */
function countedSets(caches: Caches, sets: TermBitSets | null): TermBitSets | null {
  if (sets === null) return null
  return {
    find(field, term, make) {
      const set = sets.find(field, term, make)
      if (set !== null) caches.used++
      return set
    },
  }
}

function pick<T>(random: Random, items: readonly T[]): T {
  return items[random.below(items.length)] as T
}

function randomDocs(random: Random, count: number, maxDoc: number): Int32Array {
  // Runs of neighbours make dense blocks; the rest is spread evenly.
  const chosen = new BitSet(maxDoc)
  let left = Math.min(count, maxDoc)
  if (random.below(3) === 0) {
    const start = random.below(maxDoc)
    for (let doc = start; doc < maxDoc && left > 1; doc += 1 + random.below(2)) {
      chosen.add(doc)
      left--
    }
  }
  while (left > 0) {
    const doc = random.below(maxDoc)
    if (chosen.has(doc)) continue
    chosen.add(doc)
    left--
  }
  const docs = new Int32Array(chosen.count())
  for (let doc = chosen.next(0), i = 0; doc < maxDoc; doc = chosen.next(doc + 1)) docs[i++] = doc
  return docs
}

function randomList(random: Random, docs: Int32Array, maxFreq: number): PostingsList {
  // Equal frequencies more often than not: scores then tie.
  const style = random.below(4) % 3
  const freqs = Int32Array.from(docs, () =>
    style === 0 ? 1 : style === 1 ? 1 + random.below(4) : 1 + random.below(maxFreq),
  )
  if (maxFreq > 100) return { docs, freqs, positions: null }
  const positions: number[] = []
  // Close by each other, spread over a long document, or several at one position.
  const [least, most] = pick(random, [
    [1, 3],
    [1, 3],
    [1, 30],
    [0, 2],
  ] as const)
  for (const freq of freqs) {
    let position = random.below(3)
    for (let i = 0; i < freq; i++) {
      positions.push(position)
      position += least + random.below(most)
    }
  }
  return { docs, freqs, positions: Int32Array.from(positions) }
}

function randomLeaf(
  arena: TestArena,
  caches: Caches,
  random: Random,
  ord: number,
  docBase: number,
  grammar: Grammar,
): Leaf {
  const maxDoc = pick(random, [1, 100, 129, 3000, 5000, 9000, 13_000])
  const makeField = (
    name: string,
    maxFreq: number,
    terms: readonly string[],
    sizes: readonly number[],
  ): PostingsField => {
    const style = random.below(6)
    const codes =
      style === 0
        ? null
        : Uint8Array.from({ length: maxDoc }, () =>
            style % 2 === 1 ? 12 : style === 2 ? 5 + random.below(40) : random.below(200),
          )
    const lists = terms.map(term => {
      const dense = sizes === SIZES && random.below(4) === 0
      const count = dense ? 1 + random.below(maxDoc) : Math.min(maxDoc, pick(random, sizes))
      return [term, randomList(random, randomDocs(random, count, maxDoc), maxFreq)] as const
    })
    // A leaf need not know every term.
    return { name, lists: lists.filter((_, i) => i < 2 || random.below(8) > 0), codes }
  }
  const letters = [...'abcdefgh']
  const fields = [
    makeField('body', random.below(4) === 0 ? 40 : 12, letters, SIZES),
    makeField('wild', 1 << 20, letters, SIZES),
    makeField('tag', random.below(2) === 0 ? 12 : 1 << 20, TAGS, [1, 1, 1, 2, 5, 127, 128, 300]),
  ]
  let live: BitSet | null = null
  if (random.below(3) === 0) {
    live = new BitSet(maxDoc)
    for (let doc = 0; doc < maxDoc; doc++) if (random.below(10) > 0) live.add(doc)
  }
  const place = { uid: ord, ord, docBase }
  const segment = { uid: ord, maxDoc, directory: arena }
  const kept = caches.filters.of(segment)
  const sets = countedSets(caches, caches.termBitSets.of(segment))
  const numbers = randomNumbers(random, maxDoc)
  const keywords = grammar === 'wide' ? randomKeywords(random, maxDoc) : null
  return postingsLeaf(arena, fields, maxDoc, live, place, numbers, kept, sets, keywords)
}

/** Few terms or many, of which no leaf has all. */
function randomKeywords(random: Random, maxDoc: number): KeywordsField | null {
  const style = random.below(5)
  if (style === 0) return null
  const known = pick(random, [3, 40, 400])
  const terms = Array.from({ length: known }, (_, i) => `k${String(i).padStart(3, '0')}`).filter(
    (_, i) => i === 0 || random.below(4) > 0,
  )
  const docs: number[] = []
  const ords: number[] = []
  for (let doc = 0; doc < maxDoc; doc++) {
    if (style < 3 && random.below(6) === 0) continue
    const ord = random.below(terms.length)
    docs.push(doc)
    ords.push(ord)
    if (style < 4 || ord + 1 === terms.length || random.below(50) > 0) continue
    docs.push(doc)
    ords.push(ord + 1)
  }
  return { name: 'kind', docs: Int32Array.from(docs), ords: Int32Array.from(ords), terms }
}

function randomNumbers(random: Random, maxDoc: number): NumbersField | null {
  const style = random.below(6)
  if (style === 0) return null
  const docs: number[] = []
  for (let doc = 0; doc < maxDoc; doc++) {
    if (style < 3 && random.below(5) === 0) continue
    docs.push(doc)
    // Several values of one document are for the iterators.
    if (style === 5 && random.below(50) === 0) docs.push(doc)
  }
  const span = [1n, 3n, 1000n, 1n << 40n, 1n << 62n][random.below(5)]!
  const rises = random.below(3) === 0
  const values = docs.map((doc, i) => {
    if (docs[i] === docs[i - 1]) return span
    if (rises) return BigInt(doc) * (span / 10_000n + 1n)
    return (BigInt(random.nextUint32()) * span) / 0x80000000n - span
  })
  return { name: 'num', docs: Int32Array.from(docs), values }
}

function randomSort(random: Random, grammar: Grammar): readonly SortKey[] | null {
  if (grammar === 'wide' && random.below(3) === 0) {
    const first = random.below(2) === 0 ? randomKeywordKey(random) : randomNumberKey(random)
    const second = pick(random, [BY_SCORE, randomKeywordKey(random)])
    return random.below(2) === 0 ? [first, second] : [randomKeywordKey(random)]
  }
  const style = random.below(8)
  if (style < 4) return null
  if (style === 4) return [BY_SCORE]
  if (style === 5) return [BY_SCORE, { kind: 'doc', descending: false }]
  return [randomNumberKey(random)]
}

function randomKeywordKey(random: Random): SortKey {
  const descending = random.below(2) === 0
  const missing = pick<'first' | 'last' | Uint8Array>(random, [
    'first',
    'last',
    'last',
    encodeUtf8('k001'),
    encodeUtf8('j'),
  ])
  return { kind: 'keyword', field: 'kind', descending, missing, mode: descending ? 'max' : 'min' }
}

function randomNumberKey(random: Random): SortKey {
  const descending = random.below(2) === 0
  const missing = pick(random, [MIN_LONG, MAX_LONG, 0n])
  const key = { kind: 'number', field: 'num', encoding: 'long', scale: 1 } as const
  return { ...key, descending, missing, mode: descending ? 'max' : 'min' }
}

function randomTerm(random: Random): Query {
  const field = random.below(4) === 0 ? 'wild' : 'body'
  return { kind: 'term', field, term: pick(random, [...'abcdefghabcdefgh', 'absent']) }
}

/** Ends of the sizes that `randomNumbers` makes: few values, most of them, or somewhere between. */
function randomRange(random: Random): Query {
  const ends = [-1n, 0n, 1n, 500n, -500n, 1n << 38n, -(1n << 60n), MAX_LONG, MIN_LONG]
  const one = pick(random, ends)
  const other = pick(random, ends)
  const [lower, upper] = one < other ? [one, other] : [other, one]
  return {
    kind: 'pointRange',
    field: 'num',
    lower,
    upper,
    lowerText: String(lower),
    upperText: String(upper),
    indexed: true,
    docValues: true,
  }
}

function randomClause(random: Random): Query {
  const kind = random.below(14)
  if (kind === 0) return { kind: 'constantScore', query: randomTerm(random) }
  if (kind === 1) return { kind: 'matchAll' }
  if (kind === 2)
    return { kind: 'boost', query: randomTerm(random), boost: pick(random, [0.1, 3, 1e-3]) }
  if (kind === 3) {
    if (random.below(2) === 0) {
      const lower = pick(random, TAGS)
      const upper = random.below(3) === 0 ? null : pick(random, TAGS)
      const includes = { includeLower: random.below(2) === 0, includeUpper: true }
      return { kind: 'termRange', field: 'tag', lower, upper, ...includes }
    }
    const query = { kind: 'termRange', field: 'body', lower: 'b', upper: 'd' } as const
    return { ...query, includeLower: true, includeUpper: random.below(2) === 0 }
  }
  if (kind < 6) return randomRange(random)
  return randomTerm(random)
}

/** A clause, or several: more often than not of terms. */
function randomAlternative(random: Random): Query {
  if (random.below(2) === 0) return randomTerm(random)
  const occur = pick(random, ['should', 'should', 'must'] as const)
  const clauses = Array.from({ length: 2 + random.below(3) }, (): BooleanClause => {
    return { occur, query: random.below(20) === 0 ? randomClause(random) : randomTerm(random) }
  })
  return { kind: 'boolean', clauses, minimumShouldMatch: occur === 'should' ? random.below(3) : 0 }
}

/** The best of several, with and without a tie breaker; alone or beside what does not score. */
function randomDisMax(random: Random, grammar: Grammar): Query {
  const count = random.below(12) === 0 ? 9 + random.below(20) : 2 + random.below(4)
  const hasGroups = grammar === 'wide' && random.below(3) > 0
  const queries = Array.from({ length: count }, () =>
    hasGroups ? randomAlternative(random) : randomClause(random),
  )
  const ties = hasGroups ? [0, 0, 0, 0.3] : [0, 0, 0.1, 0.3, 0.7, 1, Math.fround(random.next())]
  const tieBreaker = pick(random, ties)
  const query: Query = { kind: 'disMax', queries, tieBreaker }
  const style = random.below(6)
  if (style < 3) return query
  if (style === 3) return { kind: 'boost', query, boost: pick(random, [0.1, 3]) }
  const occur = pick(random, ['must', 'must', 'should'] as const)
  const others = Array.from({ length: 1 + random.below(2) }, (): BooleanClause => {
    const kinds = ['filter', 'must_not', occur === 'should' ? 'must' : 'filter'] as const
    return { occur: pick(random, kinds), query: randomClause(random) }
  })
  const minimumShouldMatch = occur === 'should' ? random.below(2) : 0
  return { kind: 'boolean', clauses: [{ occur, query }, ...others], minimumShouldMatch }
}

function randomQuery(random: Random, grammar: Grammar): Query {
  const style = random.below(16)
  if (style >= 14) return randomDisMax(random, grammar)
  if (style === 0) return randomTerm(random)
  // Half of them sets, of which the first documents are the hits.
  if (style === 1) {
    const query = random.below(2) === 0 ? randomTerm(random) : randomClause(random)
    return { kind: 'constantScore', query }
  }
  if (style === 2 || style === 3 || style >= 12) {
    const slop = style === 12 || random.below(3) === 0 ? 1 + random.below(random.below(20) + 1) : 0
    const terms = Array.from({ length: 2 + random.below(3) }, () => pick(random, [...'abcdefgh']))
    const positions = terms.map((_, i) => i + (random.below(8) === 0 ? 1 : 0))
    const phrase: Query = {
      kind: 'phrase',
      field: 'body',
      terms,
      positions: positions.sort((a, b) => a - b),
      slop,
    }
    if (style === 2 || (style < 13 && random.below(3) === 0)) return phrase
    const others = Array.from({ length: 1 + random.below(4) }, (): BooleanClause => {
      const occur = pick(random, ['filter', 'must_not', 'should', 'should'] as const)
      return { occur, query: occur === 'should' ? randomClause(random) : randomTerm(random) }
    })
    const shoulds = others.filter(({ occur }) => occur === 'should').length
    // As many as there are would make them required.
    const minimumShouldMatch = random.below(3) > 0 ? 0 : Math.min(shoulds, 1 + random.below(2))
    const clauses: BooleanClause[] = [{ occur: 'must', query: phrase }, ...others]
    return { kind: 'boolean', clauses, minimumShouldMatch }
  }
  if (style === 4) {
    const words = Array.from({ length: 2 + random.below(3) }, (): BooleanClause => {
      return { occur: 'should', query: randomTerm(random) }
    })
    const minimumShouldMatch = random.below(3)
    const group: Query = { kind: 'boolean', clauses: words, minimumShouldMatch }
    const others = Array.from({ length: 1 + random.below(2) }, (): BooleanClause => {
      return {
        occur: pick(random, ['filter', 'must_not', 'must'] as const),
        query: randomClause(random),
      }
    })
    const clauses: BooleanClause[] = [{ occur: 'must', query: group }, ...others]
    return { kind: 'boolean', clauses, minimumShouldMatch: 0 }
  }
  const occurs = pick(random, [
    ['should'],
    ['should'],
    ['must'],
    ['must', 'should'],
    ['must', 'should', 'filter', 'must_not'],
    ['should', 'should', 'filter'],
    ['should', 'should', 'must_not'],
    ['filter', 'must_not'],
  ] as const)
  const count = random.below(15) === 0 ? 12 + random.below(30) : 2 + random.below(4)
  const clauses = Array.from({ length: count }, (_, i): BooleanClause => {
    return { occur: i === 0 ? occurs[0] : pick(random, occurs), query: randomClause(random) }
  })
  const shoulds = clauses.filter(clause => clause.occur === 'should').length
  const minimumShouldMatch = random.below(4) === 0 ? Math.min(shoulds, 1 + random.below(3)) : 0
  const query: Query = { kind: 'boolean', clauses, minimumShouldMatch }
  return random.below(10) === 0 ? { kind: 'constantScore', query } : query
}

/** The weight as if the shard's mean length differed from what the leaves were written with. */
function drifted<T>(node: T, drift: number): T {
  if (drift === 0 || node === null || typeof node !== 'object' || ArrayBuffer.isView(node))
    return node
  if (Array.isArray(node)) return node.map(inner => drifted(inner, drift)) as T
  const entries = Object.entries(node).map(([key, value]) => [
    key,
    key === 'average'
      ? Math.fround((value as number) * (1 + drift))
      : drifted(value as unknown, drift),
  ])
  return Object.fromEntries(entries) as T
}

function randomParts(random: Random, leaves: readonly Leaf[]): LeafPart[][] {
  if (random.below(2) === 0)
    return [leaves.map(({ maxDoc }, leafOrd) => ({ leafOrd, minDoc: 0, maxDoc }))]
  const slices: LeafPart[][] = [[], []]
  leaves.forEach(({ maxDoc }, leafOrd) => {
    const middle = random.below(maxDoc + 1)
    const flip = random.below(2)
    if (middle > 0) slices[flip]!.push({ leafOrd, minDoc: 0, maxDoc: middle })
    if (middle < maxDoc) slices[1 - flip]!.push({ leafOrd, minDoc: middle, maxDoc })
  })
  return slices.filter(slice => slice.length > 0)
}

const BY_SCORE: SortKey = { kind: 'score', descending: true }

function isByScore(sort: readonly SortKey[] | null): boolean {
  return sort === null || sort[0]?.kind === 'score'
}

function randomAfter(random: Random): (key: SortKey) => SortValue {
  return key => {
    if (key.kind === 'keyword')
      return random.below(8) === 0 ? null : encodeUtf8(`k${random.below(400)}`)
    return key.kind === 'number' ? BigInt(random.below(2000) - 1000) : random.next() * 3
  }
}

const COLLAPSES: readonly CollapseKey[] = [
  { kind: 'number', field: 'num' },
  { kind: 'keyword', field: 'kind' },
  { kind: 'keyword', field: 'kind' },
]

/** The query with its scores changed by functions of every kind that needs no script. */
function randomFunctions(random: Random, query: Query): Query {
  const minScore = random.below(12) === 0 ? 1 : null
  const functions = Array.from({ length: pick(random, [0, 1, 1, 1, 2, 3]) }, () => ({
    filter: random.below(3) === 0 ? randomTerm(random) : null,
    // Behind the first matches, only kernels may meet what a function refuses.
    function: randomFunction(random, minScore === null),
    weight: random.below(3) === 0 ? pick(random, [0, 0.25, 2]) : null,
  }))
  const combination: FunctionCombination = {
    scoreMode: pick(random, ['multiply', 'multiply', 'sum', 'avg', 'first', 'max', 'min']),
    boostMode: pick(random, ['multiply', 'multiply', 'sum', 'replace', 'avg', 'max', 'min']),
    maxBoost: pick(random, [MAX_FLOAT, MAX_FLOAT, 1.5]),
    minScore,
  }
  return { kind: 'functionScore', query, functions, combination }
}

function randomFunction(random: Random, mayRefuse: boolean): ScoreFunction {
  const column: NumberColumn = { field: 'num', encoding: 'long', scale: 1 }
  const style = random.below(5)
  if (style === 0) return { kind: 'one' }
  if (style === 1) return { kind: 'random', seed: 7, salt: 1, source: { kind: 'documents' } }
  if (style === 2 && mayRefuse) {
    const modifiers = ['none', 'square', 'log1p', 'ln2p', 'sqrt', 'reciprocal'] as const
    const modifier = pick(random, modifiers)
    const missing = pick(random, [1, 1, null])
    const factor = pick(random, [1, 0.5, -2])
    return { kind: 'fieldValue', field: 'num', column, factor, modifier, missing }
  }
  return {
    kind: 'decay',
    shape: pick(random, ['gauss', 'exp', 'linear']),
    field: 'num',
    origin: { kind: 'number', column, value: random.below(1000) },
    scale: pick(random, [1, 500, 2 ** 40]),
    offset: random.below(2),
    decay: 0.5,
    mode: pick(random, ['min', 'max', 'avg', 'sum']),
  }
}

const MAX_FLOAT = 3.4028234663852886e38

function randomPlan(random: Random, grammar: Grammar): SearchPlan {
  const isWide = grammar === 'wide'
  const sort = randomSort(random, grammar)
  const after = isByScore(sort) || random.below(3) > 0 ? null : sort!.map(randomAfter(random))
  const inner = randomQuery(random, grammar)
  const query = isWide && random.below(5) === 0 ? randomFunctions(random, inner) : inner
  const postFilter = random.below(12) === 0 ? randomTerm(random) : null
  const options = {
    topCount: pick(random, [0, 1, 3, 3, 10, 10, 10, 100, 100, 100, 5000, 5000]),
    sort,
    searchAfter: after,
    trackScores: isWide && sort !== null && random.below(8) === 0,
    collapse: isWide && random.below(8) === 0 ? pick(random, COLLAPSES) : null,
    trackTotalHits: pick(random, [-1, -1, 0, 10, 1000, Number.POSITIVE_INFINITY]),
    minScore: random.below(10) === 0 ? random.next() * 3 : null,
  }
  return searchPlan(query, options, postFilter)
}

/** The same search with other options. */
function changed(plan: SearchPlan, options: Partial<PlanOptions>): SearchPlan {
  const { postFilter } = plan.gather.hits
  return searchPlan(plan.query, { ...optionsOf(plan), ...options }, postFilter)
}

/** Behind one of the hits, its equals or some score; the same search where nothing is found. */
function afterHit(random: Random, plan: SearchPlan, hits: readonly SliceHit[]): SearchPlan {
  // Rather an early one: most searches shall find something behind it.
  const hit = hits[random.below(1 + random.below(hits.length))]
  if (hit === undefined) return plan
  const score = random.below(6) === 0 ? hit.score * random.next() : hit.score
  const doc = hit.globalDoc + random.below(3) - 1
  return changed(plan, { searchAfter: [score, doc] })
}

/** What a hit stands by. */
function keyOf({ score, sort }: SliceHit): unknown {
  return sort === null ? score : sort[0]
}

function outcome({ hits, total, maxScore }: ShardResult): unknown {
  const rows = hits.map(({ globalDoc, score, sort }) => [globalDoc, score, ...(sort ?? [])])
  return { total, maxScore, hits: rows }
}

/** A search's result, or the reason why it is refused. */
function attempt<T>(run: () => T): T | string {
  try {
    return run()
  } catch (error) {
    if (error instanceof EngineError || error instanceof IllegalArgumentError) return error.message
    throw error
  }
}

/** What makes a search one of a sort that must not be rare here. */
function featuresOf({ gather: { hits } }: SearchPlan, shape: BulkShape): string[] {
  const features: string[] = []
  if (shape.alternatives.length > 0) features.push('alternatives')
  if (shape.phrase !== null) features.push(shape.phrase.slop > 0 ? 'sloppy phrase' : 'phrase')
  if (shape.phrase !== null && shape.optional.length > 0) features.push('phrase beside others')
  if (shape.tieBreaker !== null) features.push(shape.tieBreaker > 0 ? 'tie breaker' : 'best alone')
  if (hits.searchAfter !== null && hits.topCount > 0 && isByScore(hits.sort))
    features.push('after a score')
  if (hits.topCount > 0) {
    const [key, ...others] = hits.sort ?? []
    if (hits.collapse !== null) features.push('collapsed')
    else if (others.length > 0) features.push('on several levels')
    else if (key?.kind === 'keyword') features.push('by a keyword')
    if (shape.functions !== null) features.push('functions')
  }
  return features
}

/**
 * Searches that kernels run whole, or beside them those of which collectors keep the hits and those that are
 * several searches.
 */
type Grammar = 'plain' | 'wide'

/** The least share of all searches that has each feature. */
const SHARES: Readonly<Record<Grammar, Readonly<Record<string, number>>>> = {
  plain: {
    'after a score': 0.08,
    phrase: 0.05,
    'sloppy phrase': 0.05,
    'phrase beside others': 0.03,
    'best alone': 0.02,
    'tie breaker': 0.05,
    'first matches': 0.04,
    'one term by score': 0.01,
    'one term by a column': 0.01,
    gathered: 0.15,
    'gathered beside a post filter': 0.01,
    matching: 0.5,
    ties: 0.3,
    skips: 0.05,
  },
  wide: {
    'by a keyword': 0.08,
    'on several levels': 0.08,
    'one term by a column': 0.01,
    collapsed: 0.07,
    alternatives: 0.005,
    functions: 0.07,
    refused: 0.01,
    gathered: 0.15,
    'gathered beside a post filter': 0.01,
    matching: 0.45,
    ties: 0.25,
    skips: 0.02,
  },
}
const GRAMMARS: readonly Grammar[] = ['plain', 'wide']

/** Notes what it is handed: documents, global and in order, and their scores where it reads them. */
class Recorder implements SliceGather<readonly (readonly [number, number])[]> {
  readonly #matches: (readonly [number, number])[] = []
  readonly #readsScores: boolean

  constructor(readsScores: boolean) {
    this.#readsScores = readsScores
  }

  openLeaf(): void {}

  closeLeaf(): void {}

  collect(batch: MatchBatch): void {
    const docs = batch.docs()
    for (let i = 0; i < batch.count; i++) {
      const score = this.#readsScores ? batch.scores![i]! : 0
      this.#matches.push([docs[i]! + batch.leaf.docBase, score])
    }
  }

  finish(): readonly (readonly [number, number])[] {
    return this.#matches
  }
}

/** The search with a gather beside its hits. */
function withGather(plan: SearchPlan, spec: CollectSpec, scores: boolean): CollectSpec {
  const others = [{ gather: { kind: 'recorder' }, ready: null }]
  return { ...spec, others, demands: demandsOf(plan.gather, [{ scores, parts: 1 }]) }
}

/** Holds what a gather is handed by the kernels to what the iterators hand it, and the hits beside it. */
function expectGathered(
  random: Random,
  weight: Weight,
  spec: CollectSpec,
  {
    leaves,
    hits,
    hasTotal,
    title,
  }: { leaves: readonly Leaf[]; hits: readonly SliceHit[]; hasTotal: boolean; title: string },
): void {
  const shape = bulkShape(weight, spec)
  // Gathers read the scores of the query, not those that functions change, nor those of one alternative.
  if (shape === 'function_score' || (shape === 'nested_bool' && spec.demands.everyScore)) return
  if (typeof shape === 'string') throw new Error(`${title}: ${shape}`)
  const slices = randomParts(random, leaves)
  const run = (kernels: boolean): SliceResult[] => {
    const control = new SearchControl()
    return slices.map(parts => {
      const input = {
        weight,
        spec,
        parts,
        leafOf: (ord: number) => leaves[ord]!,
        control,
        listener: null,
        report: null,
      }
      const gathers = (): Recorder[] => [new Recorder(spec.demands.everyScore)]
      const whole = { ...input, gathers: gathers() }
      return kernels ? bulkSearch(whole, shape) : searchSlice(whole)
    })
  }
  const found = run(true)
  const expected = run(false)
  expect(found.map(slice => slice.partials, title)).toEqual(expected.map(slice => slice.partials))
  const best = (results: readonly SliceResult[]): readonly SliceHit[] =>
    [...results].flatMap(result => result.hits)
  const keyed = (all: readonly SliceHit[]): Set<number> => new Set(all.map(hit => hit.globalDoc))
  // A slice of the kernels may leave out what cannot be among the hits of all.
  const docs = keyed(best(found))
  for (const { globalDoc } of hits) expect(docs.has(globalDoc), title).toBe(true)
  // Beyond the limit a pass for the hits alone need not count.
  const limit = spec.postFilter === null ? Number.POSITIVE_INFINITY : spec.trackTotalHits + 1
  if (hasTotal) expect(Math.min(limit, sumOf(found)), title).toBe(Math.min(limit, sumOf(expected)))
}

function sumOf(results: readonly SliceResult[]): number {
  return results.reduce((sum, { hitCount }) => sum + hitCount, 0)
}

/** Some hits of a search by score, as the iterators find them. */
function firstHits(plan: SearchPlan, leaves: readonly Leaf[], drift: number): readonly SliceHit[] {
  const first = changed(plan, { topCount: 40, sort: null, searchAfter: null, collapse: null })
  const prepared = prepareSearch(rewriteSearch(first), leaves)
  const weight: Weight = drifted(prepared.weight, drift)
  const parts = leaves.map(({ maxDoc }, leafOrd) => ({ leafOrd, minDoc: 0, maxDoc }))
  const leafOf = (ord: number): Leaf => leaves[ord]!
  const control = new SearchControl()
  const { spec } = prepared
  const input = { weight, spec, parts, leafOf, control, listener: null, report: null, gathers: [] }
  const found = attempt(() => searchSlice(input))
  return typeof found === 'string' ? [] : found.hits
}

/** The hits of a term alone by the short way; null where the search is none. */
function soleTermHits(
  { root, leaves: states }: Weight,
  spec: CollectSpec,
  leaves: readonly Leaf[],
): readonly SliceHit[] | null {
  const node = root.kind === 'constant' ? root.child : root
  if (node.kind !== 'term' || spec.topCount === 0) return null
  if (spec.postFilter !== null || spec.minScore !== null || spec.collapse !== null) return null
  const term = {
    field: node.field,
    states: states.map(({ terms }) => terms[node.termId] ?? null),
    scoring: node,
  }
  const key = columnKey(spec, spec.minScore)
  if (key === null)
    return root.kind === 'term' && spec.sort === null && spec.searchAfter === null
      ? bestOfTerm(leaves, term, spec.topCount).hits
      : null
  const sort = columnSort(key, spec)
  return leaves.every(leaf => sort.canSort(leaf)) ? firstOfTerm(leaves, term, sort).hits : null
}

describe.each(BUILDS)('the %s', (_, arena) => {
  it.each(GRAMMARS)(
    `agree with the iterators in ${CASES} random %s searches (seed ${SEED})`,
    grammar => {
      const random = new Random(SEED)
      let cases = 0
      let matching = 0
      let ties = 0
      let skips = 0
      const features = new Map<string, number>()
      let keptHits = 0
      let dropped = 0
      let termBitSetsUsed = 0
      for (let collection = 0; cases < CASES; collection++) {
        arena.clear()
        const caches = smallCaches(arena, random)
        const { filters, termBitSets } = caches
        const leaves: Leaf[] = []
        let docBase = 0
        for (let ord = 0; ord < 1 + random.below(3); ord++) {
          leaves.push(randomLeaf(arena, caches, random, ord, docBase, grammar))
          docBase += leaves[ord]!.maxDoc
        }
        const end = arena.end()
        const bytes = arena.checksum()
        for (let i = 0; i < QUERIES_PER_COLLECTION && cases < CASES; i++) {
          let plan = randomPlan(random, grammar)
          const drift = pick(random, DRIFTS)
          if (isByScore(plan.gather.hits.sort) && random.below(7) < 2)
            plan = afterHit(random, plan, firstHits(plan, leaves, drift))
          const prepared = prepareSearch(rewriteSearch(plan), leaves)
          const { spec } = prepared
          const weight: Weight = drifted(prepared.weight, drift)
          const shape = bulkShape(weight, spec)
          const title = `collection ${collection}, query ${i}: ${queryText(plan.query)}`
          if (typeof shape === 'string') {
            expect(LEFT, title).toContain(shape)
            continue
          }
          // Collectors keep the hits by a column of matches above a score.
          if (grammar === 'plain' && !isByScore(spec.sort) && spec.minScore !== null) continue
          cases++
          const run = (kernels: boolean): ShardResult => {
            const control = new SearchControl()
            const results = randomParts(new Random(cases), leaves).map(parts => {
              const input = { weight, spec, parts, leafOf: (ord: number) => leaves[ord]!, control }
              const slice = (): SliceResult =>
                searchSlice({ ...input, listener: null, report: null, gathers: [] })
              if (!kernels) return slice()
              return bulkSlice({ ...input, listener: null, report: null, gathers: [] }, shape)
            })
            return reduceSlices(spec, results, [])
          }
          filters.beginSearch(true)
          termBitSets.beginSearch()
          const found = attempt(() => run(true))
          termBitSets.endSearch()
          filters.endSearch()
          const expected = attempt(() => run(false))
          if (typeof found === 'string' || typeof expected === 'string') {
            expect(found, title).toBe(expected)
            features.set('refused', (features.get('refused') ?? 0) + 1)
            continue
          }
          expect(outcome(found), title).toEqual(outcome(expected))
          // Where filters are kept, the first matches are not looked for range by range.
          if (takesFirst(shape, spec)) {
            features.set('first matches', (features.get('first matches') ?? 0) + 1)
            filters.beginSearch(false)
            expect(outcome(run(true)), title).toEqual(outcome(expected))
            filters.endSearch()
          }
          if (random.below(4) === 0) {
            const feature = spec.postFilter === null ? 'gathered' : 'gathered beside a post filter'
            features.set(feature, (features.get(feature) ?? 0) + 1)
            const readsScores = spec.demands.scores && random.below(2) === 0
            filters.beginSearch(true)
            termBitSets.beginSearch()
            expectGathered(new Random(cases), weight, withGather(plan, spec, readsScores), {
              leaves,
              hits: expected.hits,
              hasTotal: spec.knownTotal === null && spec.trackTotalHits >= 0,
              title,
            })
            termBitSets.endSearch()
            filters.endSearch()
          }
          const sole = soleTermHits(weight, spec, leaves)
          if (sole !== null) {
            const feature = `one term by ${isByScore(spec.sort) ? 'score' : 'a column'}`
            features.set(feature, (features.get(feature) ?? 0) + 1)
            expect(sole, title).toEqual(expected.hits)
          }
          const { hits, counters } = found
          for (const feature of featuresOf(plan, shape))
            features.set(feature, (features.get(feature) ?? 0) + 1)
          if (hits.length > 0) matching++
          if (hits.some((hit, at) => at > 0 && keyOf(hit) === keyOf(hits[at - 1]!))) ties++
          if (counters.blocksSkipped + counters.runsSkipped > 0) skips++
        }
        const { hits, made, kept } = filters.useOf(arena)
        keptHits += hits
        dropped += made - kept
        termBitSetsUsed += caches.used
        // A stray write of a kernel would show nowhere else.
        expect(arena.checksum(end), `bytes of collection ${collection}`).toBe(bytes)
      }
      features.set('matching', matching).set('ties', ties).set('skips', skips)
      for (const [feature, share] of Object.entries(SHARES[grammar]))
        expect((features.get(feature) ?? 0) / cases, feature).toBeGreaterThan(share)
      expect(keptHits / cases).toBeGreaterThan(0.1)
      expect(dropped / cases).toBeGreaterThan(0.01)
      expect(termBitSetsUsed / cases).toBeGreaterThan(0.3)
    },
    CASES * 50,
  )
})

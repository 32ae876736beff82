/**
 * Makes the weight of a rewritten query over one shard: statistics over all its leaves, the terms
 * of multi-term clauses, and every term's state in every leaf. Runs once per shard and search, on
 * the thread that holds the dictionaries; what it returns is plain data.
 *
 * Statistics count deleted documents until they are merged away, as in Lucene.
 */
import type { FieldInfo, SectionKind } from '../../codec/directory/format.ts'
import type { TermState } from '../../codec/terms/format.ts'
import type { Leaf } from '../../segment/leaf.ts'
import { compareBytes, encodeUtf8 } from '../../util/bytes.ts'
import { nowInNanos } from '../../util/clock.ts'
import { appended } from '../../util/lists.ts'
import { queryText, queryType } from '../query/describe.ts'
import { highHalf, lowHalf } from '../query/point-value.ts'
import type {
  MultiPhraseQuery,
  Occur,
  Query,
  Span,
  SpanQuery,
  SynonymQuery,
} from '../query/query.ts'
import { inverseDocFreq } from '../similarity/bm25.ts'
import { countPostings, placesOf } from '../term-walk.ts'
import { sectionBit } from './section-use.ts'
import { ShardTerms } from './shard-terms.ts'
import { oneTerm, prefixRun, rangeRuns } from './term-runs.ts'
import type { Expansion, PointInterval, SpanPlan, TermRun, Weight, WeightNode } from './weight.ts'

/** Past this many terms in a leaf runs are not listed; whoever searches walks the dictionary. */
const MAX_LISTED_TERMS = 16

const POSTINGS = sectionBit('postings')
const NORMS = sectionBit('norms')

const NOT_FOUND: Expansion = { states: [], postings: 0 }

/**
 * @param query  rewritten
 * @param leaves of the shard's snapshot; dictionaries are loaded as they are asked for
 * @param needsScores false where no score will be asked for
 * @param describes false where no profile will print the nodes: `nodes` then stays empty
 */
export function createWeight(
  query: Query,
  leaves: readonly Leaf[],
  needsScores: boolean,
  describes = true,
): Weight {
  return new WeightBuilder(leaves, describes).build(query, needsScores)
}

/** Mutable while it is built. */
interface NodeInfo {
  readonly type: string
  readonly description: string
  readonly parent: number
  readonly createStart: number
  createTime: number
}

class WeightBuilder {
  readonly #leaves: readonly Leaf[]
  readonly #terms: ShardTerms
  readonly #describes: boolean
  readonly #nodes: NodeInfo[] = []
  #nodeCount = 0
  #cost = 0
  #openPostings = 0

  constructor(leaves: readonly Leaf[], describes: boolean) {
    this.#leaves = leaves
    this.#describes = describes
    this.#terms = new ShardTerms(leaves)
  }

  build(query: Query, needsScores: boolean): Weight {
    const root = this.#create(query, 1, needsScores, -1)
    return {
      root,
      nodes: this.#nodes,
      leaves: this.#terms.states,
      sections: this.#terms.uses,
      openPostings: this.#openPostings,
      cost: this.#cost,
    }
  }

  /** One node and those below it, timed as a whole. */
  #create(query: Query, boost: number, scored: boolean, parent: number): WeightNode {
    const id = this.#nodeCount++
    if (!this.#describes) return this.#createNode(query, id, boost, scored)
    const info: NodeInfo = {
      type: queryType(query),
      description: queryText(query),
      parent,
      createStart: nowInNanos(),
      createTime: 0,
    }
    this.#nodes.push(info)
    const node = this.#createNode(query, id, boost, scored)
    info.createTime = Math.max(1, nowInNanos() - info.createStart)
    return node
  }

  #createNode(query: Query, id: number, boost: number, scored: boolean): WeightNode {
    let inner = query
    let factor = boost
    // A boost has no node of its own: its factor goes down into the weights.
    while (inner.kind === 'boost') {
      factor = Math.fround(factor * inner.boost)
      inner = inner.query
    }
    return this.#node(inner, id, factor, scored)
  }

  #node(query: Query, id: number, boost: number, scored: boolean): WeightNode {
    switch (query.kind) {
      case 'matchAll':
        for (const leaf of this.#leaves) this.#cost += leaf.maxDoc
        return { kind: 'all', id, score: boost }
      case 'matchNone':
      case 'boost':
        return { kind: 'none', id }
      case 'term': {
        const { field, term } = query
        const use = this.#terms.useOf(field)
        const termId = this.#terms.termIn(use, term)
        const { docCount, average } = this.#terms.statisticsOf(use)
        const docFreq = this.#terms.docFreqOf(termId)
        use.kinds |= scored ? POSTINGS | NORMS : POSTINGS
        this.#cost += docFreq
        this.#openPostings++
        const idf = scored && docFreq > 0 ? inverseDocFreq(docFreq, Math.max(docCount, docFreq)) : 0
        const weight = Math.fround(boost * idf)
        return { kind: 'term', id, field, term, termId, docCount, boost, weight, average, scored }
      }
      case 'phrase': {
        const { field, positions, slop } = query
        const termIds = query.terms.map(term => this.#terms.termId(field, term))
        const { docCount, average } = this.#terms.statisticsOf(this.#terms.useOf(field))
        for (const termId of termIds) this.#cost += 2 * this.#terms.docFreqOf(termId)
        this.#openPostings += termIds.length
        this.#usePositions(field, scored)
        const idfs = this.#sumOfIdfs(termIds, docCount)
        const weight = scored ? Math.fround(boost * Math.fround(idfs)) : 0
        return {
          kind: 'phrase',
          id,
          field,
          terms: query.terms,
          termIds,
          docCount,
          boost,
          positions,
          slop,
          weight,
          average,
          scored,
        }
      }
      case 'synonym':
        return this.#synonym(query, id, boost, scored)
      case 'multiPhrase':
        return this.#multiPhrase(query, id, boost, scored)
      case 'span':
        return this.#span(query, id, boost, scored)
      // Its prefixes are terms by now, or nothing.
      case 'phrasePrefix':
        return { kind: 'none', id }
      case 'constantScore': {
        const child = this.#create(query.query, 1, false, id)
        return { kind: 'constant', id, score: boost, child }
      }
      case 'boolean': {
        const { minimumShouldMatch } = query
        let clauses: { occur: Occur; node: WeightNode }[] = []
        for (const { occur, query: inner } of query.clauses) {
          const needs = scored && (occur === 'must' || occur === 'should')
          const node = this.#create(inner, needs ? boost : 1, needs, id)
          clauses = appended(clauses, { occur, node })
        }
        return { kind: 'boolean', id, clauses, minimumShouldMatch, scored }
      }
      case 'disMax': {
        const children = query.queries.map(inner => this.#create(inner, boost, scored, id))
        return { kind: 'disMax', id, children, tieBreaker: Math.fround(query.tieBreaker), scored }
      }
      case 'boosting': {
        const positive = this.#create(query.positive, 1, scored, id)
        const negative = this.#create(query.negative, 1, false, id)
        const factor = Math.fround(query.negativeBoost)
        return { kind: 'boosting', id, positive, negative, factor, boost }
      }
      case 'termsInSet':
        return this.#multiTerm(query.field, id, boost, query.terms.map(oneTerm))
      case 'termRange':
        return this.#multiTerm(query.field, id, boost, rangeRuns(query))
      case 'prefix': {
        return this.#multiTerm(query.field, id, boost, [prefixRun(query.prefix)])
      }
      case 'pointRange':
        return this.#points(query, id, boost, [interval(query.lower, query.upper)])
      case 'pointInSet':
        return this.#points(
          query,
          id,
          boost,
          query.values.map(value => interval(value, value)),
        )
      case 'fieldExists': {
        for (const leaf of this.#leaves) {
          const info = leaf.fieldInfo(query.field)
          if (info === null) continue
          if (query.listed && !info.hasNorms) continue
          if (info.docValues === 'none') this.#terms.use(query.field, 'norms')
          else this.#terms.use(query.field, valuesSection(info))
          this.#cost += info.docCount
        }
        const nameId = query.listed ? this.#terms.termId('_field_names', query.field) : null
        if (nameId !== null) {
          this.#terms.use('_field_names', 'postings')
          this.#openPostings++
          this.#cost += this.#terms.docFreqOf(nameId)
        }
        return { kind: 'exists', id, field: query.field, score: boost, nameId }
      }
      case 'ids':
        this.#terms.use('', 'ids')
        this.#cost += query.ids.length
        return { kind: 'ids', id, score: boost, ids: query.ids.map(encodeUtf8) }
    }
  }

  #synonym(query: SynonymQuery, id: number, boost: number, scored: boolean): WeightNode {
    const { field, terms } = query
    const termIds = terms.map(term => this.#terms.termId(field, term))
    const { docCount, average } = this.#terms.statisticsOf(this.#terms.useOf(field))
    let docFreq = 0
    for (const termId of termIds) {
      const own = this.#terms.docFreqOf(termId)
      docFreq = Math.max(docFreq, own)
      this.#cost += own
    }
    this.#openPostings += termIds.length
    this.#terms.use(field, 'postings')
    if (scored) this.#terms.use(field, 'norms')
    const idf = docFreq === 0 ? 0 : inverseDocFreq(docFreq, Math.max(docCount, docFreq))
    const weight = scored ? Math.fround(boost * idf) : 0
    return { kind: 'synonym', id, field, terms, termIds, docCount, boost, weight, average, scored }
  }

  #multiPhrase(query: MultiPhraseQuery, id: number, boost: number, scored: boolean): WeightNode {
    const { field, terms, positions, slop } = query
    const termIds = terms.map(each => each.map(term => this.#terms.termId(field, term)))
    const { docCount, average } = this.#terms.statisticsOf(this.#terms.useOf(field))
    const all = termIds.flat()
    for (const termId of all) this.#cost += 2 * this.#terms.docFreqOf(termId)
    this.#openPostings += all.length
    this.#usePositions(field, scored)
    const weight = scored ? Math.fround(boost * Math.fround(this.#sumOfIdfs(all, docCount))) : 0
    return {
      kind: 'multiPhrase',
      id,
      field,
      terms,
      termIds,
      docCount,
      boost,
      positions,
      slop,
      weight,
      average,
      scored,
    }
  }

  #span(query: SpanQuery, id: number, boost: number, scored: boolean): WeightNode {
    const { field } = query
    const byTerm = new Map<string, number>()
    const plan = (span: Span): SpanPlan => {
      switch (span.kind) {
        case 'term': {
          const termId = this.#terms.termId(field, span.term)
          byTerm.set(span.term, termId)
          this.#cost += 2 * this.#terms.docFreqOf(termId)
          this.#openPostings++
          return { kind: 'term', termId }
        }
        case 'or':
        case 'near':
          return { kind: span.kind, spans: span.spans.map(plan) }
        case 'gap':
          return span
        // Prefixes are terms by now.
        case 'prefix':
          return { kind: 'or', spans: [] }
      }
    }
    const span = plan(query.span)
    const { docCount, average } = this.#terms.statisticsOf(this.#terms.useOf(field))
    this.#usePositions(field, scored)
    // Each term counts once, however often it stands in the span.
    const sorted = [...byTerm].sort(([a], [b]) => compareBytes(encodeUtf8(a), encodeUtf8(b)))
    const termIds = sorted.map(([, termId]) => termId)
    const weight = scored ? Math.fround(boost * Math.fround(this.#sumOfIdfs(termIds, docCount))) : 0
    return { kind: 'span', id, field, span, termIds, docCount, boost, weight, average, scored }
  }

  #sumOfIdfs(termIds: readonly number[], docCount: number): number {
    let idfs = 0
    for (const termId of termIds) {
      const docFreq = this.#terms.docFreqOf(termId)
      if (docFreq > 0) idfs += inverseDocFreq(docFreq, Math.max(docCount, docFreq))
    }
    return idfs
  }

  #usePositions(field: string, scored: boolean): void {
    this.#terms.use(field, 'postings')
    this.#terms.use(field, 'positions')
    if (scored) this.#terms.use(field, 'norms')
  }

  #points(
    query: { readonly field: string; readonly indexed: boolean; readonly docValues: boolean },
    id: number,
    score: number,
    intervals: readonly PointInterval[],
  ): WeightNode {
    const { field, indexed, docValues } = query
    if (indexed) this.#terms.use(field, 'points')
    if (docValues) this.#terms.use(field, 'numericValues')
    for (const leaf of this.#leaves) this.#cost += leaf.fieldInfo(field)?.docCount ?? 0
    return { kind: 'point', id, field, score, intervals, indexed, docValues }
  }

  #multiTerm(field: string, id: number, score: number, runs: readonly TermRun[]): WeightNode {
    const expansionId = this.#terms.states[0]?.expansions.length ?? 0
    this.#openPostings++
    this.#terms.use(field, 'terms')
    for (let i = 0; i < this.#leaves.length; i++) {
      const states = this.#terms.states[i]!
      const expansion = this.#expand(this.#leaves[i]!, field, runs)
      states.expansions = appended(states.expansions, expansion)
      this.#cost += expansion.postings
    }
    return { kind: 'multiTerm', id, field, score, expansionId, runs }
  }

  #expand(leaf: Leaf, field: string, runs: readonly TermRun[]): Expansion {
    const info = leaf.fieldInfo(field)
    const terms = leaf.terms(field)
    if (info === null || terms === null) return NOT_FOUND
    if (info.indexOptions === 'none') {
      this.#terms.use(field, 'ordinals')
      return { states: null, postings: info.docCount }
    }
    this.#terms.use(field, 'postings')
    const places = runs.map(run => placesOf(terms, run))
    const count = places.reduce((sum, [from, to]) => sum + to - from, 0)
    let postings = 0
    if (count > MAX_LISTED_TERMS) {
      for (const [from, to] of places) postings += countPostings(leaf, field, from, to)
      return { states: null, postings }
    }
    const iterator = terms.iterator()
    const states: TermState[] = []
    for (const [from, to] of places)
      for (let ord = from; ord < to; ord++) {
        iterator.seekOrd(ord)
        const state = iterator.state()
        states.push(state)
        postings += state.docFreq
      }
    return { states, postings }
  }
}

function valuesSection(info: FieldInfo): SectionKind {
  return info.docValues === 'ordinals' ? 'ordinals' : 'numericValues'
}

function interval(lower: bigint, upper: bigint): PointInterval {
  return {
    lowerHi: highHalf(lower),
    lowerLo: lowHalf(lower),
    upperHi: highHalf(upper),
    upperLo: lowHalf(upper),
  }
}

/**
 * Scores every document of a shard the plain way: no postings, no blocks, no slices. Follows the
 * rounding trees of the specification and nothing else; takes rewritten queries, because rewriting
 * decides how sums are grouped.
 */
import { DEFAULT_BM25 } from '../../src/codec/norms/inverse.ts'
import type {
  FieldSimilarities,
  FuzzyQuery,
  PatternQuery,
  Query,
} from '../../src/search/query/query.ts'
import type { BlockScoreMode } from '../../src/search/scorer/block-join-scorer.ts'
import type { JoinedDocs } from '../../src/search/weight/weight-node.ts'
import { compareBytes, encodeUtf8 } from '../../src/util/bytes.ts'
import { murmur3 } from '../../src/util/murmur3.ts'
import { phraseFreq } from './phrase-freq.ts'
import { PlainBm25, tokensOf } from './plain-bm25.ts'
import { plainFeatureScore } from './plain-features.ts'
import { plainFunctionScore } from './plain-functions.ts'
import { leastWidth, plainIntervals } from './plain-intervals.ts'
import type { PlainDocument } from './plain-leaf.ts'
import { plainBlend, plainCombined } from './plain-many-fields.ts'
import { isWithin, nearest } from './plain-places.ts'
import { plainScript } from './plain-scripts.ts'
import { plainSpans, spanTerms } from './plain-spans.ts'
import { plainExpansion } from './plain-terms.ts'
import { plainNearness, plainVectorScore } from './plain-vectors.ts'
import { hasRelation, type PlainShape } from './shapes/plain-shapes.ts'

const f32 = Math.fround

const SLICE_SEED = 0x5bd1e995

/** The hash by which slices are told apart: of the id, or of all numbers in order. */
function sliceHash(
  { column, field }: Extract<Query, { kind: 'slice' }>,
  { id, numbers }: PlainDocument,
): number {
  if (column === 'ids') return murmur3(encodeUtf8(id), SLICE_SEED) >>> 0
  const values = numbers.get(field) ?? []
  if (values.length === 0) return 0
  const hash = values.reduce((before, value) => {
    const bytes = Buffer.alloc(8)
    bytes.writeBigInt64LE(value)
    return murmur3(bytes, before)
  }, SLICE_SEED)
  return hash >>> 0
}

/** Whether a document's shape has the relation of a query, which asks for polygons alone. */
function isRelated(
  { relation, shapes }: Extract<Query, { kind: 'geoShape' }>,
  shape: PlainShape | undefined,
): boolean {
  const polygons = shapes.flatMap(asked =>
    asked.kind === 'polygon'
      ? [asked.rings.map(({ lons, lats }) => lons.map((lon, i) => [lon, lats[i]!] as const))]
      : [],
  )
  return shape !== undefined && hasRelation(relation, shape, { points: [], lines: [], polygons })
}

/** A shard's documents, deleted ones included, in order. */
export class Oracle {
  readonly documents: readonly PlainDocument[]
  readonly #maxDoc: number

  /** @param maxDoc documents and nested objects, where these are kept beside them */
  constructor(documents: readonly PlainDocument[], maxDoc: number = documents.length) {
    this.documents = documents
    this.#maxDoc = maxDoc
  }

  /** All live matches with their scores, by score and then by document. */
  search(query: Query): { doc: number; score: number }[] {
    const hits: { doc: number; score: number }[] = []
    this.documents.forEach((document, doc) => {
      const score = document.isLive ? this.score(query, document) : null
      if (score !== null) hits.push({ doc, score })
    })
    return hits.sort((a, b) => b.score - a.score || a.doc - b.doc)
  }

  /** The document's score, or null when it does not match. */
  score(query: Query, document: PlainDocument, boost = 1): number | null {
    switch (query.kind) {
      case 'matchAll':
        return boost
      case 'matchNone':
        return null
      case 'similarity': {
        const before = this.#similarities
        this.#similarities = [...query.similarities, ...before]
        const score = this.score(query.query, document, boost)
        this.#similarities = before
        return score
      }
      case 'eitherTerms':
        return this.score(query.query, document, boost)
      case 'boost':
        return this.score(query.query, document, f32(boost * query.boost))
      case 'constantScore':
        return this.score(query.query, document) === null ? null : boost
      case 'term': {
        const freq = tokensOf(document, query.field).filter(token => token === query.term).length
        const docFreq = query.counts?.docFreq
        return freq === 0
          ? null
          : this.#bm25(query.field, [query.term], freq, document, boost, docFreq)
      }
      case 'blended': {
        const docFreqs = plainBlend(query.terms, this.#maxDoc, each => this.#field(each))
        const queries = query.terms.map(({ field, term, boost: own }, i): Query => {
          const docFreq = docFreqs[i]!
          return {
            kind: 'boost',
            query: {
              kind: 'term',
              field,
              term,
              // Scores by BM25 read no occurrences.
              ...(docFreq === 0 ? {} : { counts: { docFreq, occurrences: 0 } }),
            },
            boost: own,
          }
        })
        return this.score(
          { kind: 'disMax', queries, tieBreaker: query.tieBreaker },
          document,
          boost,
        )
      }
      case 'combinedFields':
        return plainCombined(query, document, boost, each => this.#field(each))
      case 'phrase': {
        const freq = phraseFreq(query, document.text.get(query.field) ?? [])
        return freq === 0 ? null : this.#bm25(query.field, query.terms, freq, document, boost)
      }
      case 'synonym': {
        const tokens = tokensOf(document, query.field)
        let freq = 0
        for (const term of query.terms) freq += tokens.filter(token => token === term).length
        // Scored as the commonest of them.
        const inDocs = (term: string): number => this.#inDocs(query.field, term)
        const [commonest = ''] = [...query.terms].sort((a, b) => inDocs(b) - inDocs(a))
        return freq === 0 ? null : this.#bm25(query.field, [commonest], freq, document, boost)
      }
      case 'multiPhrase': {
        if (query.slop > 0) throw new Error('the oracle has no sloppy phrases of several terms')
        const tokens = document.text.get(query.field) ?? []
        const first = query.positions[0] ?? 0
        let freq = 0
        for (let start = 0; start < tokens.length; start++)
          if (
            query.terms.every((terms, i) =>
              terms.includes(tokens[start + (query.positions[i] ?? 0) - first] ?? ''),
            )
          )
            freq++
        const terms = query.terms.flat().filter(term => this.#inDocs(query.field, term) > 0)
        return freq === 0 ? null : this.#bm25(query.field, terms, freq, document, boost)
      }
      case 'span': {
        const { span } = query
        if (span.kind === 'masked')
          return this.score({ kind: 'span', field: span.field, span: span.span }, document, boost)
        const occurrences = plainSpans(query.span, query.field, document.text)
        const docFreqs = spanTerms(query.span, query.field)
          .map(([field, term]) => this.#inDocs(field, term))
          .filter(docFreq => docFreq > 0)
        let freq = 0
        for (const { width } of occurrences) freq = f32(freq + 1 / (1 + width))
        return freq === 0 ? null : this.#field(query.field).scoreBy(docFreqs, freq, document, boost)
      }
      case 'moreLikeThis':
        throw new Error('words are chosen before they are searched')
      case 'positionIntervals': {
        const tokens = document.text.get(query.field) ?? []
        const all = plainIntervals(query.source, tokens)
        const least = leastWidth(query.source)
        let freq = 0
        for (const { start, end } of all)
          freq = f32(freq + 1 / Math.max(1, end - start + 2 - least))
        return freq === 0 ? null : f32(boost * f32(1 - f32(1 / f32(1 + freq))))
      }
      case 'covering': {
        if (query.minimum.kind !== 'field') throw new Error('the oracle has no scripted minimums')
        const [minimum] = document.numbers.get(query.minimum.column.field) ?? []
        const scores = query.queries.flatMap(inner => this.score(inner, document, boost) ?? [])
        if (minimum === undefined || scores.length < Math.max(1, Number(minimum))) return null
        return f32(scores.reduce((sum, score) => sum + score, 0))
      }
      case 'distanceFeature': {
        const { origin, field, pivot } = query
        const distance =
          origin.kind === 'place'
            ? nearest(document.places?.get(field) ?? [], origin.place)
            : Math.min(
                ...(document.numbers.get(field) ?? []).map(value =>
                  Math.abs(Number(value) - Number(origin.text)),
                ),
              )
        return distance === Infinity ? null : f32(boost * (pivot / (pivot + distance)))
      }
      case 'feature': {
        const value = document.features?.get(query.field)?.[query.feature]
        return value === undefined ? null : plainFeatureScore(query.function, value, boost)
      }
      case 'geoArea':
        return has(document.places?.get(query.field), each => isWithin(query.area, each), boost)
      case 'geoShape':
        return isRelated(query, document.shapes?.get(query.field)) ? boost : null
      case 'functionScore':
        return plainFunctionScore(
          query,
          document,
          (inner, own) => this.score(inner, document, own),
          boost,
        )
      case 'script':
        return plainScript(query.script, document, 0) === 0 ? null : boost
      case 'scriptScore': {
        const own = this.score(query.query, document)
        if (own === null) return null
        const score = f32(plainScript(query.script, document, own))
        return query.minScore !== null && score < query.minScore ? null : f32(score * boost)
      }
      case 'integerRuns':
        return has(
          document.numbers.get(query.field),
          n => query.runs.some(({ lower, upper }) => n >= lower && n <= upper),
          boost,
        )
      case 'slice':
        return sliceHash(query, document) % query.max === query.slice ? boost : null
      case 'addressRange':
      case 'addressInSet':
      case 'interval':
        throw new Error('the oracle has no addresses and no intervals')
      case 'blockJoin': {
        const objects = [...(document.objects?.values() ?? [])].flat()
        const scores = objects.flatMap(each => this.score(query.query, each, boost) ?? [])
        return scores.length === 0 ? null : plainJoined(scores, query.scoreMode)
      }
      case 'vectors': {
        if (query.filter !== null && this.score(query.filter, document) === null) return null
        const score = plainNearness(query, document.vectors?.get(query.field))
        return score === null ? null : f32(boost * score)
      }
      case 'vectorScore': {
        if (this.score(query.query, document) === null) return null
        const own = document.vectors?.get(query.field)
        const { space, element, vector, minScore } = query
        const score = own === undefined ? 0 : plainVectorScore(space, element, vector, own)
        return minScore !== null && score < minScore ? null : f32(boost * score)
      }
      case 'nearest':
      case 'derived':
      case 'seen':
      case 'join': {
        if (query.found === null) throw new Error('what a join finds is told to the oracle')
        const doc = this.documents.indexOf(document)
        const [{ docs, scores }] = query.found as [JoinedDocs]
        const at = docs.indexOf(doc)
        return at < 0 ? null : f32(boost * (scores?.[at] ?? 1))
      }
      case 'nestedWithin':
        throw new Error('the oracle has nested documents of one level')
      case 'phrasePrefix':
        throw new Error('prefixes of phrases are terms before they are searched')
      case 'boolean': {
        let sum: { must: number; should: number } = { must: 0, should: 0 }
        let [shoulds, hasMust, hasRequired] = [0, false, false]
        for (const { occur, query: inner } of query.clauses) {
          const score = this.score(inner, document, boost)
          if (occur === 'must_not' && score !== null) return null
          if ((occur === 'must' || occur === 'filter') && score === null) return null
          if (occur === 'must') [sum, hasMust] = [{ ...sum, must: sum.must + (score ?? 0) }, true]
          if (occur === 'must' || occur === 'filter') hasRequired = true
          if (occur !== 'should' || score === null) continue
          shoulds++
          sum = { ...sum, should: sum.should + score }
        }
        if (shoulds < Math.max(query.minimumShouldMatch, hasRequired ? 0 : 1)) return null
        if (!hasMust) return f32(sum.should)
        return shoulds === 0 ? f32(sum.must) : f32(f32(sum.must) + f32(sum.should))
      }
      case 'disMax': {
        const scores = query.queries.flatMap(inner => this.score(inner, document, boost) ?? [])
        if (scores.length === 0) return null
        const [most, sum] = [Math.max(...scores), scores.reduce((total, one) => total + one, 0)]
        return f32(most + f32(query.tieBreaker) * (sum - most))
      }
      case 'hybrid': {
        const scores = query.queries.flatMap(inner => this.score(inner, document, boost) ?? [])
        return scores.length === 0 ? null : scores.reduce((sum, one) => f32(sum + one), 0)
      }
      case 'boosting': {
        const score = this.score(query.positive, document)
        if (score === null) return null
        const isNegative = this.score(query.negative, document) !== null
        return f32(score * (isNegative ? f32(query.negativeBoost) : 1) * boost)
      }
      case 'pointRange':
        return has(
          document.numbers.get(query.field),
          n => n >= query.lower && n <= query.upper,
          boost,
        )
      case 'pointInSet':
        return has(document.numbers.get(query.field), n => query.values.includes(n), boost)
      case 'termsInSet':
        return has(tokensOf(document, query.field), term => query.terms.includes(term), boost)
      case 'prefix':
        return has(tokensOf(document, query.field), term => term.startsWith(query.prefix), boost)
      case 'pattern':
      case 'fuzzy':
        return this.score(this.#expanded(query), document, boost)
      case 'termRange': {
        const order = (a: string, b: string): number => compareBytes(encodeUtf8(a), encodeUtf8(b))
        const { lower, upper, includeLower, includeUpper } = query
        const inside = (term: string): boolean =>
          (lower === null || order(term, lower) >= (includeLower ? 0 : 1e-9)) &&
          (upper === null || order(term, upper) <= (includeUpper ? 0 : -1e-9))
        return has(tokensOf(document, query.field), inside, boost)
      }
      case 'fieldExists': {
        const { text, keywords, numbers, places } = document
        const { field } = query
        const values = keywords.get(field) ?? numbers.get(field) ?? places?.get(field) ?? []
        return text.has(field) || values.length > 0 ? boost : null
      }
      case 'ids':
        return query.ids.includes(document.id) ? boost : null
    }
  }

  readonly #expansions = new Map<Query, Query>()

  #expanded(query: PatternQuery | FuzzyQuery): Query {
    const known = this.#expansions.get(query) ?? plainExpansion(query, this.documents)
    this.#expansions.set(query, known)
    return known
  }

  readonly #docFreqs = new Map<string, number>()

  #inDocs(field: string, term: string): number {
    const key = `${field}:${term}`
    let count = this.#docFreqs.get(key)
    if (count === undefined) {
      count = this.documents.filter(each => tokensOf(each, field).includes(term)).length
      this.#docFreqs.set(key, count)
    }
    return count
  }

  readonly #fields = new Map<string, PlainBm25>()
  #similarities: FieldSimilarities = []

  #bm25(
    ...[field, ...rest]: [string, readonly string[], number, PlainDocument, number, number?]
  ): number {
    return this.#field(field).score(...rest)
  }

  #field(field: string): PlainBm25 {
    const own = this.#similarities.find(([name]) => name === field)?.[1]
    if (own !== undefined && own.kind !== 'bm25')
      throw new Error(`the oracle has no similarity of kind ${own.kind}`)
    const { k1, b } = own?.parameters ?? DEFAULT_BM25
    const parameters = [k1, b, own?.factor ?? 1] as const
    const key = `${field} ${parameters}`
    const known = this.#fields.get(key) ?? new PlainBm25(this.documents, field, parameters)
    this.#fields.set(key, known)
    return known
  }
}

/** The scores of nested documents as one. */
function plainJoined(scores: readonly number[], mode: BlockScoreMode): number {
  const sum = scores.reduce((total, score) => total + score, 0)
  return {
    none: 0,
    min: Math.min(...scores),
    max: Math.max(...scores),
    sum: f32(sum),
    avg: f32(sum / scores.length),
  }[mode]
}

function has<T>(
  values: readonly T[] | undefined,
  test: (value: T) => boolean,
  score: number,
): number | null {
  return values?.some(test) === true ? score : null
}

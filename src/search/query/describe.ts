/**
 * How queries name themselves in profiles and explanations: the class names and `toString` forms of
 * Lucene, which clients of the profile API compare.
 */
import { encodeUtf8 } from '../../util/bytes.ts'
import type {
  BooleanQuery,
  MultiPhraseQuery,
  Occur,
  PhrasePrefixQuery,
  PhraseQuery,
  Query,
  Span,
} from './query.ts'

/** A query's class name and its text. */
export interface QueryDescription {
  readonly type: string
  readonly description: string
}

const OCCUR_SIGNS: Readonly<Record<Occur, string>> = {
  must: '+',
  filter: '#',
  should: '',
  must_not: '-',
}

const SPAN_TYPES: Readonly<Record<Span['kind'], string>> = {
  term: 'SpanTermQuery',
  prefix: 'SpanMultiTermQueryWrapper',
  or: 'SpanOrQuery',
  near: 'SpanNearQuery',
  gap: 'SpanGapQuery',
}

/** The class name and text of a rewritten query. */
export function describe(query: Query): QueryDescription {
  return { type: queryType(query), description: queryText(query) }
}

/** The name of the class that runs such a query in the real engine. */
export function queryType(query: Query): string {
  switch (query.kind) {
    case 'matchAll':
      return 'MatchAllDocsQuery'
    case 'matchNone':
      return 'MatchNoDocsQuery'
    case 'term':
      return 'TermQuery'
    case 'termsInSet':
    case 'ids':
      return 'TermInSetQuery'
    case 'boolean':
      return 'BooleanQuery'
    case 'phrase':
      return 'PhraseQuery'
    case 'synonym':
      return 'SynonymQuery'
    case 'multiPhrase':
      return 'MultiPhraseQuery'
    case 'phrasePrefix':
      return 'MultiPhrasePrefixQuery'
    case 'span':
      return SPAN_TYPES[query.span.kind]
    case 'constantScore':
      return 'ConstantScoreQuery'
    case 'disMax':
      return 'DisjunctionMaxQuery'
    case 'boosting':
      return 'FunctionScoreQuery'
    case 'boost':
      return 'BoostQuery'
    case 'pointRange':
    case 'pointInSet':
      if (query.indexed && query.docValues) return 'IndexOrDocValuesQuery'
      if (query.kind === 'pointRange')
        return query.indexed ? 'PointRangeQuery' : 'SortedNumericDocValuesRangeQuery'
      return query.indexed ? 'PointInSetQuery' : 'SortedNumericDocValuesSetQuery'
    case 'termRange':
    case 'prefix':
      return 'MultiTermQueryConstantScoreBlendedWrapper'
    case 'fieldExists':
      return query.listed ? 'TermQuery' : 'FieldExistsQuery'
  }
}

/** The query as Lucene prints it. Depth is that of the request, which its parser has bounded. */
export function queryText(query: Query): string {
  switch (query.kind) {
    case 'matchAll':
      return '*:*'
    case 'matchNone':
      return `MatchNoDocsQuery("${query.reason}")`
    case 'term':
      return `${query.field}:${query.term}`
    case 'termsInSet':
      return `${query.field}:(${query.terms.join(' ')})`
    case 'ids':
      return `_id:(${query.ids.map(idText).join(' ')})`
    case 'boolean':
      return booleanText(query)
    case 'phrase':
      return phraseText(query)
    case 'synonym':
      return `Synonym(${query.terms.map(term => `${query.field}:${term}`).join(' ')})`
    case 'multiPhrase':
      return multiPhraseText(query)
    case 'phrasePrefix':
      return phrasePrefixText(query)
    case 'span':
      return spanText(query.field, query.span)
    case 'constantScore':
      return `ConstantScore(${queryText(query.query)})`
    case 'disMax': {
      const inner = query.queries.map(bracketed).join(' | ')
      return `(${inner})${query.tieBreaker === 0 ? '' : `~${floatText(query.tieBreaker)}`}`
    }
    case 'boosting': {
      const boost = `queryboost(score(${queryText(query.negative)}))^${floatText(query.negativeBoost)}`
      return `FunctionScoreQuery(${queryText(query.positive)}, scored by boost(${boost}))`
    }
    case 'boost':
      return `(${queryText(query.query)})^${floatText(query.boost)}`
    case 'pointRange':
      return eitherText(query, `${query.field}:[${query.lowerText} TO ${query.upperText}]`)
    case 'pointInSet':
      return eitherText(query, `${query.field}:{${query.texts.join(' ')}}`)
    case 'termRange': {
      const open = query.includeLower ? '[' : '{'
      const close = query.includeUpper ? ']' : '}'
      return `${query.field}:${open}${endText(query.lower)} TO ${endText(query.upper)}${close}`
    }
    case 'prefix':
      return `${query.field}:${query.prefix}*`
    case 'fieldExists':
      return query.listed
        ? `_field_names:${query.field}`
        : `FieldExistsQuery [field=${query.field}]`
  }
}

function booleanText(query: BooleanQuery): string {
  const inner = query.clauses
    .map(clause => OCCUR_SIGNS[clause.occur] + bracketed(clause.query))
    .join(' ')
  return query.minimumShouldMatch > 0 ? `(${inner})~${query.minimumShouldMatch}` : inner
}

function bracketed(query: Query): string {
  return query.kind === 'boolean' ? `(${queryText(query)})` : queryText(query)
}

function phraseText(query: PhraseQuery): string {
  const words: string[] = []
  const first = query.positions[0] ?? 0
  let before = first - 1
  query.terms.forEach((term, i) => {
    const position = query.positions[i] ?? first
    // A gap of a million positions is legal; past a few question marks it says nothing more.
    for (let gap = before + 1; gap < position && gap < before + 100; gap++) words.push('?')
    if (position === before && words.length > 0) words.push(`${words.pop()}|${term}`)
    else words.push(term)
    before = position
  })
  return `${query.field}:"${words.join(' ')}"${query.slop === 0 ? '' : `~${query.slop}`}`
}

function multiPhraseText(query: MultiPhraseQuery): string {
  const words: string[] = []
  let before = -1
  query.terms.forEach((terms, i) => {
    const position = query.positions[i] ?? 0
    for (let gap = before + 1; i > 0 && gap < position && gap < before + 100; gap++) words.push('?')
    words.push(terms.length === 1 ? (terms[0] ?? '') : `(${terms.join(' ')})`)
    before = position
  })
  return `${query.field}:"${words.join(' ')}"${query.slop === 0 ? '' : `~${query.slop}`}`
}

/** The last words with a star; gaps do not show. */
function phrasePrefixText(query: PhrasePrefixQuery): string {
  const words = query.terms.map((terms, i) => {
    const star = i === query.terms.length - 1 ? '*' : ''
    const text = terms.map(term => term + star).join(' ')
    return terms.length === 1 ? text : `(${text})`
  })
  return `${query.field}:"${words.join(' ')}"${query.slop === 0 ? '' : `~${query.slop}`}`
}

function spanText(field: string, span: Span): string {
  const inner = (spans: readonly Span[]): string =>
    spans.map(each => spanText(field, each)).join(', ')
  switch (span.kind) {
    case 'term':
      return `${field}:${span.term}`
    case 'prefix':
      return `SpanMultiTermQueryWrapper(${field}:${span.prefix}*)`
    case 'or':
      return `spanOr([${inner(span.spans)}])`
    case 'near':
      return `spanNear([${inner(span.spans)}], 0, true)`
    case 'gap':
      return `SpanGap(${field}:${span.width})`
  }
}

function eitherText(query: { indexed: boolean; docValues: boolean }, text: string): string {
  if (!query.indexed || !query.docValues) return text
  return `IndexOrDocValuesQuery(indexQuery=${text}, dvQuery=${text})`
}

function endText(end: string | null): string {
  if (end === null) return '*'
  return end === '*' ? '\\*' : end
}

/**
 * A float32 as Java's `Float.toString` prints it: the fewest digits that read back as the same
 * float, always with a fraction, in scientific form below 10⁻³ and from 10⁷ on.
 */
export function floatText(value: number): string {
  const float = Math.fround(value)
  if (Number.isNaN(float)) return 'NaN'
  if (!Number.isFinite(float)) return float > 0 ? 'Infinity' : '-Infinity'
  if (float === 0) return Object.is(float, -0) ? '-0.0' : '0.0'
  const magnitude = Math.abs(float)
  let digits = ''
  let exponent = 0
  for (let precision = 0; precision <= 9; precision++) {
    const text = magnitude.toExponential(precision)
    if (Math.fround(Number(text)) !== magnitude) continue
    const [mantissa = '', power = '0'] = text.split('e')
    digits = mantissa.replace('.', '')
    exponent = Number(power)
    break
  }
  const sign = float < 0 ? '-' : ''
  if (magnitude >= 1e-3 && magnitude < 1e7) {
    if (exponent < 0) return `${sign}0.${'0'.repeat(-exponent - 1)}${digits}`
    const whole = digits.slice(0, exponent + 1).padEnd(exponent + 1, '0')
    return `${sign}${whole}.${digits.slice(exponent + 1) || '0'}`
  }
  return `${sign}${digits.slice(0, 1)}.${digits.slice(1) || '0'}E${exponent}`
}

/**
 * An id as the real engine keeps and prints it: its bytes in hex. A run of digits is packed two to
 * a byte behind `fe`; what could be unpadded URL-safe base64 is its decoded bytes (behind `fd` if
 * they start at `fd` or above); all else is UTF-8 behind `ff`.
 */
function idText(id: string): string {
  const hex = [...idBytes(id)].map(byte => byte.toString(16)).join(' ')
  return `[${hex}]`
}

function idBytes(id: string): Uint8Array {
  if (/^[0-9]+$/.test(id)) {
    const packed = new Uint8Array(1 + ((id.length + 1) >>> 1))
    packed[0] = 0xfe
    for (let i = 0; i < id.length; i += 2) {
      const high = id.charCodeAt(i) - 48
      const low = i + 1 < id.length ? id.charCodeAt(i + 1) - 48 : 0xf
      packed[1 + (i >>> 1)] = (high << 4) | low
    }
    return packed
  }
  if (isUnpaddedBase64(id)) {
    const decoded = Buffer.from(id, 'base64url')
    return (decoded[0] ?? 0) >= 0xfd ? Uint8Array.of(0xfd, ...decoded) : decoded
  }
  return Uint8Array.of(0xff, ...encodeUtf8(id))
}

function isUnpaddedBase64(id: string): boolean {
  if (!/^[A-Za-z0-9_-]+$/.test(id)) return false
  // The last character of a partial group has bits that must be zero.
  const rest = id.length % 4
  if (rest === 1) return false
  if (rest === 2) return /[AQgw]$/.test(id)
  return rest === 0 || /[AEIMQUYcgkosw048]$/.test(id)
}

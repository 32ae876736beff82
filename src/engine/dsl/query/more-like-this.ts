import type { KeywordField } from '../../../schema/field-type/keyword-field.ts'
import type { FieldType } from '../../../schema/field-type.ts'
import { presentAt, sourcePath } from '../../../schema/source-values.ts'
import { type BooleanClause, matchNone, type Query } from '../../../search/query/query.ts'
import { IllegalArgumentError } from '../../../util/errors.ts'
import type { JsonEntry } from '../../../util/json/json-tree.ts'
import { plainField } from '../derived/derived-field.ts'
import { inSimilarities, type ScoredField } from '../field/field-similarity.ts'
import {
  readBoolean,
  readInteger,
  readNumber,
  readText,
  readTexts,
  scalarText,
} from '../json-scalars.ts'
import type { Lookup } from '../lookup.ts'
import { minimumShouldMatch } from '../minimum-should-match.ts'
import { parsingError } from '../parse-error.ts'
import { type QueryContext, shardError } from '../query-context.ts'
import { unknownKey } from './field-clause.ts'
import {
  type Liked,
  type LikedDocument,
  type LikedSources,
  likedSources,
  NOTHING_LIKED,
  readLiked,
  sourceKey,
} from './liked-items.ts'
import { textFieldOf } from './many-fields.ts'
import type { QueryParser } from './query-parser.ts'

/** A request's query as read. */
interface MoreLikeThis {
  /** Null: the fields of the index. */
  fields: readonly string[] | null
  like: Liked | null
  unlike: Liked
  maxTerms: number
  minTermFreq: number
  minDocFreq: number
  maxDocFreq: number
  minWordLength: number
  maxWordLength: number
  stopWords: ReadonlySet<string>
  analyzer: string | null
  minimumShouldMatch: string
  boostTerms: number
  include: boolean
  failsOnUnsupported: boolean
}

/** `more_like_this`: documents with the words that are typical of others, or of texts. */
export const moreLikeThisParser: QueryParser = {
  mustBecomesFilter: 'never',
  parse(node, read) {
    const asked: MoreLikeThis = {
      fields: null,
      like: null,
      unlike: NOTHING_LIKED,
      maxTerms: 25,
      minTermFreq: 2,
      minDocFreq: 5,
      maxDocFreq: 2147483647,
      minWordLength: 0,
      maxWordLength: 0,
      stopWords: new Set(),
      analyzer: null,
      minimumShouldMatch: '30%',
      boostTerms: 0,
      include: false,
      failsOnUnsupported: true,
    }
    for (const entry of node.entries)
      if (!read.option(entry) && !readOption(asked, entry))
        throw unknownKey('more_like_this', entry)
    const { like, unlike, fields } = asked
    if (like === null || like.texts.length + like.documents.length === 0)
      throw parsingError(node, "more_like_this requires 'like' to be specified")
    if (fields?.length === 0)
      throw parsingError(node, "more_like_this requires 'fields' to be non-empty")
    const lookups = { like: likedSources(like.documents), unlike: likedSources(unlike.documents) }
    if (like.documents.length > 0) read.lookUp(lookups.like)
    if (unlike.documents.length > 0) read.lookUp(lookups.unlike)
    return { field: null, build: context => build(asked, like, lookups, context) }
  },
}

function readOption(asked: MoreLikeThis, { key, value }: JsonEntry): boolean {
  switch (key) {
    case 'fields':
      asked.fields = value.kind === 'null' ? null : readTexts(value)
      return true
    case 'like':
      asked.like = readLiked(value)
      return true
    case 'unlike':
      asked.unlike = readLiked(value)
      return true
    case 'max_query_terms':
      asked.maxTerms = readInteger(value)
      if (asked.maxTerms <= 0)
        throw new IllegalArgumentError('requires maxQueryTerms to be greater than 0')
      return true
    case 'min_term_freq':
      asked.minTermFreq = readInteger(value)
      return true
    case 'min_doc_freq':
      asked.minDocFreq = readInteger(value)
      return true
    case 'max_doc_freq':
      asked.maxDocFreq = readInteger(value)
      return true
    case 'min_word_length':
      asked.minWordLength = readInteger(value)
      return true
    case 'max_word_length':
      asked.maxWordLength = readInteger(value)
      return true
    case 'stop_words':
      asked.stopWords = new Set(value.kind === 'null' ? [] : readTexts(value))
      return true
    case 'analyzer':
      asked.analyzer = value.kind === 'null' ? null : readText(value)
      return true
    case 'minimum_should_match':
      asked.minimumShouldMatch = readText(value)
      return true
    case 'boost_terms':
      asked.boostTerms = Math.fround(readNumber(value))
      return true
    case 'include':
      asked.include = readBoolean(value)
      return true
    case 'fail_on_unsupported_field':
      asked.failsOnUnsupported = readBoolean(value)
      return true
    default:
      return false
  }
}

/** Words and their frequencies, by field. */
type WordCounts = Map<string, Map<string, number>>

function build(
  asked: MoreLikeThis,
  like: Liked,
  lookups: { readonly like: Lookup<LikedSources>; readonly unlike: Lookup<LikedSources> },
  context: QueryContext,
): Query {
  const { analyzer, unlike } = asked
  if (analyzer !== null && !context.hasAnalyzer(analyzer))
    throw shardError(`[more_like_this] analyzer [${analyzer}] not found`)
  const fields = fieldsOf(asked, context)
  const [first] = fields
  if (first === undefined) return matchNone('no field can be more like this')
  const skipped = new Set<string>()
  const skip = (counts: WordCounts): void => {
    for (const [field, words] of counts)
      for (const word of words.keys()) skipped.add(`${field} ${word}`)
  }
  for (const field of fields) skip(wordsOfTexts(unlike.texts, field, analyzer, context))
  if (unlike.documents.length > 0)
    skip(wordsOfDocuments(unlike.documents, context.answers.of(lookups.unlike), fields, context))
  const isWanted = (field: string, word: string): boolean =>
    !isNoise(word, asked) && !skipped.has(`${field} ${word}`)
  const wanted = (field: string, words: ReadonlyMap<string, number>): [string, number][] =>
    [...words].filter(([word]) => isWanted(field, word))
  const parts: (readonly {
    readonly fields: readonly string[]
    readonly words: readonly (readonly [string, number])[]
  }[])[] = []
  if (like.documents.length > 0) {
    const sources = context.answers.of(lookups.like)
    const counts = wordsOfDocuments(like.documents, sources, fields, context)
    parts.push(
      [...counts].map(([field, words]) => ({ fields: [field], words: wanted(field, words) })),
    )
  }
  const names = fields.map(({ name }) => name)
  for (const [field, words] of wordsOfTexts(like.texts, first, analyzer, context))
    parts.push([{ fields: names, words: wanted(field, words) }])
  const query: Query = {
    kind: 'moreLikeThis',
    parts,
    maxTerms: asked.maxTerms,
    minTermFreq: asked.minTermFreq,
    minDocFreq: asked.minDocFreq,
    maxDocFreq: asked.maxDocFreq,
    boostTerms: asked.boostTerms,
    maxClauses: context.maxClauseCount,
    minimums: Array.from({ length: context.maxClauseCount + 1 }, (_, count) =>
      minimumShouldMatch(asked.minimumShouldMatch, count),
    ),
  }
  const scored = inSimilarities(fields.filter(hasSimilarity), query, context)
  return asked.include ? scored : without(scored, like.documents, context.index)
}

/** The query without the documents themselves. */
function without(query: Query, documents: readonly LikedDocument[], index: string): Query {
  const ids = documents.flatMap(each =>
    each.id !== null && (each.index ?? index) === index ? [each.id] : [],
  )
  const clauses: BooleanClause[] = [{ occur: 'should', query }]
  if (ids.length > 0)
    clauses.push({ occur: 'must_not', query: { kind: 'ids', ids: [...new Set(ids)].sort() } })
  return { kind: 'boolean', clauses, minimumShouldMatch: 0 }
}

function isNoise(word: string, { minWordLength, maxWordLength, stopWords }: MoreLikeThis): boolean {
  return (
    (minWordLength > 0 && word.length < minWordLength) ||
    (maxWordLength > 0 && word.length > maxWordLength) ||
    stopWords.has(word)
  )
}

function hasSimilarity(field: FieldType): field is FieldType & ScoredField {
  return 'similarity' in field
}

function isSupported(field: FieldType, context: QueryContext): boolean {
  return field.indexed && (textFieldOf(field.name, context) !== null || field.type === 'keyword')
}

function fieldsOf(
  { fields, failsOnUnsupported }: MoreLikeThis,
  context: QueryContext,
): readonly FieldType[] {
  const { mapping } = context
  if (fields === null)
    return context.defaultFields.flatMap(name =>
      mapping
        .fieldsLike(name.split('^')[0]!)
        .filter(field => !field.name.startsWith('_') && isSupported(field, context)),
    )
  return fields.flatMap(name => {
    const field = plainField(name, 'more_like_this', context)
    if (field === null) return []
    if (isSupported(field, context)) return [field]
    if (failsOnUnsupported)
      throw new IllegalArgumentError(`more_like_this only supports text/keyword fields: [${name}]`)
    return []
  })
}

/** The words of a text on a field. */
function count(
  field: FieldType,
  text: string,
  analyzer: string | null,
  to: Map<string, number>,
  context: QueryContext,
): void {
  const own = textFieldOf(field.name, context)
  const words =
    own === null
      ? [context.normalize(field as KeywordField, text)]
      : (context.analyze(own, text, analyzer, false)?.tokens.map(({ term }) => term) ?? [])
  for (const word of words) to.set(word, (to.get(word) ?? 0) + 1)
}

function wordsOfTexts(
  texts: readonly string[],
  field: FieldType,
  analyzer: string | null,
  context: QueryContext,
): WordCounts {
  const words = new Map<string, number>()
  for (const text of texts) count(field, text, analyzer, words, context)
  return words.size === 0 ? new Map() : new Map([[field.name, words]])
}

function wordsOfDocuments(
  documents: readonly LikedDocument[],
  sources: LikedSources,
  fields: readonly FieldType[],
  context: QueryContext,
): WordCounts {
  const counts: WordCounts = new Map()
  documents.forEach((document, ord) => {
    const source = sources.get(sourceKey(ord, context.index))
    if (source === undefined) return
    for (const field of ownFields(document, fields, context)) {
      const words = counts.get(field.name) ?? new Map<string, number>()
      counts.set(field.name, words)
      const analyzer = document.analyzers.get(field.name) ?? indexAnalyzer(field, context)
      for (const value of presentAt(source, sourcePath(field.name, context.mapping))) {
        const text = scalarText(value)
        if (text !== null) count(field, text, analyzer, words, context)
      }
    }
  })
  return counts
}

function ownFields(
  document: LikedDocument,
  fields: readonly FieldType[],
  context: QueryContext,
): readonly FieldType[] {
  if (document.fields.length === 0) return fields
  return document.fields.flatMap(name =>
    context.mapping.fieldsLike(name).filter(field => isSupported(field, context)),
  )
}

/** The analyzer that documents' words went through; null: the field's own. */
function indexAnalyzer(field: FieldType, context: QueryContext): string | null {
  const name = textFieldOf(field.name, context)?.analyzer ?? null
  return name !== null && context.hasAnalyzer(name) ? name : null
}

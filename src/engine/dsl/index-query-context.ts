import { normalizeText } from '../../analysis/normalizer.ts'
import { type DerivedFields, NO_DERIVED_FIELDS } from '../../schema/derived-field.ts'
import type { TextField } from '../../schema/field-type/text-field.ts'
import { clusterSettings, indexSettings } from '../../schema/setting-registry.ts'
import type { Settings } from '../../schema/settings.ts'
import { similarityNamed } from '../../schema/similarity/similarity-settings.ts'
import type { SearchScripts } from '../api/scripts.ts'
import type { VectorRequests } from '../api/vectors.ts'
import type { IndexView } from '../metadata/index-view.ts'
import { fieldSimilarity } from './field/field-similarity.ts'
import { type Answers, NO_ANSWERS } from './lookup.ts'
import type { QueryContext } from './query-context.ts'
import { newQueryNotes } from './query-notes.ts'
import { shingled } from './query-shingles.ts'
import { scriptPlan } from './script-plan.ts'
import { seenDocuments } from './seen-documents.ts'

/** Facts of the node beside those of its indices. */
export interface NodeFacts {
  /** The cluster settings that hold. */
  readonly effectiveSettings: Settings
  readonly scripts: SearchScripts
  readonly vectorRequests: VectorRequests
}

/**
 * The facts of an index, as a call sees it, that a request's query is built with.
 * @param nowInMillis the request's now, the same for all its indices
 * @param answers     to the request's lookups; without, none were run
 * @param derived     the request's own derived fields
 */
export function queryContextOf(
  { index, mapping, shown, fields, visible }: IndexView,
  { effectiveSettings: cluster, scripts, vectorRequests }: NodeFacts,
  nowInMillis: number,
  answers: Answers = NO_ANSWERS,
  derived: DerivedFields = NO_DERIVED_FIELDS,
): QueryContext {
  const { analysis, settings } = index
  return {
    index: index.name,
    indexUuid: index.uuid,
    aliases: [...index.aliases.keys()],
    mapping,
    shown,
    maskOf: name => fields?.maskOf(shown.field(name)?.name ?? name) ?? null,
    // No name of a field ends in a dot.
    absentName: name => (fields === null ? name : `${name}.`),
    seen: visible === null ? null : seenDocuments(),
    derived: derivedFields(mapping.options.derivedFields ?? NO_DERIVED_FIELDS, derived),
    allowsDerived:
      indexSettings.boolean(settings, 'index.query.derived_field.enabled') &&
      clusterSettings.boolean(cluster, 'search.derived_field.enabled'),
    nowInMillis,
    searchedShards: 1,
    maxTermsCount: indexSettings.number(settings, 'index.max_terms_count') ?? 65536,
    maxAdjacencyMatrixFilters:
      indexSettings.number(settings, 'index.max_adjacency_matrix_filters') ?? 100,
    maxResultWindow: indexSettings.number(settings, 'index.max_result_window') ?? 10_000,
    efSearch: indexSettings.number(settings, 'index.knn.algo_param.ef_search') ?? 100,
    maxRegexLength: indexSettings.number(settings, 'index.max_regex_length') ?? 1000,
    isLenient: indexSettings.boolean(settings, 'index.query_string.lenient'),
    maxQueryStringLength:
      clusterSettings.number(cluster, 'search.query.max_query_string_length') ?? 32_000,
    maxClauseCount: clusterSettings.number(cluster, 'indices.query.bool.max_clause_count') ?? 1024,
    defaultFields: indexSettings.list(settings, 'index.query.default_field'),
    allowsExpensive: clusterSettings.boolean(cluster, 'search.allow_expensive_queries'),
    eitherTerms: clusterSettings.boolean(cluster, 'search.keyword_index_or_doc_values_enabled'),
    loadsIds: clusterSettings.boolean(cluster, 'indices.id_field_data.enabled'),
    nested: {
      path: null,
      depth: 0,
      maxDepth: indexSettings.number(settings, 'index.query.max_nested_depth') ?? 20,
    },
    notes: newQueryNotes(),
    answers,
    scripts,
    vectorRequests,
    planScript: scriptPlan,
    analyze(field, text, name, isQuote) {
      const analyzer =
        name !== null
          ? analysis.analyzer(name)
          : (analysis.analyzer(searchAnalyzerName(field, isQuote) ?? '') ??
            (isQuote ? analysis.defaultQuoteAnalyzer : analysis.defaultSearchAnalyzer))
      if (analyzer === null) return null
      const { tokens, endOffset } = analyzer.tokens(text)
      const { filters } = analyzer.parts
      const mayBeGraph = !filters.some(filter => filter.disablesGraph === true)
      const tail = field?.tail ?? null
      if (tail === null || tail.kind === 'prefixes') return { tokens, endOffset, mayBeGraph }
      return { tokens: shingled(tokens, tail.size), endOffset, mayBeGraph: false }
    },
    normalizeWord(field, word, name) {
      const analyzer =
        name === null
          ? (analysis.analyzer(searchAnalyzerName(field, false) ?? '') ??
            analysis.defaultSearchAnalyzer)
          : analysis.analyzer(name)
      return analyzer === null ? word : analysis.normalizeWord(analyzer, word)
    },
    similarityOf(name) {
      return fieldSimilarity(similarityNamed(name, settings), this)
    },
    hasAnalyzer: name => analysis.hasAnalyzer(name),
    analyzerName: field => searchAnalyzerName(field, false) ?? '',
    normalize(field, value) {
      const normalizer = field.normalizer === null ? null : analysis.normalizer(field.normalizer)
      return normalizer === null ? value : normalizeText(normalizer, value)
    },
  }
}

/** The derived fields of a mapping and of a request, whose own win. */
function derivedFields(mapped: DerivedFields, own: DerivedFields): DerivedFields {
  return own.size === 0 ? mapped : new Map([...mapped, ...own])
}

/** The analyzer that a field names for searches; null leaves it to the index. */
function searchAnalyzerName(field: TextField | null, isQuote: boolean): string | null {
  if (field === null) return null
  const quote = isQuote ? field.searchQuoteAnalyzer : null
  return quote ?? field.searchAnalyzer ?? field.analyzer
}

import { NO_ANSWERS } from '../../src/engine/dsl/lookup.ts'
import type { QueryContext } from '../../src/engine/dsl/query-context.ts'
import { newQueryNotes } from '../../src/engine/dsl/query-notes.ts'
import { scriptPlan } from '../../src/engine/dsl/script-plan.ts'
import { newVectorRequests } from '../../src/engine/node/vector-requests.ts'
import { Mapping } from '../../src/schema/mapping.ts'
import { NO_SCRIPTS } from './no-scripts.ts'

/** A context without an index: words in lower case, keywords as they are. */
export const queryContext: QueryContext = {
  absentName: name => name,
  maskOf: () => null,
  shown: Mapping.EMPTY,
  index: 'i',
  indexUuid: 'uuid',
  aliases: [],
  mapping: Mapping.EMPTY,
  planScript: scriptPlan,
  seen: null,
  derived: new Map(),
  allowsDerived: true,
  nowInMillis: Date.UTC(2024, 1, 29, 12),
  searchedShards: 1,
  isLenient: false,
  maxQueryStringLength: 1000,
  hasAnalyzer: () => true,
  similarityOf: () => null,
  analyzerName: field => field.analyzer ?? '',
  normalizeWord: (_field, word) => word.toLowerCase(),
  maxTermsCount: 100,
  maxAdjacencyMatrixFilters: 100,
  maxResultWindow: 100,
  maxRegexLength: 100,
  efSearch: 100,
  maxClauseCount: 100,
  defaultFields: ['*'],
  allowsExpensive: true,
  eitherTerms: false,
  loadsIds: true,
  nested: { path: null, depth: 0, maxDepth: 20 },
  notes: newQueryNotes(),
  answers: NO_ANSWERS,
  scripts: NO_SCRIPTS,
  vectorRequests: newVectorRequests(),
  analyze(_field, text) {
    const words = text.toLowerCase().split(' ')
    const tokens = words.map(term => ({
      term,
      positionIncrement: 1,
      positionLength: 1,
      endOffset: text.length,
    }))
    return { tokens, endOffset: text.length, mayBeGraph: false }
  },
  normalize: (_field, value) => value,
}

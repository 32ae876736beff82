/** Filters that may change while an index lives may stand in analyzers of searches alone. */
import type { AnalysisRegistry } from '../../analysis/registry.ts'
import type { Mapping } from '../../schema/mapping.ts'
import { EngineError } from '../../util/errors.ts'

/**
 * Refuses analyzers of texts with filters of searches alone: terms of documents would depend on when they came.
 * @throws {EngineError} `mapper_exception`
 */
export function checkTextAnalyzers(mapping: Mapping, analysis: AnalysisRegistry): void {
  for (const field of mapping.fields())
    switch (field.type) {
      case 'text':
      case 'match_only_text':
      case 'search_as_you_type':
        if (field.analyzer !== null) check(field.analyzer, 'index time', analysis)
    }
}

/**
 * The same of the analyzer of texts whose field names none.
 * @throws {EngineError} as `checkTextAnalyzers`
 */
export function checkDefaultAnalyzer(analysis: AnalysisRegistry): void {
  check('default', 'all', analysis)
}

function check(analyzer: string, mode: string, analysis: AnalysisRegistry): void {
  const filters = analysis.searchFilters(analyzer)
  if (filters.length === 0) return
  throw new EngineError({
    type: 'mapper_exception',
    reason:
      `analyzer [${analyzer}] contains filters [${filters.join(', ')}] that are not allowed to run ` +
      `in ${mode} mode.`,
  })
}

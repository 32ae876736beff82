import { normalizeText } from '../../analysis/normalizer.ts'
import type { AnalysisRegistry } from '../../analysis/registry.ts'
import { storageOf } from '../../schema/field-type/field-types.ts'
import type { FieldType } from '../../schema/field-type.ts'

/** Makes the tokens of a text as the index makes those of a field; none where that has no analyzer. */
export function tokensOf(
  field: FieldType,
  analysis: AnalysisRegistry,
): (text: string) => readonly string[] {
  const storage = storageOf(field)
  if (storage.kind === 'terms') {
    const { normalizer: name } = storage
    const normalizer = name === null ? null : analysis.normalizer(name)
    return text => [normalizer === null ? text : normalizeText(normalizer, text)]
  }
  if (storage.kind !== 'tokens' && storage.kind !== 'completions') return () => []
  const analyzer = analysis.analyzer(storage.analyzer ?? '') ?? analysis.defaultAnalyzer
  return text => analyzer.tokens(text).tokens.map(({ term }) => term)
}

import type { Analyzer } from '../../../analysis/analyzer/analyzer.ts'
import type { AnalysisRegistry } from '../../../analysis/registry.ts'
import type { MappedField } from '../../../schema/field-type/mapped-field.ts'
import type { TextField } from '../../../schema/field-type/text-field.ts'
import type { FoundTerms, Occurrence } from './found-terms.ts'

/** How the values of a field become tokens; null: each is one. */
export interface FieldAnalyzer {
  readonly analyzer: Analyzer
  /** Positions between two values. */
  readonly gap: number
}

/** The analyzer of a field's values; null: each of them is a token. */
export function fieldAnalyzer(
  field: MappedField,
  analysis: AnalysisRegistry,
): FieldAnalyzer | null {
  if (!isText(field)) return null
  const analyzer = analysis.analyzer(field.analyzer ?? '') ?? analysis.defaultAnalyzer
  const isOwnGap = analyzer.isCustom && !field.parameters.has('position_increment_gap')
  return { analyzer, gap: isOwnGap ? analyzer.positionIncrementGap : field.positionIncrementGap }
}

/** Whether a field's values are analysed text. */
export function isText(field: MappedField): field is TextField {
  return 'positionIncrementGap' in field
}

/**
 * The tokens of values whose terms are looked for. Offsets run on from value to value, with one unit
 * between two.
 * @param limit tokens that start behind it are left out, by offset within their value
 */
export function tokensOf(
  values: readonly string[],
  by: FieldAnalyzer | null,
  has: (term: string) => boolean,
  limit: number,
): FoundTerms {
  const found = new Map<string, Occurrence[]>()
  let position = -1
  let offset = 0
  const add = (term: string, start: number, end: number): void => {
    if (!has(term)) return
    const occurrence = { position, start: offset + start, end: offset + end }
    const known = found.get(term)
    if (known === undefined) found.set(term, [occurrence])
    else known.push(occurrence)
  }
  for (const value of values) {
    if (by === null) {
      position++
      add(value, 0, value.length)
    } else {
      const stream = by.analyzer.stream(value)
      const { token } = stream
      let isWhole = true
      while (stream.next()) {
        if (token.startOffset > limit) {
          isWhole = false
          break
        }
        position = Math.max(0, position + token.positionIncrement)
        add(token.term, token.startOffset, Math.min(token.endOffset, value.length))
      }
      if (isWhole) {
        stream.end()
        position += token.positionIncrement
      }
      position += by.gap
    }
    offset += value.length + 1
  }
  return found
}

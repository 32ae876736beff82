/** Every case in which our analysis is held against Lucene's; one file for each part of it. */
import type { AnalysisCase } from '../../support/analysis-vectors.ts'
import { charFilterCases } from './char-filter-cases.ts'
import { filterCases } from './filter-cases.ts'
import { languageCases } from './language-cases.ts'
import { tokenizerCases } from './tokenizer-cases.ts'

/** All cases, made anew. */
export function analysisCases(): readonly AnalysisCase[] {
  return [...languageCases(), ...filterCases(), ...tokenizerCases(), ...charFilterCases()]
}

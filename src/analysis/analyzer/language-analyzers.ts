/** Analyzers of languages by type. */
import type { AnalyzerFactory } from '../component.ts'

/** Type → factory. */
export const LANGUAGE_ANALYZERS: ReadonlyMap<string, AnalyzerFactory> = new Map<
  string,
  AnalyzerFactory
>([])

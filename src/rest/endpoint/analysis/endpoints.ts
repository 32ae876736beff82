/** The endpoints of analysis. */
import type { Endpoint } from '../../endpoint.ts'
import { analyze } from './analyze.ts'
import { refreshSearchAnalyzers } from './refresh-search-analyzers.ts'

/** A text's tokens, and files of analyzers. */
export const ANALYSIS_ENDPOINTS: readonly Endpoint[] = [analyze, refreshSearchAnalyzers]

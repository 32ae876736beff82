/** The endpoints of analysis. */
import type { Endpoint } from '../../endpoint.ts'
import { analyze } from './analyze.ts'

/** A text's tokens. */
export const ANALYSIS_ENDPOINTS: readonly Endpoint[] = [analyze]

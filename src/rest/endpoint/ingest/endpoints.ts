/** The endpoints of ingest pipelines. */
import type { Endpoint } from '../../endpoint.ts'
import { grokPatterns } from './grok-patterns.ts'
import { INGEST_PIPELINE_ENDPOINTS } from './pipelines.ts'
import { simulatePipeline } from './simulate.ts'

/** Pipelines put, shown, deleted and tried out; the patterns of grok. */
export const INGEST_ENDPOINTS: readonly Endpoint[] = [
  ...INGEST_PIPELINE_ENDPOINTS,
  simulatePipeline,
  grokPatterns,
]

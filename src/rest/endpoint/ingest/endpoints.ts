/** The endpoints of ingest pipelines. */
import type { Endpoint } from '../../endpoint.ts'
import { grokPatterns } from './grok-patterns.ts'
import { deletePipeline, getPipelines, putPipeline } from './pipelines.ts'
import { simulatePipeline } from './simulate.ts'

/** Pipelines put, shown, deleted and tried out; the patterns of grok. */
export const INGEST_ENDPOINTS: readonly Endpoint[] = [
  putPipeline,
  getPipelines,
  deletePipeline,
  simulatePipeline,
  grokPatterns,
]

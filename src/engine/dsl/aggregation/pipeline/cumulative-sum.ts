import type { PipelineParser } from '../pipeline-parser.ts'
import { readPipeline } from './pipeline-keys.ts'

/** cumulative_sum. */
export const cumulativeSum: PipelineParser = body => ({
  kind: 'cumulativeSum',
  name: body.name,
  ...readPipeline(body, 'cumulative_sum'),
})

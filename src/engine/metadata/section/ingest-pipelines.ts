import type { MetadataSection } from './metadata-section.ts'
import { type PipelineDefinitions, pipelineDefinitions } from './pipeline-definitions.ts'

/** The ingest pipelines: `{"⟨id⟩": {"description": …, "processors": […]}}`. */
export const INGEST_PIPELINES: MetadataSection<PipelineDefinitions> =
  pipelineDefinitions('ingest_pipelines')

import type { MetadataSection } from './metadata-section.ts'
import { type PipelineDefinitions, pipelineDefinitions } from './pipeline-definitions.ts'

/** The search pipelines: `{"⟨id⟩": {"request_processors": […], "response_processors": […], …}}`. */
export const SEARCH_PIPELINES: MetadataSection<PipelineDefinitions> =
  pipelineDefinitions('search_pipelines')

import type { JsonObjectNode } from '../../util/json/json-tree.ts'

/** The search pipeline that a body asks for. */
export interface PipelineRequest {
  /** An id, or a definition; null: neither. */
  readonly pipeline: string | JsonObjectNode | null
  /** The answer tells what each processor did. */
  readonly isVerbose: boolean
}

import type { MmrField } from './mmr-field.ts'

/** How hits of a search are chosen. */
export interface MmrChoice {
  readonly field: MmrField
  /** Hits that the search asked for. */
  readonly size: number
  /** 0 to 1, float32. */
  readonly diversity: number
  /** Whether the vectors are answered too. */
  readonly keepsVectors: boolean
}

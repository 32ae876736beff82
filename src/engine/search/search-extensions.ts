import type { MmrRequest } from './mmr/mmr-request.ts'

/** Sections that plugins of the real server read. */
export interface SearchExtensions {
  /** Null: it is not asked for. */
  readonly mmr: MmrRequest | null
}

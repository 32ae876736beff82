/** Char filters by type; a new one is a line in the table. */
import type { CharFilterFactory } from '../component.ts'

/** Type → factory. */
export const CHAR_FILTERS: ReadonlyMap<string, CharFilterFactory> = new Map<
  string,
  CharFilterFactory
>([])

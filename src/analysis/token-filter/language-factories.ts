/** Token filters of languages by type: stemmers, normalizations and the like. */
import type { TokenFilterFactory } from '../component.ts'

/** Type → factory. */
export const LANGUAGE_TOKEN_FILTERS: ReadonlyMap<string, TokenFilterFactory> = new Map<
  string,
  TokenFilterFactory
>([])

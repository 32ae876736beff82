/** Token filters by type, but those of languages; a new one is a line in the table. */
import type { TokenFilterFactory } from '../component.ts'
import { lowercaseFilter } from './lowercase-filter.ts'
import { stopFilter } from './stop-filter.ts'

/** Type → factory. */
export const TOKEN_FILTERS: ReadonlyMap<string, TokenFilterFactory> = new Map([
  ['lowercase', lowercaseFilter],
  ['stop', stopFilter],
])

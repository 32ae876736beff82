/** Char filters by type; a new one is a line in the table. */
import type { CharFilterFactory } from '../component.ts'
import { htmlStripCharFilter } from './html-strip.ts'
import { mappingCharFilter } from './mapping.ts'
import { patternReplaceCharFilter } from './pattern-replace.ts'

/** Type → factory. */
export const CHAR_FILTERS: ReadonlyMap<string, CharFilterFactory> = new Map([
  ['html_strip', htmlStripCharFilter],
  ['mapping', mappingCharFilter],
  ['pattern_replace', patternReplaceCharFilter],
])

/** The total table of highlighters. */
import { IllegalArgumentError } from '../../../util/errors.ts'
import { vectorHighlighter } from './fvh.ts'
import type { Highlighter } from './highlighter.ts'
import { plainHighlighter } from './plain.ts'
import { unifiedHighlighter } from './unified.ts'

const HIGHLIGHTERS: Readonly<Record<string, Highlighter>> = {
  unified: unifiedHighlighter,
  plain: plainHighlighter,
  fvh: vectorHighlighter,
}

/**
 * The highlighter of a name.
 * @param name null: `unified`
 * @throws {IllegalArgumentError} there is none such
 */
export function highlighterOf(name: string | null, pattern: string): Highlighter {
  const known = name ?? 'unified'
  if (Object.hasOwn(HIGHLIGHTERS, known)) return HIGHLIGHTERS[known]!
  throw new IllegalArgumentError(`unknown highlighter type [${known}] for the field [${pattern}]`)
}

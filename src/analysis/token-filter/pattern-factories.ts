/** Factories of filters by regular expressions. */
import { IllegalArgumentError } from '../../util/errors.ts'
import { compilePattern } from '../../util/pattern/pattern-program.ts'
import { Replacement } from '../../util/pattern/replacement.ts'
import type { TokenFilterFactory } from '../component.ts'
import { booleanOption, listOption, textOption } from '../options.ts'
import { PatternCaptureFilter, PatternReplaceFilter } from './pattern-filters.ts'

const patternReplace: TokenFilterFactory = (name, options) => {
  const pattern = textOption(options, 'pattern')
  if (pattern === null)
    throw new IllegalArgumentError(
      `pattern is missing for [${name}] token filter of type 'pattern_replace'`,
    )
  const program = compilePattern(pattern, textOption(options, 'flags') ?? '')
  const replacement = new Replacement(textOption(options, 'replacement') ?? '', program)
  const all = booleanOption(options, 'all', true)
  return { name, make: input => new PatternReplaceFilter(input, program, replacement, all) }
}

const patternCapture: TokenFilterFactory = (name, options) => {
  // Patterns have commas: a text is one pattern.
  const patterns = options.get('patterns')
  if (patterns === undefined)
    throw new IllegalArgumentError(
      `required setting 'patterns' is missing for token filter [${name}]`,
    )
  const list = typeof patterns === 'string' ? listOption(options, 'patterns') : patterns
  const programs = list.map(pattern => compilePattern(pattern, ''))
  const preservesOriginal = booleanOption(options, 'preserve_original', true)
  return { name, make: input => new PatternCaptureFilter(input, programs, preservesOriginal) }
}

/** Type → factory. */
export const PATTERN_FILTERS: readonly (readonly [string, TokenFilterFactory])[] = [
  ['pattern_capture', patternCapture],
  ['pattern_replace', patternReplace],
]

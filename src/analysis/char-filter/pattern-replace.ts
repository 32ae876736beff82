/** Char filter `pattern_replace`: what a pattern matches is replaced, groups by `$1`. */
import { IllegalArgumentError } from '../../util/errors.ts'
import { Matcher } from '../../util/pattern/matcher.ts'
import { compilePattern } from '../../util/pattern/pattern-program.ts'
import { Replacement } from '../../util/pattern/replacement.ts'
import type { CharFilterFactory } from '../component.ts'
import { textOption } from '../options.ts'
import type { CharFilterComponent, FilteredText } from '../token-stream.ts'
import { MOST_GROWTH, OffsetMap } from './offset-map.ts'

/** `pattern_replace`. */
export const patternReplaceCharFilter: CharFilterFactory = (name, options): CharFilterComponent => {
  const pattern = textOption(options, 'pattern')
  if (pattern === null || pattern === '')
    throw new IllegalArgumentError(
      `pattern is missing for [${name}] char filter of type 'pattern_replace'`,
    )
  const program = compilePattern(pattern, textOption(options, 'flags') ?? '')
  const replacement = new Replacement(textOption(options, 'replacement') ?? '', program)
  const matcher = new Matcher(program)
  return { name, isNormalizing: true, filter: text => replaceAll(matcher, replacement, text) }
}

function replaceAll(matcher: Matcher, replacement: Replacement, text: string): FilteredText {
  const map = new OffsetMap()
  const pieces: string[] = []
  let length = 0
  let copied = 0
  let difference = 0
  let grown = 0
  matcher.reset(text)
  for (let from = 0; from <= text.length && matcher.find(from); ) {
    const start = matcher.groups[0]!
    const end = matcher.groups[1]!
    const expanded = replacement.expand(matcher, text)
    pieces.push(text.slice(copied, start), expanded)
    length += start - copied
    const size = end - start
    if (expanded.length < size) {
      difference += size - expanded.length
      map.add(length + expanded.length, difference)
    }
    // Units more than before are mapped to the end of the match.
    else for (let i = size; i < expanded.length; i++) map.add(length + i, --difference)
    length += expanded.length
    copied = end
    grown += Math.max(0, expanded.length - size)
    if (grown > MOST_GROWTH)
      throw new IllegalArgumentError(
        `the pattern makes the text of ${text.length} characters longer by more than ${MOST_GROWTH}`,
      )
    from = end > start ? end : end + 1
  }
  if (pieces.length === 0) return { text, correct: null }
  pieces.push(text.slice(copied))
  return { text: pieces.join(''), correct: map.correction() }
}

/** New names of restored indices, by a pattern in Java's syntax. */
import { IllegalArgumentError } from '../../util/errors.ts'
import { Matcher } from '../../util/pattern/matcher.ts'
import { compilePattern } from '../../util/pattern/pattern-program.ts'
import { Replacement } from '../../util/pattern/replacement.ts'

/** Each match of the pattern is replaced, groups by `$1`. */
export interface Renaming {
  readonly pattern: string
  readonly replacement: string
}

/** No name is longer, so neither is what a renaming makes. */
const MAX_NAME_LENGTH = 4096

/**
 * Renames by a pattern; without one names stay.
 * @throws {EngineError} `pattern_syntax_exception` and its like: a pattern or replacement that cannot be;
 *   `illegal_argument_exception` of a name that becomes too long
 */
export function renamer(renaming: Renaming | null): (name: string) => string {
  if (renaming === null) return name => name
  const program = compilePattern(renaming.pattern, '')
  const replacement = new Replacement(renaming.replacement, program)
  const matcher = new Matcher(program)
  return name => {
    let renamed = ''
    let copied = 0
    matcher.reset(name)
    for (let from = 0; from <= name.length && matcher.find(from); ) {
      const [start, end] = [matcher.groups[0]!, matcher.groups[1]!]
      renamed += name.slice(copied, start) + replacement.expand(matcher, name)
      if (renamed.length > MAX_NAME_LENGTH)
        throw new IllegalArgumentError(`the new name of [${name}] is too long`)
      copied = end
      from = end > start ? end : end + 1
    }
    return renamed + name.slice(copied)
  }
}

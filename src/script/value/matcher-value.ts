import { IllegalArgumentError } from '../../util/errors.ts'
import { Matcher } from '../../util/pattern/matcher.ts'
import { compilePattern, type Program } from '../../util/pattern/pattern-program.ts'
import { boundsFault, illegalArgument, illegalState } from '../java-faults.ts'
import type { PatternValue } from './pattern-value.ts'
import { ScriptObject } from './script-value.ts'

interface Programs {
  readonly part: Program
  readonly whole: Program
}

/** The compiled form of a pattern, kept as long as the pattern is. */
const PROGRAMS = new WeakMap<PatternValue, Programs>()

/** A `java.util.regex.Matcher`: a pattern at work on a text. */
export class MatcherValue extends ScriptObject {
  readonly className: string = 'java.util.regex.Matcher'
  readonly pattern: PatternValue
  readonly input: string
  readonly #programs: Programs
  readonly #part: Matcher
  #whole: Matcher | null = null
  /** Start and end of each group of the last match; null: there is none. */
  #groups: Int32Array | null = null
  /** Where the next search begins; past the text: nowhere. */
  #next = 0

  constructor(pattern: PatternValue, input: string) {
    super()
    this.pattern = pattern
    this.input = input
    this.#programs = programsOf(pattern)
    this.#part = new Matcher(this.#programs.part)
    this.#part.reset(input)
  }

  get groupCount(): number {
    return this.#programs.part.groupCount
  }

  /** The program that replacements are read for. */
  get program(): Program {
    return this.#programs.part
  }

  override text(): string {
    return `java.util.regex.Matcher[pattern=${this.pattern.pattern} region=0,${this.input.length}]`
  }

  /** Begins anew. */
  reset(): this {
    this.#groups = null
    this.#next = 0
    this.#part.reset(this.input)
    return this
  }

  /**
   * Finds the next match.
   * @throws {EngineError} `circuit_breaking_exception`: it takes too many steps
   */
  find(): boolean {
    return this.#hold(this.#next <= this.input.length && this.#search(this.#part, this.#next))
  }

  /** Finds a match at or after an index; see `find`. */
  findFrom(start: number): boolean {
    if (start < 0 || start > this.input.length) throw boundsFault('Illegal start index')
    this.reset()
    this.#next = start
    return this.find()
  }

  /** Whether the text begins with a match; see `find`. */
  lookingAt(): boolean {
    this.reset()
    return this.#hold(this.#search(this.#part, 0) && this.#part.groups[0] === 0)
  }

  /** Whether the whole text matches; see `find`. */
  matches(): boolean {
    this.#whole ??= new Matcher(this.#programs.whole)
    this.#whole.reset(this.input)
    const found = this.#search(this.#whole, 0)
    this.#groups = found ? this.#whole.groups.slice() : null
    this.#next = found ? this.input.length + 1 : 0
    return found
  }

  /**
   * Start or end of a group in the last match, −1 where it took no part.
   * @throws {ScriptFault} `illegal_state_exception`: no match, `index_out_of_bounds_exception`: no group
   */
  bound(group: number, isEnd: boolean): number {
    if (this.#groups === null) throw illegalState('No match found')
    if (group < 0 || group > this.groupCount) throw boundsFault(`No group ${group}`)
    return this.#groups[2 * group + (isEnd ? 1 : 0)]!
  }

  /** The text of a group in the last match; null where it took no part. See `bound`. */
  group(group: number): string | null {
    const start = this.bound(group, false)
    return start < 0 ? null : this.input.slice(start, this.bound(group, true))
  }

  /**
   * Index of a named group.
   * @throws {ScriptFault} `illegal_argument_exception`
   */
  groupNamed(name: string): number {
    const group = this.#programs.part.groupNames.get(name)
    if (group === undefined) throw illegalArgument(`No group with name <${name.slice(0, 256)}>`)
    return group
  }

  #search(matcher: Matcher, from: number): boolean {
    try {
      return matcher.find(from)
    } catch (error) {
      throw error instanceof IllegalArgumentError
        ? this.pattern.tooManyCharacters(this.input)
        : error
    }
  }

  #hold(found: boolean): boolean {
    this.#groups = found ? this.#part.groups.slice() : null
    if (found) {
      const start = this.#part.groups[0]!
      const end = this.#part.groups[1]!
      // Behind an empty match the search goes on one further.
      this.#next = end > start ? end : end + 1
    } else this.#next = this.input.length + 1
    return found
  }
}

function programsOf(pattern: PatternValue): Programs {
  const known = PROGRAMS.get(pattern)
  if (known !== undefined) return known
  const programs = {
    part: compilePattern(pattern.pattern, pattern.flags),
    whole: compilePattern(pattern.pattern, pattern.flags, 'whole'),
  }
  PROGRAMS.set(pattern, programs)
  return programs
}

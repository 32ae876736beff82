import { EngineError, IllegalArgumentError } from '../../util/errors.ts'
import { Matcher } from '../../util/pattern/matcher.ts'
import { compilePattern } from '../../util/pattern/pattern-program.ts'
import { ScriptObject } from './script-value.ts'

/** How much of a text an error shows. */
const SHOWN_LENGTH = 64

/** A `java.util.regex.Pattern`. */
export class PatternValue extends ScriptObject {
  readonly className: string = 'java.util.regex.Pattern'
  readonly pattern: string
  /** Java's names, separated by `|`. */
  readonly flags: string
  /** Times the length of a text that a pattern may look at its characters; null: as often as it likes. */
  readonly limitFactor: number | null
  #part: Matcher | null = null
  #whole: Matcher | null = null

  /** @throws {IllegalArgumentError} a syntax error, or an unsupported feature */
  constructor(pattern: string, flags: string, limitFactor: number | null) {
    super()
    this.pattern = pattern
    this.flags = flags
    this.limitFactor = limitFactor
    this.#part = new Matcher(compilePattern(pattern, flags))
  }

  override text(): string {
    return this.pattern
  }

  /**
   * Whether a part of a text matches.
   * @throws {EngineError} `circuit_breaking_exception`: it takes too many steps
   */
  find(text: string): boolean {
    this.#part ??= new Matcher(compilePattern(this.pattern, this.flags))
    return this.#run(this.#part, text)
  }

  /**
   * Whether a whole text matches.
   * @throws {EngineError} `circuit_breaking_exception`: it takes too many steps
   */
  matches(text: string): boolean {
    this.#whole ??= new Matcher(compilePattern(this.pattern, this.flags, 'whole'))
    return this.#run(this.#whole, text)
  }

  #run(matcher: Matcher, text: string): boolean {
    matcher.reset(text)
    try {
      return matcher.find(0)
    } catch (error) {
      throw error instanceof IllegalArgumentError ? this.tooManyCharacters(text) : error
    }
  }

  /** The error of a pattern that took too many steps on a text. */
  tooManyCharacters(text: string): EngineError {
    const limit = (this.limitFactor ?? 1) * text.length
    const shown = text.length > SHOWN_LENGTH ? `${text.slice(0, SHOWN_LENGTH)}...` : text
    return new EngineError({
      type: 'circuit_breaking_exception',
      reason:
        `[scripting] Regular expression considered too many characters, pattern: [${this.pattern}], ` +
        `limit factor: [${this.limitFactor ?? 'none'}], char limit: [${limit}], ` +
        `count: [${limit + 1}], wrapped: [${shown}], this limit can be changed by changed by the ` +
        '[script.painless.regex.limit-factor] setting',
    })
  }
}

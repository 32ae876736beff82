/** The filter `lowercase`. */
import { IllegalArgumentError } from '../../util/errors.ts'
import type { TokenFilterFactory } from '../component.ts'
import { textOption } from '../options.ts'
import { TokenFilter, type TokenFilterComponent, type UnitRun } from '../token-stream.ts'
import { lowerCaseText } from './lowercase.ts'
import { lowerCaseGreek, lowerCaseIrish, lowerCaseTurkish } from './term-case.ts'
import { normalizingComponent } from './term-filter.ts'

/** Makes terms lower case, code point by code point. */
export class LowercaseFilter extends TokenFilter {
  next(): boolean {
    if (!this.input.next()) return false
    if (this.input.isLower()) return true
    const { token } = this
    token.term = lowerCaseText(token.term)
    return true
  }

  /** Scripts without case have nothing to be changed. */
  override takeUnits(run: UnitRun): boolean {
    return this.input.takeUnits(run)
  }
}

const LANGUAGES: ReadonlyMap<string, (term: string) => string> = new Map([
  ['greek', lowerCaseGreek],
  ['irish', lowerCaseIrish],
  ['turkish', lowerCaseTurkish],
])

/** `lowercase`. */
export const lowercaseFilter: TokenFilterFactory = (name, options): TokenFilterComponent => {
  const language = textOption(options, 'language')
  if (language !== null) {
    const change = LANGUAGES.get(language.toLowerCase())
    if (change === undefined)
      throw new IllegalArgumentError(`language [${language}] not support for lower case`)
    return normalizingComponent(name, change)
  }
  return {
    name,
    isNormalizing: true,
    fast: { kind: 'lowercase' },
    make: input => new LowercaseFilter(input),
  }
}

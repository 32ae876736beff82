/** The filter `lowercase`. */
import type { TokenFilterFactory } from '../component.ts'
import { notSupported } from '../not-supported.ts'
import { textOption } from '../options.ts'
import { TokenFilter, type TokenFilterComponent } from '../token-stream.ts'
import { lowerCaseText } from './lowercase.ts'

/** Makes terms lower case, code point by code point. */
export class LowercaseFilter extends TokenFilter {
  next(): boolean {
    if (!this.input.next()) return false
    const { token } = this
    token.term = lowerCaseText(token.term)
    return true
  }
}

/** `lowercase`. */
export const lowercaseFilter: TokenFilterFactory = (name, options): TokenFilterComponent => {
  const language = textOption(options, 'language')
  if (language !== null) throw notSupported(`lowercase language: ${language}`)
  return {
    name,
    isNormalizing: true,
    fast: { kind: 'lowercase' },
    make: input => new LowercaseFilter(input),
  }
}

/** Separated values of one line: plain ones, and quoted ones in which a quote is written twice. */

import { IllegalArgumentError } from '../../util/errors.ts'

interface CsvForm {
  /** One UTF-16 unit each. */
  readonly quote: string
  readonly separator: string
  /** Whether blanks around values go. */
  readonly trims: boolean
}

/**
 * Reads the values of a line.
 * @throws {EngineError} `illegal_argument_exception`: a quote within a plain value, or without its like
 */
export function readCsvLine(line: string, { quote, separator, trims }: CsvForm): string[] {
  const values: string[] = []
  let at = 0
  for (;;) {
    let start = at
    if (trims) while (line[start] === ' ' || line[start] === '\t') start++
    if (line[start] === quote) {
      let value = ''
      at = start + 1
      for (;;) {
        const end = line.indexOf(quote, at)
        if (end < 0) throw new IllegalArgumentError('Unmatched quote')
        value += line.slice(at, end)
        at = end + 1
        if (line[at] !== quote) break
        value += quote
        at++
      }
      if (trims) while (line[at] === ' ' || line[at] === '\t') at++
      if (at < line.length && line[at] !== separator)
        throw new IllegalArgumentError(
          `character after quoted field should be separator or end of line, found at [${at}]`,
        )
      values.push(value)
    } else {
      let end = at
      while (end < line.length && line[end] !== separator) {
        const char = line[end]
        if (char === quote || char === '\n' || char === '\r')
          throw new IllegalArgumentError(`Illegal character inside unquoted field at ${end}`)
        end++
      }
      const value = line.slice(at, end)
      values.push(trims ? value.replace(/^[ \t]+|[ \t]+$/g, '') : value)
      at = end
    }
    // Nothing stands behind a separator at the end.
    if (++at >= line.length) return values
  }
}

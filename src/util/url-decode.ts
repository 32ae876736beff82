import { IllegalArgumentError } from './errors.ts'

/**
 * Decodes a part of a URL: `+` is a blank, `%` and two digits a byte of UTF-8.
 * @throws {IllegalArgumentError} a `%` without two digits
 */
export function urlDecode(text: string): string {
  return text.replaceAll('+', ' ').replace(/(?:%[\da-fA-F]{2})+|%.{0,2}/gs, run => {
    if (run.length < 3)
      throw new IllegalArgumentError('URLDecoder: Incomplete trailing escape (%) pattern')
    if (!/^(?:%[\da-fA-F]{2})+$/.test(run))
      throw new IllegalArgumentError(
        `URLDecoder: Illegal hex characters in escape (%) pattern - Error at index 0 in: "${run.slice(1)}"`,
      )
    return Buffer.from(run.replaceAll('%', ''), 'hex').toString('utf8')
  })
}

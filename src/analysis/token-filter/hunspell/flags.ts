/** How the flags of a Hunspell dictionary are written; inside, each is one UTF-16 unit. */
import { IllegalArgumentError } from '../../../util/errors.ts'

/** Reads a list of flags. */
export type FlagReader = (text: string) => string

/**
 * The reader of a kind of flags.
 * @param name `long`: two characters each; `num`: numbers divided by commas; `UTF-8` or none: a
 * character each
 */
export function flagReader(name: string): FlagReader {
  switch (name) {
    case 'num':
      return readNumbers
    case 'long':
      return readPairs
    case 'UTF-8':
    case 'char':
      return text => text
    default:
      throw new IllegalArgumentError(`Unknown flag type: ${name}`)
  }
}

function readNumbers(text: string): string {
  let flags = ''
  for (const part of text.trim().split(',')) {
    const digits = part.replace(/[^0-9]/g, '')
    if (digits !== '') flags += String.fromCharCode(Number(digits))
  }
  return flags
}

function readPairs(text: string): string {
  if (text.length % 2 === 1)
    throw new IllegalArgumentError(`Invalid flags (should be even number of characters): ${text}`)
  let flags = ''
  for (let at = 0; at < text.length; at += 2) {
    const first = text.charCodeAt(at)
    const second = text.charCodeAt(at + 1)
    if (first >= 256 || second >= 256)
      throw new IllegalArgumentError(`Invalid flags (LONG flags must be double ASCII): ${text}`)
    flags += String.fromCharCode((first << 8) | second)
  }
  return flags
}

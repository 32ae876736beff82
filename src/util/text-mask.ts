/** What stands in place of a text that a caller may not read: plain data, so that every thread can mask. */
import { createHash } from 'node:crypto'
import { blake2b256 } from './blake2b.ts'
import { encodeUtf8 } from './bytes.ts'
import { Matcher } from './pattern/matcher.ts'
import { compilePattern } from './pattern/pattern-program.ts'
import { Replacement } from './pattern/replacement.ts'

/** How texts are masked. */
export type TextMask =
  /** BLAKE2b of 32 bytes, in hex; the salt has 16 bytes, and an older server took it as what makes a hash its own. */
  | { readonly kind: 'salted'; readonly salt: Uint8Array; readonly isPersonal: boolean }
  /** A digest of `node:crypto`, in hex. */
  | { readonly kind: 'digest'; readonly algorithm: string }
  /** All matches of each pattern are replaced, one pattern after the other. */
  | {
      readonly kind: 'replacements'
      readonly steps: readonly { readonly pattern: string; readonly replacement: string }[]
    }

/**
 * The function of a mask, which is made once for many texts.
 * @throws {EngineError} a pattern or a replacement cannot be read
 */
export function textMasker(mask: TextMask): (text: string) => string {
  switch (mask.kind) {
    case 'salted': {
      const { salt, isPersonal } = mask
      return text => {
        const bytes = encodeUtf8(text)
        const digest = isPersonal ? blake2b256(bytes, undefined, salt) : blake2b256(bytes, salt)
        return Buffer.from(digest).toString('hex')
      }
    }
    case 'digest': {
      const { algorithm } = mask
      return text => createHash(algorithm).update(text).digest('hex')
    }
    case 'replacements': {
      const steps = mask.steps.map(({ pattern, replacement }) => replacing(pattern, replacement))
      return text => steps.reduce((masked, step) => step(masked), text)
    }
  }
}

function replacing(pattern: string, replacement: string): (text: string) => string {
  const program = compilePattern(pattern, '')
  const [matcher, replaced] = [new Matcher(program), new Replacement(replacement, program)]
  return text => {
    matcher.reset(text)
    return replaced.apply(matcher, text, true)
  }
}

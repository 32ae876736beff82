import { isLineEnd, isUnixLineEnd, WORD } from './character-sets.ts'
import type { Assertion } from './pattern-node.ts'
import { UNICODE_WORD } from './unicode-sets.ts'

/** Whether an assertion holds at an offset of a text. */
export function holds(assertion: Assertion, text: string, at: number): boolean {
  const { length } = text
  switch (assertion) {
    case 'textStart':
      return at === 0
    case 'textEnd':
      return at === length
    case 'lineStart': {
      if (at === 0) return true
      if (at === length) return false
      const before = text.charCodeAt(at - 1)
      return isLineEnd(before) && !(before === 0x0d && text.charCodeAt(at) === 0x0a)
    }
    case 'lineEnd':
      return at === length || isLineEndAt(text, at)
    case 'lastLineEnd': {
      if (at === length) return true
      if (!isLineEndAt(text, at)) return false
      return at === length - 1 || (at === length - 2 && text.endsWith('\r\n'))
    }
    case 'unixLineStart':
      return at === 0 || (at < length && isUnixLineEnd(text.charCodeAt(at - 1)))
    case 'unixLineEnd':
      return at === length || isUnixLineEnd(text.charCodeAt(at))
    case 'lastUnixLineEnd':
      return at === length || (at === length - 1 && isUnixLineEnd(text.charCodeAt(at)))
    case 'boundary':
    case 'noBoundary': {
      const before = at > 0 && WORD(text.charCodeAt(at - 1))
      const after = at < length && WORD(text.charCodeAt(at))
      return (before !== after) === (assertion === 'boundary')
    }
    case 'unicodeBoundary':
    case 'noUnicodeBoundary': {
      const before = at > 0 && UNICODE_WORD(pointBefore(text, at))
      const after = at < length && UNICODE_WORD(text.codePointAt(at)!)
      return (before !== after) === (assertion === 'unicodeBoundary')
    }
  }
}

function pointBefore(text: string, at: number): number {
  const point = at > 1 ? text.codePointAt(at - 2)! : 0
  return point > 0xffff ? point : text.charCodeAt(at - 1)
}

/** Whether a line ends before the character at `at`; not between `\r\n`. */
function isLineEndAt(text: string, at: number): boolean {
  const unit = text.charCodeAt(at)
  if (!isLineEnd(unit)) return false
  return !(unit === 0x0a && at > 0 && text.charCodeAt(at - 1) === 0x0d)
}

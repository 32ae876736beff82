import { IllegalArgumentError } from '../../util/errors.ts'

/** Reads an expression from left to right. */
export class ExpressionReader {
  readonly text: string
  at = 0

  constructor(text: string) {
    this.text = text
  }

  /** The next character's first UTF-16 unit; '' at the end. */
  peek(): string {
    return this.text.charAt(this.at)
  }

  /** The next character, which is passed. */
  next(): string {
    const point = this.text.codePointAt(this.at)
    if (point === undefined) throw badExpression('end pattern at escape', this.text)
    const char = String.fromCodePoint(point)
    this.at += char.length
    return char
  }

  /** Passes a text where it stands next. */
  take(text: string): boolean {
    if (!this.text.startsWith(text, this.at)) return false
    this.at += text.length
    return true
  }

  /** Passes what a sticky pattern matches next; null: it does not. */
  match(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.at
    const found = pattern.exec(this.text)
    if (found !== null) this.at = pattern.lastIndex
    return found
  }

  /** Goes on behind the next occurrence of a text, or at the end. */
  skipTo(text: string): void {
    const end = this.text.indexOf(text, this.at)
    this.at = end < 0 ? this.text.length : end + text.length
  }

  /** The character that an escape stands for, from behind its backslash. */
  escaped(): string {
    const number = this.match(
      /x\{([\da-fA-F]{1,6})\}|x([\da-fA-F]{1,2})|u([\da-fA-F]{4})|0([0-7]{0,2})/y,
    )
    if (number !== null) {
      const hex = number[1] ?? number[2] ?? number[3]
      const point =
        hex === undefined ? Number.parseInt(`0${number[4]}`, 8) : Number.parseInt(hex, 16)
      if (point > 0x10ffff) throw badExpression('too big wide-char value', this.text)
      return String.fromCodePoint(point)
    }
    const letter = this.next()
    if (/[1-9]/.test(letter))
      throw badExpression('numbered backref/call is not allowed. (use name)', this.text)
    return CONTROLS[letter] ?? letter
  }
}

const CONTROLS: Readonly<Record<string, string>> = Object.assign(Object.create(null), {
  t: '\t',
  n: '\n',
  r: '\r',
  f: '\f',
  v: '\v',
  a: '\x07',
  e: '\x1b',
})

/** An expression that cannot be. */
export function badExpression(why: string, expression: string): IllegalArgumentError {
  const shown = expression.length > 256 ? `${expression.slice(0, 256)}…` : expression
  return new IllegalArgumentError(`${why} in [${shown}]`)
}

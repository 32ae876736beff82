/**
 * Whether two stretches of a text are the same but for the case of letters.
 * @param length in UTF-16 units
 * @param unicodeCase all letters, not those of ASCII alone
 */
export function sameFolded(
  text: string,
  a: number,
  b: number,
  length: number,
  unicodeCase: boolean,
): boolean {
  for (let i = 0; i < length; ) {
    const left = text.codePointAt(a + i)!
    const right = text.codePointAt(b + i)!
    if (left !== right && !(unicodeCase ? sameLetter(left, right) : sameAsciiLetter(left, right)))
      return false
    i += left > 0xffff ? 2 : 1
  }
  return true
}

function sameAsciiLetter(a: number, b: number): boolean {
  const lower = a | 0x20
  return lower === (b | 0x20) && a < 0x80 && b < 0x80 && lower >= 0x61 && lower <= 0x7a
}

/** As Java compares letters: in upper case, and these in lower case. */
function sameLetter(a: number, b: number): boolean {
  const [left, right] = [upper(a), upper(b)]
  return left === right || left.toLowerCase() === right.toLowerCase()
}

/** The upper case of a character where it is one character. */
function upper(point: number): string {
  const text = String.fromCodePoint(point)
  const result = text.toUpperCase()
  return [...result].length === 1 ? result : text
}

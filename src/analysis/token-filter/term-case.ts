/**
 * Upper case one code point at a time by Unicode's simple mappings, without context, and the lower
 * case of three languages that have rules of their own.
 */
import { lowerCase, upperCase } from '../tokenizer/unicode-tables.ts'

const DOT_ABOVE = 0x307
const NON_SPACING = /^\p{Mn}$/u

/** Upper case: ß stays, ᾳ becomes ᾼ. */
export function upperCaseTerm(term: string): string {
  return isAscii(term) ? term.toUpperCase() : mapPoints(term, upperCase)
}

/** Greek lower case: accents and the form of final sigma go too. */
export function lowerCaseGreek(term: string): string {
  return isAscii(term) ? term.toLowerCase() : mapPoints(term, greek)
}

function greek(point: number): number {
  switch (point) {
    case 0x3c2: // ς
      return 0x3c3
    case 0x386: // Ά
    case 0x3ac: // ά
      return 0x3b1
    case 0x388: // Έ
    case 0x3ad: // έ
      return 0x3b5
    case 0x389: // Ή
    case 0x3ae: // ή
      return 0x3b7
    case 0x38a: // Ί
    case 0x3aa: // Ϊ
    case 0x3af: // ί
    case 0x3ca: // ϊ
    case 0x390: // ΐ
      return 0x3b9
    case 0x38e: // Ύ
    case 0x3ab: // Ϋ
    case 0x3cd: // ύ
    case 0x3cb: // ϋ
    case 0x3b0: // ΰ
      return 0x3c5
    case 0x38c: // Ό
    case 0x3cc: // ό
      return 0x3bf
    case 0x38f: // Ώ
    case 0x3ce: // ώ
      return 0x3c9
    case 0x3a2: // never assigned; Lucene maps it
      return 0x3c2
    default:
      return lowerCase(point)
  }
}

/**
 * Irish lower case: a prothetic n or t before a capital vowel gets its hyphen, nAthair n-athair. As
 * Lucene's it looks at UTF-16 units, so that letters beyond them stay as they are.
 */
export function lowerCaseIrish(term: string): string {
  const first = term.charAt(0)
  const isProthetic =
    (first === 'n' || first === 't') && 'AEIOUÁÉÍÓÚ'.includes(term.charAt(1) || ' ')
  const hyphened = isProthetic ? `${first}-${term.slice(1)}` : term
  if (isAscii(hyphened)) return hyphened.toLowerCase()
  let result = ''
  for (let i = 0; i < hyphened.length; i++)
    result += String.fromCharCode(lowerCase(hyphened.charCodeAt(i)))
  return result
}

/** Turkish lower case: I becomes ı, and i where a dot follows it, which then goes. */
export function lowerCaseTurkish(term: string): string {
  let result = ''
  let isAfterI = false
  for (let at = 0; at < term.length; ) {
    const point = term.codePointAt(at)!
    at += point > 0xffff ? 2 : 1
    isAfterI = point === 0x49 || (isAfterI && isMark(point))
    if (isAfterI && point === DOT_ABOVE) continue
    if (point === 0x49) {
      if (isBeforeDot(term, at)) result += 'i'
      else {
        result += 'ı'
        isAfterI = false
      }
    } else result += String.fromCodePoint(lowerCase(point))
  }
  return result
}

function isBeforeDot(term: string, from: number): boolean {
  for (let at = from; at < term.length; ) {
    const point = term.codePointAt(at)!
    if (!isMark(point)) return false
    if (point === DOT_ABOVE) return true
    at += point > 0xffff ? 2 : 1
  }
  return false
}

function isMark(point: number): boolean {
  return point >= 0x300 && NON_SPACING.test(String.fromCodePoint(point))
}

function isAscii(text: string): boolean {
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) >= 0x80) return false
  return true
}

function mapPoints(term: string, map: (point: number) => number): string {
  let result = ''
  for (let at = 0; at < term.length; ) {
    const point = term.codePointAt(at)!
    at += point > 0xffff ? 2 : 1
    result += String.fromCodePoint(map(point))
  }
  return result
}

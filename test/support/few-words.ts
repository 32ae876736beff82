/** Texts of a few words over and over, and of words with parts, the same in every run. */
import { Draw } from './varied-strings.ts'

const WORDS =
  'foo bar baz big apple ny new york city a b c d x up one two three the of is The OF q fast wi-fi o’clock'.split(
    ' ',
  )

const PARTS = (
  "Power Shot wi fi SD 500 42 's 'S o' l' Qu' É é ß ªb ² ½ ǅ ö Ü abc XYZ aB 7z $ % _ . / \\ | 漢字 かな " +
  'ก\u0e33 \u0301 😀 𝐀 ٣ Ⅷ a1b2 the of'
).split(' ')
const JOINTS = ['', '', '-', '_', '--', '.', "'", ' ', ' ', '/']

/** Two thousand texts of up to twelve words. */
export function fewWords(): readonly string[] {
  const draw = new Draw(0xf00ba)
  const texts = ['', ' ', 'the', 'the of', 'foo', 'foo the']
  while (texts.length < 2000) {
    let text = ''
    for (let i = draw.below(12); i >= 0; i--)
      text += draw.of(WORDS) + (draw.below(20) === 0 ? '  ' : ' ')
    texts.push(draw.below(2) === 0 ? text : text.trimEnd())
  }
  return texts
}

/** Two thousand texts of words that have parts, delimiters around them, possessives. */
export function subwords(): readonly string[] {
  const draw = new Draw(0x5b0d5)
  const texts = [
    '',
    '-',
    "'s",
    "a's",
    "O'Neil's",
    "'s's",
    'PowerShot',
    'wi-fi',
    "the -- of Wi-Fi's",
  ]
  while (texts.length < 2000) {
    let text = ''
    for (let i = draw.below(9); i >= 0; i--) text += draw.of(PARTS) + draw.of(JOINTS)
    texts.push(text)
  }
  return texts
}

/** Every character of the first plane but blanks, controls and surrogates, 32 words of one to a text. */
export function firstPlane(): readonly string[] {
  const texts: string[] = []
  const words: string[] = []
  for (let point = 0x21; point < 0x10000; point++) {
    const char = String.fromCharCode(point)
    // Nothing that Node's version of Unicode decides.
    if (/\s/.test(char) || (point >= 0x7f && point < 0xa0)) continue
    if (point >= 0xd800 && point < 0xe000) continue
    words.push(char)
    if (words.length === 32) texts.push(words.splice(0).join(' '))
  }
  texts.push(words.join(' '))
  return texts
}

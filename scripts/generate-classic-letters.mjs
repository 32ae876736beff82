// Makes src/analysis/tokenizer/generated/classic-letters.ts from the Unicode character database as
// Debian's package `unicode-data` installs it:
//
//   node scripts/generate-classic-letters.mjs [/usr/share/unicode]
//
// Letters and digits of Unicode 3.0, which the grammar of Lucene's ClassicTokenizer is written over;
// code points of the basic plane, those that it counts as Chinese or Japanese left out.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const folder = process.argv[2] ?? '/usr/share/unicode'
const read = file => readFileSync(join(folder, file), 'utf8')
const ages = new Float64Array(0x10000)
for (const line of read('DerivedAge.txt').split('\n')) {
  const match = /^([0-9A-F]+)(?:\.\.([0-9A-F]+))?\s*;\s*(\d+\.\d+)/.exec(line)
  if (match === null || parseInt(match[1], 16) > 0xffff) continue
  ages.fill(Number(match[3]), parseInt(match[1], 16), parseInt(match[2] ?? match[1], 16) + 1)
}
const categories = new Array(0x10000).fill('')
let first = 0
for (const line of read('UnicodeData.txt').split('\n')) {
  const fields = line.split(';')
  const point = parseInt(fields[0], 16)
  if (fields.length < 15 || point > 0xffff) continue
  if (fields[1].endsWith('First>')) first = point
  categories.fill(fields[2], fields[1].endsWith('Last>') ? first : point, point + 1)
}
const CJ = [
  [0x3040, 0x312f],
  [0x31f0, 0x31ff],
  [0x3300, 0x337f],
  [0x3400, 0x4dbf],
  [0x4e00, 0x9fff],
  [0xf900, 0xfaff],
  [0xff65, 0xff9f],
]
const isCj = point => CJ.some(([from, to]) => point >= from && point <= to)
const isOld = point => ages[point] > 0 && ages[point] <= 3.0

function ranges(holds) {
  const out = []
  for (let point = 0; point < 0x10000; point++) {
    if (!holds(point)) continue
    if (out.length > 0 && out.at(-1) === point - 1) out[out.length - 1] = point
    else out.push(point, point)
  }
  return out
}
function packed(numbers) {
  // Distances from the number before, in base 36.
  const text = numbers.map((number, i) => (number - (numbers[i - 1] ?? 0)).toString(36)).join(' ')
  const lines = []
  for (let at = 0; at < text.length; ) {
    let end = Math.min(at + 92, text.length)
    if (end < text.length) end = text.lastIndexOf(' ', end) + 1
    lines.push(`  '${text.slice(at, end)}'`)
    at = end
  }
  return lines.join(' +\n')
}
// A number in Unicode 3.0, a letter since 5.0.
const REVERSED_C = 0x2183
const letters = ranges(
  point =>
    isOld(point) && categories[point].startsWith('L') && !isCj(point) && point !== REVERSED_C,
)
const digits = ranges(point => isOld(point) && categories[point] === 'Nd')
const version = /-(\d+\.\d+\.\d+)\.txt/.exec(read('DerivedAge.txt'))[1]
writeFileSync(
  join(import.meta.dirname, '../src/analysis/tokenizer/generated/classic-letters.ts'),
  `/**
 * Made by scripts/generate-classic-letters.mjs from the Unicode character database, version
 * ${version}: do not edit. The data are © Unicode, Inc., under the Unicode licence
 * (https://www.unicode.org/license.txt).
 */

const LETTERS =
${packed(letters)}

const DIGITS =
${packed(digits)}

function ranges(packed: string): readonly number[] {
  let at = 0
  return packed.split(' ').map(text => {
    at += Number.parseInt(text, 36)
    return at
  })
}

/** Letters of Unicode 3.0 but Chinese and Japanese ones: from, to, from, to, … */
export const CLASSIC_LETTERS: readonly number[] = ranges(LETTERS)

/** Decimal digits of Unicode 3.0. */
export const CLASSIC_DIGITS: readonly number[] = ranges(DIGITS)
`,
)
console.log(
  `Unicode ${version}: ${letters.length / 2} runs of letters, ${digits.length / 2} of digits`,
)

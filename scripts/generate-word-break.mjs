// Makes src/analysis/tokenizer/generated/word-break-data.ts from the Unicode character database as
// Debian's package `unicode-data` installs it:
//
//   node scripts/generate-word-break.mjs [/usr/share/unicode]
//
// The word-break rules are those of UAX #29 as Lucene's StandardTokenizer applies them (its emoji
// sequences of UTS #51, its Southeast Asian runs), compiled here into one deterministic automaton
// over classes of code points, so that the tokenizer itself is a table walk.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const folder = process.argv[2] ?? '/usr/share/unicode'
const read = file => readFileSync(join(folder, file), 'utf8')
const SIZE = 0x110000

// ---- properties of code points ------------------------------------------------------------------

const properties = new Map()

/** A property's bit; created on first use. */
function bitOf(name) {
  if (!properties.has(name)) properties.set(name, 2n ** BigInt(properties.size))
  return properties.get(name)
}

const sets = new Array(SIZE).fill(0n)

function add(name, first, last = first) {
  const bit = bitOf(name)
  for (let point = first; point <= last; point++) sets[point] |= bit
}

/** Adds the ranges of a property file whose value `choose` turns into a name. */
function addFile(file, choose) {
  for (const line of read(file).split('\n')) {
    const match = /^([0-9A-F]+)(?:\.\.([0-9A-F]+))?\s*;\s*(\w+)/.exec(line)
    if (match === null) continue
    const name = choose(match[3])
    if (name) add(name, parseInt(match[1], 16), parseInt(match[2] ?? match[1], 16))
  }
}

const WORD_BREAK = new Set(
  (
    'ALetter Hebrew_Letter Numeric Katakana MidLetter MidNumLet Single_Quote MidNum ' +
    'ExtendNumLet Double_Quote Format Extend ZWJ Regional_Indicator'
  ).split(' '),
)
addFile('auxiliary/WordBreakProperty.txt', value => (WORD_BREAK.has(value) ? value : null))
addFile('Scripts.txt', value => (['Han', 'Hiragana', 'Hangul'].includes(value) ? value : null))
addFile('LineBreak.txt', value => (value === 'SA' ? 'ComplexContext' : null))
const EMOJI = new Set('Emoji Emoji_Modifier Emoji_Modifier_Base Extended_Pictographic'.split(' '))
addFile('emoji/emoji-data.txt', value => (EMOJI.has(value) ? value : null))
// Full-width digits count as numbers though their word-break property says nothing of it.
add('Numeric', 0xff10, 0xff19)
for (const char of '0123456789#*') add('KeyCapBase', char.codePointAt(0))
add('KeyCap', 0x20e3)
for (const char of '©®™\u3030\u303d') add('AccidentalEmoji', char.codePointAt(0))
add('TextSelector', 0xfe0e)
add('EmojiSelector', 0xfe0f)
add('TagSpec', 0xe0020, 0xe007e)
add('TagTerm', 0xe007f)

// Skin tones stand for themselves after anything but an emoji, as in Unicode 9, which Lucene's rules
// were written for; later versions let them extend any letter.
for (let point = 0; point < SIZE; point++) {
  if ((sets[point] & bitOf('Emoji_Modifier')) !== 0n) sets[point] &= ~bitOf('Extend')
}

// Code points of equal properties are one class.
const classBySet = new Map([[0n, 0]])
const setByClass = [0n]
const classes = sets.map(set => {
  if (!classBySet.has(set)) {
    classBySet.set(set, setByClass.length)
    setByClass.push(set)
  }
  return classBySet.get(set)
})

// ---- the rules as an automaton ------------------------------------------------------------------

/** The classes with any of some properties and none of others. */
function chars(any, none = []) {
  const mask = names => names.reduce((all, name) => all | bitOf(name), 0n)
  const wanted = mask(any)
  const refused = mask(none)
  const found = []
  setByClass.forEach((set, index) => {
    if ((set & wanted) !== 0n && (set & refused) === 0n) found.push(index)
  })
  return { kind: 'chars', classes: found }
}
const seq = (...parts) => ({ kind: 'seq', parts })
const alt = (...parts) => ({ kind: 'alt', parts })
const star = part => ({ kind: 'star', part })
const plus = part => seq(part, star(part))
const opt = part => alt(part, seq())

const extenders = star(chars(['Format', 'Extend', 'ZWJ']))
const extended = (...names) => seq(chars(names), extenders)
const plainExtenders = star(chars(['Format', 'Extend', 'ZWJ'], ['TextSelector', 'EmojiSelector']))
const emojiExtended = part => seq(part, plainExtenders)

const zwj = chars(['ZWJ'])
const selector = chars(['EmojiSelector'])
const emojiChar = alt(
  chars(['Extended_Pictographic']),
  chars(['Emoji'], ['Regional_Indicator', 'KeyCapBase', 'AccidentalEmoji', 'Emoji_Modifier']),
)
const emojiElement = alt(
  seq(star(zwj), emojiExtended(emojiChar), opt(selector)),
  seq(
    opt(seq(star(zwj), emojiExtended(chars(['Emoji_Modifier_Base'])))),
    emojiExtended(chars(['Emoji_Modifier'])),
  ),
)
const emoji = alt(
  seq(
    emojiElement,
    alt(star(seq(zwj, emojiElement)), seq(plus(chars(['TagSpec'])), chars(['TagTerm']))),
  ),
  seq(emojiExtended(chars(['KeyCapBase'])), opt(selector), emojiExtended(chars(['KeyCap']))),
  seq(extended('Regional_Indicator'), extended('Regional_Indicator')),
)

const connector = extended('ExtendNumLet')
const numeric = extended('Numeric')
const letter = extended('ALetter', 'Hebrew_Letter')
const hebrew = extended('Hebrew_Letter')
const katakana = extended('Katakana')
const midNumeric = extended('MidNum', 'MidNumLet', 'Single_Quote')
const midLetter = extended('MidLetter', 'MidNumLet', 'Single_Quote')

const number = seq(numeric, star(seq(alt(star(connector), midNumeric), numeric)))
const run = alt(
  seq(katakana, star(seq(star(connector), katakana))),
  plus(
    alt(
      seq(hebrew, alt(extended('Single_Quote'), seq(extended('Double_Quote'), hebrew))),
      number,
      seq(letter, star(seq(alt(star(connector), midLetter), letter))),
    ),
  ),
)
const hangul = seq(
  {
    kind: 'chars',
    classes: chars(['Hangul']).classes.filter(index =>
      chars(['ALetter', 'Hebrew_Letter']).classes.includes(index),
    ),
  },
  extenders,
)

/** In order of priority: of two rules that match the same text the first gives the type. */
const RULES = [
  ['<EMOJI>', emoji],
  ['<NUM>', seq(star(connector), number, star(connector))],
  ['<HANGUL>', plus(hangul)],
  ['<KATAKANA>', plus(katakana)],
  ['<ALPHANUM>', seq(star(connector), run, star(seq(plus(connector), run)), star(connector))],
  ['<SOUTHEAST_ASIAN>', plus(extended('ComplexContext'))],
  ['<IDEOGRAPHIC>', extended('Han')],
  ['<HIRAGANA>', extended('Hiragana')],
]

// Thompson's construction: states with free moves or a move on classes.
const free = []
const moves = []
const newState = () => {
  free.push([])
  moves.push(null)
  return free.length - 1
}

/** Wires a part from `start`; returns the state behind it. */
function wire(part, start) {
  switch (part.kind) {
    case 'chars': {
      const from = newState()
      const to = newState()
      free[start].push(from)
      moves[from] = { classes: part.classes, to }
      return to
    }
    case 'seq':
      return part.parts.reduce((state, item) => wire(item, state), start)
    case 'alt': {
      const end = newState()
      for (const item of part.parts) {
        const from = newState()
        free[start].push(from)
        free[wire(item, from)].push(end)
      }
      return end
    }
    default: {
      const loop = newState()
      free[start].push(loop)
      const end = newState()
      free[loop].push(end)
      free[wire(part.part, loop)].push(loop)
      return end
    }
  }
}

const origin = newState()
const accepts = RULES.map(([, rule]) => {
  const start = newState()
  free[origin].push(start)
  return wire(rule, start)
})

function closure(states) {
  const seen = new Set(states)
  const queue = [...states]
  while (queue.length > 0) {
    for (const next of free[queue.pop()]) {
      if (seen.has(next)) continue
      seen.add(next)
      queue.push(next)
    }
  }
  return [...seen].sort((a, b) => a - b)
}

// Subset construction; state 0 is dead, state 1 the start.
const classCount = setByClass.length
const subsets = [[], closure([origin])]
const subsetIds = new Map(subsets.map((subset, id) => [subset.join(), id]))
const rows = [new Array(classCount).fill(0)]
for (let id = 1; id < subsets.length; id++) {
  const targets = Array.from({ length: classCount }, () => [])
  for (const state of subsets[id]) {
    const move = moves[state]
    if (move !== null) for (const index of move.classes) targets[index].push(move.to)
  }
  rows[id] = targets.map(target => {
    if (target.length === 0) return 0
    const subset = closure(target)
    const key = subset.join()
    if (!subsetIds.has(key)) {
      subsetIds.set(key, subsets.length)
      subsets.push(subset)
    }
    return subsetIds.get(key)
  })
}
const types = subsets.map(subset => accepts.findIndex(accept => subset.includes(accept)) + 1)

// Moore's minimisation, the dead state and the start kept in their places.
let part = types.map((type, id) => (id === 0 ? 'dead' : `t${type}`))
for (;;) {
  const next = rows.map((row, id) => `${part[id]}|${row.map(to => part[to]).join()}`)
  const count = new Set(next).size
  const ids = new Map()
  const renamed = next.map(key => {
    if (!ids.has(key)) ids.set(key, String(ids.size))
    return ids.get(key)
  })
  if (count === new Set(part).size) break
  part = renamed
}
const order = []
for (const id of part.keys()) if (!order.includes(part[id])) order.push(part[id])
const stateCount = order.length
const table = order.map(name => {
  const id = part.indexOf(name)
  return rows[id].map(to => order.indexOf(part[to]))
})
const stateTypes = order.map(name => types[part.indexOf(name)])
// Classes that no state tells apart are one.
const columnIds = new Map()
const columns = []
const columnOf = setByClass.map((_, index) => {
  const key = table.map(row => row[index]).join()
  if (!columnIds.has(key)) {
    columnIds.set(key, columns.length)
    columns.push(index)
  }
  return columnIds.get(key)
})
if (stateCount > 255 || columns.length > 64) throw new Error('the tables need wider cells')

// ---- lower and upper case, simple mappings ------------------------------------------------------

const lower = []
const upper = []
const letters = new Uint8Array(SIZE)
const blanks = []
let firstOfRange = 0
for (const line of read('UnicodeData.txt').split('\n')) {
  const fields = line.split(';')
  if (fields.length < 15) continue
  const point = parseInt(fields[0], 16)
  if (fields[12] !== '') upper.push([point, parseInt(fields[12], 16)])
  if (fields[13] !== '') lower.push([point, parseInt(fields[13], 16)])
  if (fields[1].endsWith('First>')) firstOfRange = point
  const first = fields[1].endsWith('Last>') ? firstOfRange : point
  if (fields[2].startsWith('L')) letters.fill(1, first, point + 1)
  // Java's Character.isWhitespace: separators but the no-break ones, and the ASCII controls.
  const isControlBlank = (point >= 9 && point <= 13) || (point >= 0x1c && point <= 0x1f)
  const isBreaking = point !== 0xa0 && point !== 0x2007 && point !== 0x202f
  if (isControlBlank || (/^Z[slp]$/.test(fields[2]) && isBreaking)) blanks.push(point)
}
const lowerRuns = caseRuns(lower)
const upperRuns = caseRuns(upper)

/** Mappings that shift equally, at equal distances. */
function caseRuns(mappings) {
  const found = []
  for (const [point, to] of mappings) {
    const last = found.at(-1)
    const shift = to - point
    if (last !== undefined && last.shift === shift && point - last.end === last.step) {
      last.end = point
    } else if (
      last !== undefined &&
      last.shift === shift &&
      last.start === last.end &&
      point - last.end <= 2
    ) {
      last.step = point - last.end
      last.end = point
    } else found.push({ start: point, end: point, step: 1, shift })
  }
  return found
}

// ---- out ----------------------------------------------------------------------------------------

function caseNumbers({ start, end: last, step, shift }) {
  return [start, (last - start) / step + 1, step, Math.abs(shift) * 2 + (shift < 0 ? 1 : 0)]
}

function runs(valueAt) {
  const out = []
  let value = valueAt(0)
  let start = 0
  for (let point = 1; point <= SIZE; point++) {
    const next = point < SIZE ? valueAt(point) : -1
    if (next === value) continue
    if (value !== 0) out.push(start, point - start, value)
    start = point
    value = next
  }
  return out
}

/** Numbers in base 36, sixteen lines of them to look at. */
function packed(numbers) {
  const text = numbers.map(number => number.toString(36)).join(' ')
  const lines = []
  for (let at = 0; at < text.length; ) {
    let end = Math.min(at + 92, text.length)
    if (end < text.length) end = text.lastIndexOf(' ', end) + 1
    lines.push(`  '${text.slice(at, end)}'`)
    at = end
  }
  return lines.join(' +\n')
}

const gaps = runs(point => columnOf[classes[point]])
// Starts as distances from the end of the run before.
let end = 0
for (let i = 0; i < gaps.length; i += 3) {
  const start = gaps[i]
  gaps[i] = start - end
  end = start + gaps[i + 1]
}
const letterRuns = runs(point => letters[point]).filter((_, i) => i % 3 !== 2)
end = 0
for (let i = 0; i < letterRuns.length; i += 2) {
  const start = letterRuns[i]
  letterRuns[i] = start - end
  end = start + letterRuns[i + 1]
}
const version = /-(\d+\.\d+\.\d+)\.txt/.exec(read('auxiliary/WordBreakProperty.txt'))[1]
const text = `/**
 * Made by scripts/generate-word-break.mjs from the Unicode character database, version
 * ${version}: do not edit. The data are © Unicode, Inc., under the Unicode licence
 * (https://www.unicode.org/license.txt).
 */

/** Version of Unicode that the tables follow. */
export const UNICODE_VERSION = '${version}'

/** Token types by the number that \`STATE_TYPES\` gives, from 1. */
export const TOKEN_TYPES: readonly string[] = [
  '',
${RULES.map(([type]) => `  '${type}',`).join('\n')}
]

/** Classes of code points, 0 … CLASS_COUNT − 1. */
export const CLASS_COUNT = ${columns.length}

/** States of the automaton: 0 is dead, 1 the start. */
export const STATE_COUNT = ${stateCount}

/** Per state, what type of token ends there: 0 none. Base 36. */
export const STATE_TYPES: string =
${packed(stateTypes)}

/** Per state and class, the next state. Base 36. */
export const TRANSITIONS: string =
${packed(table.flatMap(row => columns.map(index => row[index])))}

/** Runs of code points with a class other than 0: distance from the run before, length, class. */
export const CLASS_RUNS: string =
${packed(gaps)}

/** Simple lower-case mappings: start, count, step, 2 · |shift| + (shift < 0). Base 36. */
export const LOWER_RUNS: string =
${packed(lowerRuns.flatMap(caseNumbers))}

/** Simple upper-case mappings, the same way. */
export const UPPER_RUNS: string =
${packed(upperRuns.flatMap(caseNumbers))}

/** Runs of letters (general category L): distance from the run before, length. Base 36. */
export const LETTER_RUNS: string =
${packed(letterRuns)}

/** Code points that \`Character.isWhitespace\` of Java holds for. Base 36. */
export const BLANKS: string =
${packed(blanks)}
`
const target = join(import.meta.dirname, '../src/analysis/tokenizer/generated/word-break-data.ts')
writeFileSync(target, text)
console.log(
  `Unicode ${version}: ${columns.length} classes, ${stateCount} states, ${gaps.length / 3} runs, ` +
    `${lowerRuns.length} runs of lower case, ${text.length} bytes`,
)

/**
 * Holds the texts that a paper quotes against the tests: `node scripts/quoted-errors.mjs PAPER [SECTION…]` prints a table of
 * the texts of its sections (numbers of `## N.` headings; all without one) with the test that has each, and ends with 1 where
 * one has none. Parts that vary stand between `⟨` and `⟩`, alternatives are split at `|`.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** A text whose fixed parts are all shorter than this is told from no other. */
const SHORTEST_PART = 7
const OVER_HTTP = join('test', 'rest')
/** Lines that a text in a test may be broken into. */
const LINES_OF_TEXT = 6

const [paper, ...sections] = process.argv.slice(2)
if (paper === undefined) {
  console.error('usage: node scripts/quoted-errors.mjs PAPER [SECTION…]')
  process.exit(2)
}

const tests = readdirSync('test', { recursive: true })
  .map(String)
  .filter(name => name.endsWith('.test.ts'))
  .map(name => join('test', name))
  .map(name => ({ name, lines: readFileSync(name, 'utf8').split('\n') }))

const texts = [...textsOf(readFileSync(paper, 'utf8'), sections)]
const places = texts.map(placesOf)
// Of several tests the one that has most of the texts is about them; other ones may have one by chance.
const counts = new Map()
for (const found of places)
  for (const { name } of found) counts.set(name, (counts.get(name) ?? 0) + 1)
const missing = []
for (const [i, text] of texts.entries()) {
  const best = places[i].toSorted(
    (a, b) =>
      Number(b.isOverHttp) - Number(a.isOverHttp) || counts.get(b.name) - counts.get(a.name),
  )[0]
  console.log(`${best === undefined ? '—' : `${best.name}:${best.line}`}\t${text}`)
  if (best === undefined) missing.push(text)
}
console.error(`${missing.length} texts without a test`)
process.exit(missing.length === 0 ? 0 : 1)

/** The quoted texts of some sections, each once. */
function textsOf(content, wanted) {
  const found = new Set()
  for (const section of content.split(/^## /m).slice(1)) {
    const number = /^\d+/.exec(section)?.[0] ?? ''
    if (wanted.length > 0 && !wanted.includes(number)) continue
    for (const [, text] of section.matchAll(/`([^`\n]+)`/g)) if (isText(text)) found.add(text)
  }
  return found
}

/** Whether a quotation is a sentence of an answer: no JSON, path, name, pattern or list of names. */
function isText(text) {
  // A text may begin with what it speaks of: `[size] must …`.
  const isOther =
    /^[/{"(]|^\[(?![^\]]*\]:? \p{L}{2})|^(GET|POST|PUT|DELETE|HEAD)[ |/]|[ =]\{/u.test(text)
  return /\p{L}{2,} \S/u.test(text) && !isOther && alternativesOf(text).length > 0
}

/** The fixed parts of each of the forms that a text comes in; that of a header is its value. */
function alternativesOf(text) {
  const forms = text.replace(/^WWW-[\w-]+: /, '').split(/(?<!⟨[^⟩]*)\|/)
  return forms.map(partsOf).filter(parts => parts.some(part => part.length >= SHORTEST_PART))
}

/** The fixed parts of a text, in order. */
function partsOf(text) {
  return text
    .split(/⟨[^⟩]*⟩|…|\.\.(?=\])/)
    .map(part => part.replace(/\\n.*/, '').trim())
    .filter(part => /\p{L}{2,}/u.test(part))
}

/** The first lines of each test that have all fixed parts of one form of a text. */
function placesOf(text) {
  const forms = alternativesOf(text)
  return tests.flatMap(({ name, lines }) => {
    const line = lineOf(forms, lines)
    return line === null ? [] : [{ name, line, isOverHttp: name.startsWith(OVER_HTTP) }]
  })
}

function lineOf(forms, lines) {
  for (const [at, line] of lines.entries()) {
    const begun = forms.filter(([first]) => line.includes(first.slice(0, SHORTEST_PART)))
    if (begun.length === 0) continue
    // The formatter breaks long texts apart.
    const near = lines
      .slice(at, at + LINES_OF_TEXT)
      .join(' ')
      .replace(/\s+/g, ' ')
      .replace(/['"`] \+ ['"`]/g, '')
      // Patterns and texts in quotes escape what a paper writes plainly.
      .replaceAll('\\', '')
    if (begun.some(parts => parts.every(part => near.includes(part.replaceAll('\\', '')))))
      return at + 1
  }
  return null
}

/**
 * Holds our analysis against Lucene's, live, and prints a table: case, texts, equal, explained. For
 * each difference its text, both outcomes, code points and known cause. `--words` adds the language
 * analyzers on words of Debian's Snowball vocabularies.
 *
 *   npm run analysis:oracle -- [--record] [--show 3] [--words] [part of a name …]
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { parseArgs } from 'node:util'
import { snowballStemmer } from '../../src/analysis/token-filter/stemmer/stemmers.ts'
import { stopWordsOf } from '../../src/analysis/token-filter/stop-words.ts'
import {
  type AnalysisCase,
  knownCause,
  MOST_DIFFERENT,
  ourOutcome,
  outcomeHash,
  vectorFile,
  vectorText,
} from '../support/analysis-vectors.ts'
import { LuceneOracle, type Outcome } from '../support/lucene/lucene-oracle.ts'
import { differingWords, readVocabulary, VOCABULARIES } from '../support/snowball-data.ts'
import { analysisCases } from './cases/all.ts'
import { STOP_WORD_CASES } from './cases/language-cases.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    record: { type: 'boolean', default: false },
    show: { type: 'string', default: '3' },
    words: { type: 'boolean', default: false },
  },
})
/** Words of one vocabulary. */
const MOST_WORDS = 20_000

const mostShown = Number(values.show)
const cases = analysisCases().filter(
  each => positionals.length === 0 || positionals.some(part => each.name.includes(part)),
)
const oracle = new LuceneOracle()
let bad = 0
let before: readonly string[] | null = null
console.log('| case | texts | equal | explained | unexplained |\n|---|---|---|---|---|')
for (const each of cases) {
  const texts = each.texts()
  if (texts !== before) await oracle.setTexts(texts)
  before = texts
  bad += compare(each, texts, await oracle.run(each.lucene), values.record)
}
console.log('\n| stop words | ours | theirs | equal |\n|---|---|---|---|')
for (const [language, analyzer] of STOP_WORD_CASES) {
  // Three lists have their comments for words, which no tokenizer makes.
  const all = await oracle.stopwords(analyzer)
  const theirs = new Set(all.filter(word => !word.startsWith('#')))
  const ours = new Set(stopWordsOf(language))
  const isEqual = ours.size === theirs.size && [...ours].every(word => theirs.has(word))
  if (!isEqual) {
    bad++
    console.log([...ours].filter(word => !theirs.has(word)).slice(0, 20))
    console.log([...theirs].filter(word => !ours.has(word)).slice(0, 20))
  }
  console.log(`| ${language} | ${ours.size} | ${theirs.size} | ${isEqual ? 'yes' : 'no'} |`)
}
if (values.words) {
  console.log('\n| on words of the vocabularies | words | equal | explained | unexplained |')
  console.log('|---|---|---|---|---|')
  for (const vocabulary of VOCABULARIES) {
    const each = cases.find(({ name }) => name === `analyzer_${vocabulary.folder}`)
    if (each === undefined) continue
    const { words } = readVocabulary(vocabulary)
    const step = Math.ceil(words.length / MOST_WORDS)
    const some = words.filter((_, i) => i % step === 0)
    await oracle.setTexts(some)
    bad += compare(each, some, await oracle.run(each.lucene), false)
  }
}
oracle.close()
console.log('\n| vocabulary | words | equal | of a later version |\n|---|---|---|---|')
for (const vocabulary of positionals.length === 0 ? VOCABULARIES : []) {
  const { words } = readVocabulary(vocabulary)
  const differing = differingWords(vocabulary, snowballStemmer(vocabulary.language)!)
  if (differing.length !== vocabulary.differences) bad++
  const because = differing.length === 0 ? '' : `${differing.length}: ${vocabulary.cause}`
  const equal = words.length - differing.length
  console.log(`| ${vocabulary.folder} | ${words.length} | ${equal} | ${because} |`)
  for (const line of differing.slice(0, mostShown)) console.log(`  ${line}`)
}
process.exitCode = bad === 0 ? 0 : 1

/** @returns 1 where a case does not pass */
function compare(
  each: AnalysisCase,
  texts: readonly string[],
  theirs: readonly Outcome[],
  records: boolean,
): number {
  const chain = each.ours()
  let explained = 0
  let unexplained = 0
  const shown: string[] = []
  for (const [i, text] of texts.entries()) {
    const ours = ourOutcome(chain, text)
    const their = theirs[i]!
    if (JSON.stringify(ours) === JSON.stringify(their)) continue
    const cause = knownCause(each, text)
    if (cause === null) unexplained++
    else explained++
    if (shown.length < mostShown) shown.push(difference(text, ours, their, cause))
  }
  if (records) {
    const file = vectorFile(each.name)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, vectorText(theirs.map(outcomeHash)))
  }
  const equal = texts.length - explained - unexplained
  console.log(`| ${each.name} | ${texts.length} | ${equal} | ${explained} | ${unexplained} |`)
  for (const line of shown) console.log(line)
  return unexplained > 0 || explained > texts.length * MOST_DIFFERENT ? 1 : 0
}

/** The first token that differs, with the code points of the text around it. */
function difference(text: string, ours: Outcome, theirs: Outcome, cause: string | null): string {
  const because = `  cause: ${cause ?? 'unknown'}`
  if (!Array.isArray(ours) || !Array.isArray(theirs))
    return `  ${JSON.stringify(text).slice(0, 200)}\n  theirs ${JSON.stringify(theirs).slice(0, 300)}\n${because}`
  let at = 0
  while (JSON.stringify(ours[at]) === JSON.stringify(theirs[at])) at++
  const token: unknown = theirs[at] ?? ours[at]
  const from = Array.isArray(token) && typeof token[1] === 'number' ? token[1] : 0
  const to = Array.isArray(token) && typeof token[2] === 'number' ? token[2] : from + 20
  const points = Array.from(text.slice(from, Math.min(to, from + 40)), char =>
    char.codePointAt(0)!.toString(16),
  )
  return (
    `  ${JSON.stringify(text.slice(0, 120))} token ${at} of ${theirs.length}: ${points.join(' ')}\n` +
    `    ours   ${JSON.stringify(ours.slice(at, at + 3)).slice(0, 300)}\n` +
    `    theirs ${JSON.stringify(theirs.slice(at, at + 3)).slice(0, 300)}\n${because}`
  )
}

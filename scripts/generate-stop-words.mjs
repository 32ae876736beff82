// Makes src/analysis/token-filter/generated/stop-words.ts of the stop-word lists in Debian's
// liblucene8-java, which are those of Snowball, of J. Savoy (University of Neuchâtel) and others:
//
//   node scripts/generate-stop-words.mjs FOLDER     FOLDER holds the unpacked lucene-analyzers-common
//
// `npm run analysis:oracle` holds the result against the stop sets of Lucene's analyzers.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const LISTS = {
  arabic: 'ar',
  armenian: 'hy',
  basque: 'eu',
  bengali: 'bn',
  brazilian: 'br',
  bulgarian: 'bg',
  catalan: 'ca',
  cjk: 'cjk',
  czech: 'cz',
  danish: 'snowball/danish_stop',
  dutch: 'snowball/dutch_stop',
  estonian: 'et',
  finnish: 'snowball/finnish_stop',
  french: 'snowball/french_stop',
  galician: 'gl',
  german: 'snowball/german_stop',
  greek: 'el',
  hindi: 'hi',
  hungarian: 'snowball/hungarian_stop',
  indonesian: 'id',
  irish: 'ga',
  italian: 'snowball/italian_stop',
  latvian: 'lv',
  lithuanian: 'lt',
  norwegian: 'snowball/norwegian_stop',
  persian: 'fa',
  portuguese: 'snowball/portuguese_stop',
  romanian: 'ro',
  russian: 'snowball/russian_stop',
  sorani: 'ckb',
  spanish: 'snowball/spanish_stop',
  swedish: 'snowball/swedish_stop',
  thai: 'th',
  turkish: 'tr',
}

function words(file) {
  const path = file.includes('/') ? `${file}.txt` : `${file}/stopwords.txt`
  const text = readFileSync(join(process.argv[2], 'org/apache/lucene/analysis', path), 'utf8')
  const list = text
    .replace(/^\ufeff/, '')
    .split('\n')
    .map(line => (file.includes('/') ? line.replace(/\|.*/, '') : line.replace(/^\s*#.*/, '')))
    .flatMap(line => (file.includes('/') ? line.split(/\s+/) : [line.trim()]))
    .filter(word => word !== '')
  return [...new Set(list)]
}

function wrapped(list) {
  const lines = ['']
  for (const word of list) {
    const line = lines.at(-1)
    if (line.length + word.length > 96) lines.push(word)
    else lines[lines.length - 1] = line === '' ? word : `${line} ${word}`
  }
  return lines.join('\n')
}

/** Blank lines count as a word in lists that are not Snowball's. */
const hasBlank = file =>
  !file.includes('/') &&
  readFileSync(join(process.argv[2], 'org/apache/lucene/analysis', `${file}/stopwords.txt`), 'utf8')
    .replace(/\n$/, '')
    .split('\n')
    .some(line => line.trim() === '')

let out = '// Made by scripts/generate-stop-words.mjs of liblucene8-java 8.8.1; do not edit.\n\n'
out += '/** Language → its stop words, divided by white space. */\n'
out += 'export const STOP_WORD_LISTS: Readonly<Record<string, string>> = {\n'
for (const [language, file] of Object.entries(LISTS)) {
  const list = words(file)
  if (list.some(word => /[\s`\\$]/.test(word))) throw new Error(`a word of ${language} has a blank`)
  out += `  ${language}: \`\n${wrapped(list)}\`,\n`
}
out += '}\n\n/** Languages whose lists have the empty word as well. */\n'
const blank = Object.keys(LISTS).filter(language => hasBlank(LISTS[language]))
out += `export const WITH_EMPTY_WORD: ReadonlySet<string> = new Set(${JSON.stringify(blank)})\n`
const folder = new URL('../src/analysis/token-filter/generated/', import.meta.url)
mkdirSync(folder, { recursive: true })
writeFileSync(new URL('stop-words.ts', folder), out)

// Makes src/analysis/token-filter/stemmer/generated/rslp-rules.ts from the rule tables of the RSLP
// stemmers (V. M. Orengo and C. Huyck, A stemming algorithm for the Portuguese language, and its
// adaption to Galician) as Debian's liblucene8-java has them:
//
//   node scripts/generate-rslp.mjs FOLDER     FOLDER holds portuguese.rslp and galician.rslp
//
// A step becomes a line `name|least length|whole or end|endings`, a rule below it
// `suffix least [replacement [exceptions …]]`, `-` for an empty replacement.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const quoted = text => [...text.matchAll(/"([^"]*)"/g)].map(match => match[1])

function convert(file) {
  const lines = []
  for (const raw of readFileSync(join(process.argv[2], file), 'utf8').split('\n')) {
    const line = raw.trim()
    const step = /^\{\s*"(\w+)",\s*(\d+),\s*([01]),\s*\{(.*)\},\s*$/.exec(line)
    const rule = /^\{\s*"([^"]*)",\s*(\d+)\s*(?:,\s*"([^"]*)"\s*)?(?:,\s*\{(.*?)\})?\s*\}/.exec(
      line,
    )
    if (line === '' || line.startsWith('#')) continue
    if (step !== null) {
      const [, name, least, isWhole, endings] = step
      lines.push(
        `${name}|${least}|${isWhole === '1' ? 'whole' : 'end'}|${quoted(endings).join(' ')}`,
      )
    } else if (rule !== null) {
      const [, suffix, least, replacement, exceptions] = rule
      const words = exceptions === undefined ? [] : quoted(exceptions)
      const tail = words.length > 0 || replacement ? [replacement || '-', ...words] : []
      lines.push(['', suffix, least, ...tail].join(' '))
    } else throw new Error(`no rule in ${file}: ${line}`)
  }
  return lines
}

const table = (name, file, doc) =>
  `/** ${doc} */\nexport const ${name}: string = \`\n${convert(file).join('\n')}\n\`\n`

writeFileSync(
  new URL('../src/analysis/token-filter/stemmer/generated/rslp-rules.ts', import.meta.url),
  `// Made by scripts/generate-rslp.mjs of liblucene8-java 8.8.1; do not edit.\n\n` +
    `${table('PORTUGUESE_RULES', 'portuguese.rslp', 'Rules of Portuguese.')}\n` +
    table('GALICIAN_RULES', 'galician.rslp', 'Rules of Galician.'),
)

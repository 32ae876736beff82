/**
 * Records the matches that Java finds for random patterns and texts, which `pattern-matches.test.ts`
 * holds ours to. Wants a JDK, whose version makes little difference.
 *
 *   npm run pattern:oracle
 */
import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Random } from '../../src/util/random.ts'
import { randomPattern, randomText } from '../support/random-patterns.ts'

const COUNT = 2500
const random = new Random(2026)
const lines: string[] = []
for (let i = 0; i < COUNT; i++) {
  const pattern = randomPattern(random, { backtracks: i % 5 !== 0, flags: true })
  lines.push(`${escaped(pattern)}\t${escaped(randomText(random))}`)
}
const source = join(import.meta.dirname, '../support/java/Matches.java')
const input = lines.map(line => `${line}\n`).join('')
const outcomes = execFileSync('java', [source], { input, encoding: 'utf8' }).split('\n')
const records = lines.map((line, i) => `${line}\t${outcomes[i]}\n`)
writeFileSync(join(import.meta.dirname, 'java-matches.txt'), records.join(''))
console.log(`${COUNT} cases`)

function escaped(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n')
}

import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { AnalysisRegistry } from '../../dist/analysis/registry.js'
import { Random } from '../../dist/util/random.js'
import { luceneProgram } from '../../test/support/lucene/class-path.ts'
import { atMost, type Bench, type BenchResult, resultOf } from '../lib/result.ts'

/** UTF-16 units of each kind of text. */
const LENGTH = 4_000_000
const WARM_UP = 3

/** Analyzer, kind of text, nanoseconds a character that it may take. */
const CASES = [
  ['standard', 'english', 15],
  ['english', 'english', 25],
  ['standard', 'cjk', 40],
  ['cjk', 'cjk', 40],
] as const

type Texts = readonly string[]

/** Tokens and time of a run over all texts. */
interface Run {
  readonly nanos: number
  readonly count: number
  readonly length: number
}

/** Analyzers over texts by the public token stream, and Lucene's same ones in turn with them. */
export const analysis: Bench = {
  name: 'analysis',
  async run({ rounds, say }) {
    const texts: Readonly<Record<string, Texts>> = { english: englishTexts(), cjk: cjkTexts() }
    const lucene = await startLucene(texts).catch((error: Error) => {
      say(`analysis: without Lucene: ${error.message}`)
      return null
    })
    const results: BenchResult[] = []
    for (const [name, kind, mark] of CASES) {
      const analyzer = new AnalysisRegistry(new Map()).analyzer(name)!
      const run = (): Run => {
        const start = performance.now()
        let count = 0
        let length = 0
        for (const text of texts[kind]!) {
          const stream = analyzer.stream(text)
          while (stream.next()) {
            count++
            length += stream.token.term.length
          }
          stream.end()
        }
        return { nanos: (performance.now() - start) * 1e6, count, length }
      }
      const chars = texts[kind]!.reduce((sum, text) => sum + text.length, 0)
      const ours: number[] = []
      const theirs: number[] = []
      for (let round = -WARM_UP; round < rounds; round++) {
        const own = run()
        const other = (await lucene?.run(name, kind)) ?? null
        if (other !== null && (other.count !== own.count || other.length !== own.length))
          throw new Error(
            `${name} over ${kind}: ${own.count} tokens of ${own.length} characters, of Lucene ` +
              `${other.count} of ${other.length}`,
          )
        if (round < 0) continue
        ours.push(own.nanos / chars)
        if (other !== null) theirs.push(other.nanos / chars)
      }
      const least = Math.min(...ours)
      const against = { name: 'Lucene 8', ratio: Math.min(...theirs) / least }
      results.push(
        resultOf(`analysis/${name}, ${kind} text`, 'ns/char', ours, {
          ...(theirs.length > 0 && { against }),
          mark: atMost(least, mark, 'ns/char'),
        }),
      )
    }
    lucene?.close()
    return results
  },
}

/** Paragraphs of a corpus that are ASCII. */
function englishTexts(): Texts {
  const file = new URL('../../corpora/sotu/documents.ndjson', import.meta.url)
  const texts: string[] = []
  let length = 0
  for (const line of readFileSync(file, 'utf8').split('\n')) {
    if (line === '' || length >= LENGTH) continue
    const { text } = JSON.parse(line) as { text: string }
    if (!/^[ -~]*$/.test(text)) continue
    texts.push(text)
    length += text.length
  }
  return texts
}

/** Words of Chinese, Japanese, Korean and English, as they come in one text. */
function cjkTexts(): Texts {
  const random = new Random(11)
  const word = (first: number, count: number, most: number): string =>
    String.fromCharCode(
      ...Array.from({ length: 1 + random.below(most) }, () => first + random.below(count)),
    )
  const texts: string[] = []
  for (let length = 0; length < LENGTH; ) {
    let text = ''
    while (text.length < 500) {
      const kind = random.below(10)
      if (kind < 4) text += word(0x4e00, 5000, 6)
      else if (kind < 6) text += word(0x3041, 80, 6)
      else if (kind < 7) text += word(0x30a1, 80, 6)
      else if (kind < 8) text += `${word(0xac00, 11000, 4)} `
      else if (kind < 9) text += ` ${word(0x61, 26, 8)} `
      else text += '、'
    }
    texts.push(text)
    length += text.length
  }
  return texts
}

interface Lucene {
  run(analyzer: string, kind: string): Promise<Run>
  close(): void
}

async function startLucene(texts: Readonly<Record<string, Texts>>): Promise<Lucene> {
  const cache = fileURLToPath(new URL('../rivals/.cache', import.meta.url))
  const source = fileURLToPath(new URL('lucene/AnalysisBench.java', import.meta.url))
  const { program, args } = luceneProgram(cache, [source], 'AnalysisBench', ['-Xmx1g'])
  const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'inherit'] })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const ask = async (question: string): Promise<string> => {
    child.stdin.write(`${question}\n`)
    const { value, done } = await lines.next()
    if (done === true) throw new Error('Lucene ended')
    return value
  }
  const folder = mkdtempSync(join(tmpdir(), 'lamella-analysis-'))
  try {
    for (const [name, each] of Object.entries(texts)) {
      const file = join(folder, name)
      writeFileSync(file, each.join('\u0001'))
      await ask(`load ${name} ${file}`)
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
  return {
    async run(analyzer, kind) {
      const [nanos, count, length] = (await ask(`run ${analyzer} ${kind}`)).split('\t').map(Number)
      return { nanos: nanos!, count: count!, length: length! }
    },
    close: () => child.stdin.end(),
  }
}

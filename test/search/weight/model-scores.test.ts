/**
 * Scores and explanations of models, bit for bit as Lucene's. The classes have not changed from Lucene 8,
 * which can be run beside: `LAMELLA_ANALYSIS_ORACLE=1` asks it again for what is recorded here.
 */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { CODED_LENGTHS } from '../../../src/codec/norms/length-code.ts'
import type { Normalization } from '../../../src/schema/similarity/normalization.ts'
import type { SimilarityModel } from '../../../src/schema/similarity/similarity-model.ts'
import { type Explanation, step } from '../../../src/search/weight/explanation.ts'
import { explainModel, modelScorer } from '../../../src/search/weight/model/model-types.ts'
import { Random } from '../../../src/util/random.ts'
import { luceneProgram } from '../../support/lucene/class-path.ts'
import { ORACLE_CACHE } from '../../support/lucene/line-process.ts'
import { tempFolder } from '../../support/temp-folder.ts'

const CASES = 500
const f32 = Math.fround

/** A kind's models; the parameter is of no use to some. */
const KINDS: Record<string, (random: Random) => SimilarityModel> = {
  dfr: random => ({
    kind: 'dfr',
    basicModel: oneOf(random, ['g', 'if', 'in', 'ine']),
    afterEffect: oneOf(random, ['b', 'l']),
    normalization: normalization(random),
  }),
  dfi: random => ({
    kind: 'dfi',
    measure: oneOf(random, ['standardized', 'saturated', 'chisquared']),
  }),
  ib: random => ({
    kind: 'ib',
    distribution: oneOf(random, ['ll', 'spl']),
    lambda: oneOf(random, ['df', 'ttf']),
    normalization: normalization(random),
  }),
  lmDirichlet: random => ({
    kind: 'lmDirichlet',
    mu: f32(oneOf(random, [0, 1, 100, 2000, random.next() * 5000])),
  }),
  lmJelinekMercer: random => ({
    kind: 'lmJelinekMercer',
    lambda: f32(oneOf(random, [1, 0.1, 0.7, random.next() + 1e-6])),
  }),
}

/** The digests of what Lucene gives. */
const RECORDED: Record<string, string> = {
  dfr: '56e5faea648e4220',
  dfi: '1a5df573a917c786',
  ib: '5fd7dcecd3302650',
  lmDirichlet: '9bd859125867dab4',
  lmJelinekMercer: 'a3646522cccee173',
}

interface Case {
  readonly model: SimilarityModel
  readonly boost: number
  readonly docCount: number
  readonly tokens: number
  readonly terms: readonly { readonly docFreq: number; readonly totalTermFreq: number }[]
  readonly freq: number
  readonly code: number
}

function casesOf(kind: string): Case[] {
  const random = new Random(20261124)
  return Array.from({ length: CASES }, () => {
    const docCount = 1 + random.below(oneOf(random, [3, 100, 2_000_000]))
    const tokens = docCount + random.below(docCount * oneOf(random, [1, 40]))
    const terms = Array.from({ length: oneOf(random, [1, 1, 3]) }, () => {
      const docFreq = 1 + random.below(oneOf(random, [1, docCount]))
      return { docFreq, totalTermFreq: docFreq + random.below(1 + tokens - docFreq) }
    })
    return {
      model: KINDS[kind]!(random),
      boost: f32(oneOf(random, [1, 2, 0.3])),
      docCount,
      tokens,
      terms,
      freq: f32(oneOf(random, [1, 1 + random.below(9), 1 + random.below(5000), random.next()])),
      code: 1 + random.below(oneOf(random, [40, 140])),
    }
  })
}

function oneOf<T>(random: Random, values: readonly T[]): T {
  return values[random.below(values.length)]!
}

function normalization(random: Random): Normalization {
  const kind = oneOf(random, ['no', 'h1', 'h2', 'h3', 'z'] as const)
  if (kind === 'no') return { kind }
  if (kind === 'z') return { kind, z: f32(oneOf(random, [0.3, 0.01 + 0.48 * random.next()])) }
  if (kind === 'h3') return { kind, mu: f32(oneOf(random, [800, 0, 2000 * random.next()])) }
  return { kind, c: f32(oneOf(random, [1, 0, 20 * random.next()])) }
}

/** A case as SimilarityScores.java reads it. */
function question({ model, boost, docCount, tokens, terms, freq, code }: Case): string {
  const words: [string, string | number][] = []
  for (const [key, value] of Object.entries(model))
    if (typeof value === 'object') {
      const { kind, ...parameters } = value as Normalization
      words.push([key, kind], ...Object.values(parameters).map((p): [string, number] => ['p', p]))
    } else words.push([typeof value === 'number' ? 'p' : key, value])
  words.push(['boost', boost], ['N', docCount], ['T', tokens], ['freq', freq], ['code', code])
  const counts = terms.map(({ docFreq, totalTermFreq }) => `${docFreq}/${totalTermFreq}`)
  return [...words, ['terms', counts.join(',')]].map(pair => pair.join('=')).join(' ')
}

/** What it answers. */
function answer({ model, boost, docCount, tokens, terms, freq, code }: Case): string {
  const field = { docCount, sumDocFreq: tokens, sumTotalTermFreq: tokens }
  const statistics = { boost, field, terms }
  const length = CODED_LENGTHS[code]!
  const score = modelScorer(model, statistics)(freq, length)
  const explained = explainModel(model, statistics, step(freq, 'freq'), length)
  return `${bitsOf(score)} ${printed(explained)}`
}

function printed({ value, isInteger, description, details }: Explanation): string {
  const number = isInteger ? `i${value}` : `f${bitsOf(value)}`
  return `[${number} ${description}${details.map(printed).join('')}]`
}

const BITS = new DataView(new ArrayBuffer(4))

function bitsOf(value: number): number {
  BITS.setFloat32(0, value)
  return BITS.getInt32(0)
}

function digest(lines: readonly string[]): string {
  return createHash('sha256').update(lines.join('\n')).digest('hex').slice(0, 16)
}

describe('models', () => {
  it.each(Object.keys(KINDS))('%s: scores and explanations are those recorded', kind => {
    expect(digest(casesOf(kind).map(answer))).toBe(RECORDED[kind])
  })

  it.runIf(process.env['LAMELLA_ANALYSIS_ORACLE'] === '1').each(Object.keys(KINDS))(
    '%s: they are what Lucene gives',
    kind => {
      const source = fileURLToPath(
        new URL('../../support/lucene/SimilarityScores.java', import.meta.url),
      )
      const { program, args } = luceneProgram(ORACLE_CACHE, [source], 'SimilarityScores', [])
      const file = join(tempFolder('model-scores'), 'questions.txt')
      const cases = casesOf(kind)
      writeFileSync(file, cases.map(question).join('\n'))
      const lines = execFileSync(program, [...args, file], { encoding: 'utf8', maxBuffer: 1 << 28 })
        .trim()
        .split('\n')
      expect(cases.map(answer)).toEqual(lines)
      expect(digest(lines)).toBe(RECORDED[kind])
    },
  )
})

/** Scores of synonyms and of phrases over graphs, bit for bit as Lucene's. */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { luceneProgram } from '../../support/lucene/class-path.ts'
import { ORACLE_CACHE } from '../../support/lucene/line-process.ts'
import { openRest, type Rest } from '../../support/rest-calls.ts'
import { tempFolder } from '../../support/temp-folder.ts'
import { Draw } from '../../support/varied-strings.ts'

/** The searches that come to the queries of `GraphScores.java`. */
const QUERIES: Readonly<Record<string, object>> = {
  synonym: { match: { t: { query: 'a', analyzer: 'flat' } } },
  phrase0: { match_phrase: { t: { query: 'a c', analyzer: 'flat' } } },
  phrase3: { match_phrase: { t: { query: 'a c', analyzer: 'flat', slop: 3 } } },
  paths: { match_phrase: { t: { query: 'e', analyzer: 'graph' } } },
  first: { match_phrase: { t: { query: 'e d', analyzer: 'graph' } } },
  middle: { match_phrase: { t: { query: 'd e a', analyzer: 'graph' } } },
  words: { match: { t: { query: 'e d', operator: 'and', analyzer: 'graph' } } },
}

/** Of what Lucene answered, a line each; `LAMELLA_ANALYSIS_ORACLE=1` asks it again. */
const RECORDED: Readonly<Record<string, string>> = {
  synonym: 'cba02d7f60f78524',
  phrase0: '129fbc0cb289d973',
  phrase3: '0656fbe17fd09476',
  paths: '5ad0de9c575b172e',
  first: '028ec5c1ca27311f',
  middle: 'a4bb2f53b8cea4d5',
  words: '7850084d0bd75d11',
}

const texts = textsOf(3)
let rest: Rest

function textsOf(seed: number): readonly string[] {
  const draw = new Draw(seed)
  const words = 'a a b c d d e f g g h i j'.split(' ')
  return Array.from({ length: 400 }, () =>
    Array.from({ length: 1 + draw.below(25) }, () => draw.of(words)).join(' '),
  )
}

beforeAll(async () => {
  rest = await openRest()
  const made = await rest.call('PUT /s', {
    settings: {
      number_of_shards: 1,
      analysis: {
        filter: {
          flat: { type: 'synonym', synonyms: ['a, b'] },
          graph: { type: 'synonym_graph', synonyms: ['e, f g'] },
        },
        analyzer: {
          flat: { tokenizer: 'whitespace', filter: ['flat'] },
          graph: { tokenizer: 'whitespace', filter: ['graph'] },
        },
      },
    },
    mappings: { properties: { t: { type: 'text', analyzer: 'whitespace' } } },
  })
  expect(made.status).toBe(200)
  const lines = texts.map((t, i) => `{"index":{"_id":"${i}"}}\n${JSON.stringify({ t })}\n`).join('')
  const bulk = await rest.call('POST /s/_bulk?refresh', lines, {
    'content-type': 'application/x-ndjson',
  })
  expect(bulk.json.errors).toBe(false)
})
afterAll(() => rest.close())

/** A line as `GraphScores.java` prints it. */
async function lineOf(name: string): Promise<string> {
  const { json } = await rest.call('GET /s/_search', { query: QUERIES[name], size: 10_000 })
  const bits = new DataView(new ArrayBuffer(4))
  const hits: { readonly _id: string; readonly _score: number }[] = json.hits.hits
  const scored = hits.map(({ _id, _score }) => {
    bits.setFloat32(0, _score)
    return [Number(_id), bits.getInt32(0)] as const
  })
  scored.sort(([a], [b]) => a - b)
  return [name, ...scored.map(([doc, score]) => `${doc}:${score}`)].join(' ')
}

function digest(line: string): string {
  return createHash('sha256').update(line).digest('hex').slice(0, 16)
}

describe('scores over graphs', () => {
  it.each(Object.keys(QUERIES))('%s', async name => {
    expect(digest(await lineOf(name))).toBe(RECORDED[name])
  })

  it.runIf(process.env['LAMELLA_ANALYSIS_ORACLE'] === '1')('are what Lucene gives', () => {
    const source = fileURLToPath(new URL('../../support/lucene/GraphScores.java', import.meta.url))
    const { program, args } = luceneProgram(ORACLE_CACHE, [source], 'GraphScores', [])
    const file = join(tempFolder('graph-scores'), 'texts.txt')
    writeFileSync(file, texts.join('\n'))
    const lines = execFileSync(program, [...args, file], { encoding: 'utf8' })
      .trim()
      .split('\n')
    const digests = lines.map(line => [line.split(' ')[0], digest(line)])
    expect(Object.fromEntries(digests)).toEqual(RECORDED)
  })
})

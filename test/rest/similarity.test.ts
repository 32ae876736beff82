/** Similarities that indices define: BM25 with parameters, scores that are all alike, scripts. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CODED_LENGTHS, encodeLength } from '../../src/codec/norms/length-code.ts'
import { Random } from '../../src/util/random.ts'
import { ndjson, openRest, type Rest } from '../support/rest-calls.ts'

const f32 = Math.fround
const TF_IDF =
  'double tf = Math.sqrt(doc.freq); double idf = Math.log((field.docCount+1.0)/(term.docFreq+1.0)) + 1.0; ' +
  'double norm = 1/Math.sqrt(doc.length); return query.boost * tf * idf * norm;'

let rest: Rest
beforeAll(async () => {
  rest = await openRest()
})
afterAll(() => rest.close())

async function create(index: string, similarity: object, properties: object, shards = 1) {
  const settings = { number_of_shards: shards, similarity }
  const made = await rest.call(`PUT /${index}`, { settings, mappings: { properties } })
  expect(made.json).toMatchObject({ acknowledged: true })
}

async function add(index: string, ...sources: readonly object[]) {
  const lines = sources.flatMap((source, i) => [{ index: { _id: `${i}` } }, source])
  const { json } = await rest.call(`POST /${index}/_bulk?refresh`, ndjson(...lines))
  expect(json.errors).toBe(false)
}

/** Ids and scores of a search's hits, which kernels and iterators agree on. */
async function hits(index: string, body: object): Promise<[string, number][]> {
  const plain = await rest.call(`POST /${index}/_search`, body)
  expect(plain.json.error, plain.text).toBeUndefined()
  const profiled = await rest.call(`POST /${index}/_search`, { ...body, profile: true })
  expect(profiled.json.hits).toEqual(plain.json.hits)
  return plain.json.hits.hits.map((hit: { _id: string; _score: number }) => [
    hit._id,
    f32(hit._score),
  ])
}

describe('BM25 with parameters', () => {
  const random = new Random(611)
  const words = ['sea', 'ship', 'sail', 'gull', 'oar']
  const texts = Array.from({ length: 2000 }, () =>
    Array.from(
      { length: 1 + random.below(random.below(5) === 0 ? 90 : 9) },
      () => words[Math.floor(random.next() ** 2 * words.length)]!,
    ),
  )
  const averageOf = f32(texts.reduce((sum, text) => sum + text.length, 0) / texts.length)

  /** The score of a word in a text, every step in float32. */
  function score(word: string, text: readonly string[], k1: number, b: number, factor: number) {
    const freq = text.filter(each => each === word).length
    if (freq === 0) return 0
    const docFreq = texts.filter(each => each.includes(word)).length
    const idf = f32(Math.log(1 + (texts.length - docFreq + 0.5) / (docFreq + 0.5)))
    const weight = f32(f32(1 * factor) * idf)
    const length = CODED_LENGTHS[encodeLength(text.length)]!
    const share = f32(f32(f32(b) * f32(length)) / averageOf)
    const inverse = f32(1 / f32(f32(k1) * f32(f32(1 - f32(b)) + share)))
    return f32(weight - f32(weight / f32(1 + f32(freq * inverse))))
  }

  const CASES = [
    ['BM25', 0, 0.75],
    ['BM25', 1.2, 0],
    ['BM25', 0.3, 1],
    ['BM25', 9, 0.5],
    ['LegacyBM25', 1.2, 0.75],
    ['LegacyBM25', 2, 0.1],
  ] as const
  it.each(CASES)('%s with k1 %d and b %d', async (type, k1, b) => {
    const index = `${type.toLowerCase()}-${k1}-${b}`
    await create(index, { own: { type, k1, b } }, { t: { type: 'text', similarity: 'own' } })
    await add(index, ...texts.map(text => ({ t: text.join(' ') })))
    await rest.call(`POST /${index}/_forcemerge?max_num_segments=1`)
    const factor = type === 'BM25' ? 1 : f32(1 + f32(k1))
    for (const asked of [['sea'], ['gull'], ['ship', 'oar'], ['sea', 'sail', 'gull']]) {
      const scored = texts.map((text, i): [string, number] => {
        const parts = asked.map(word => score(word, text, k1, b, factor))
        return [`${i}`, f32(parts.reduce((sum, each) => sum + each, 0))]
      })
      const matches = scored.filter(([id]) => asked.some(word => texts[Number(id)]!.includes(word)))
      matches.sort((x, y) => y[1] - x[1] || Number(x[0]) - Number(y[0]))
      const query = { match: { t: asked.join(' ') } }
      expect(await hits(index, { query, size: 12 })).toEqual(matches.slice(0, 12))
      expect(await hits(index, { query, size: 5000 })).toEqual(matches)
    }
  })

  it.each(['BM25', 'LegacyBM25'])('by default [%s] scores combined fields', async type => {
    const index = `combined-${type.toLowerCase()}`
    const similarity = { default: { type, k1: 0.7, b: 0.3 }, other: { type, k1: 5 } }
    await create(index, similarity, {
      t: { type: 'text' },
      u: { type: 'text', similarity: 'other' },
      v: { type: 'text', similarity: 'boolean' },
    })
    const given = texts.slice(0, 200).map(text => text.join(' '))
    await add(index, ...given.map(text => ({ t: text, u: text })))
    for (const word of words) {
      const single = await hits(index, { query: { match: { t: word } }, size: 200 })
      const combined = (field: string) => ({ combined_fields: { query: word, fields: [field] } })
      expect(single.length).toBeGreaterThan(10)
      expect(await hits(index, { query: combined('t'), size: 200 })).toEqual(single)
      // A field's own parameters count for nothing.
      expect(await hits(index, { query: combined('u'), size: 200 })).toEqual(single)
    }
    const query = { combined_fields: { query: 'sea', fields: ['t', 'u^2'] } }
    const { json } = await rest.call(`POST /${index}/_search`, { query, explain: true, size: 5 })
    expect(json.hits.hits).toHaveLength(5)
    for (const { _score, _explanation } of json.hits.hits)
      expect(_explanation).toMatchObject({
        value: _score,
        details: [
          {
            details: expect.arrayContaining([
              expect.objectContaining({ description: expect.stringContaining('tf, ') }),
            ]),
          },
        ],
      })
    expect(JSON.stringify(json.hits.hits[0]._explanation)).toContain(
      '"value":0.7,"description":"k1',
    )
    const { status, json: refused } = await rest.call(`POST /${index}/_search`, {
      query: { combined_fields: { query: 'sea', fields: ['t', 'v'] } },
    })
    expect([status, refused.error.root_cause[0].reason]).toEqual([
      400,
      'failed to create query: [combined_fields] queries can only be used with the [BM25] similarity',
    ])
  })

  it('is what phrases, spans, edits, several fields and explanations go by', async () => {
    await create(
      'many',
      { own: { type: 'BM25', k1: 0 } },
      { t: { type: 'text', similarity: 'own', index_phrases: true }, u: { type: 'text' } },
    )
    await add('many', { t: 'red red fox', u: 'red' }, { t: 'red fox and other foxes', u: 'blue' })
    // With k1 = 0 a score is the inverse document frequency alone: that of both documents.
    const idf = f32(Math.log(1 + 0.5 / 2.5))
    const two = f32(idf + idf)
    const queries: [object, number][] = [
      [{ match: { t: 'red' } }, idf],
      [{ match_phrase: { t: 'red fox' } }, idf],
      [{ match_phrase: { t: { query: 'red fox', slop: 1 } } }, two],
      [{ span_term: { t: 'red' } }, idf],
      [{ query_string: { query: 't:red AND t:fox' } }, two],
      [{ match: { t: { query: 'rad', fuzziness: 1 } } }, f32(idf * f32(1 - f32(1 / 3)))],
      [{ constant_score: { filter: { match: { t: 'red' } }, boost: 3 } }, 3],
      [{ more_like_this: { fields: ['t'], like: 'red', min_term_freq: 1, min_doc_freq: 1 } }, idf],
    ]
    for (const [query, expected] of queries)
      expect(await hits('many', { query }), JSON.stringify(query)).toEqual([
        ['0', expected],
        ['1', expected],
      ])
    const crossed = { multi_match: { query: 'red', fields: ['t', 'u'], type: 'cross_fields' } }
    const found = await hits('many', { query: crossed })
    expect(found.map(([id]) => id)).toEqual(['0', '1'])
    expect(found[1]![1]).toBe(idf)
    const { json } = await rest.call('POST /many/_search', {
      explain: true,
      query: { match: { t: 'red' } },
    })
    const explained = json.hits.hits[0]._explanation.details[0]
    expect(explained.details.at(-1).details[1]).toMatchObject({
      value: 0,
      description: 'k1, term saturation parameter',
    })
  })
})

describe('the similarity of fields that name none', () => {
  it('is `default`, where the index defines it', async () => {
    await create(
      'alike',
      { default: { type: 'boolean' } },
      { t: { type: 'text' }, u: { type: 'text', similarity: 'BM25' } },
    )
    await add('alike', { t: 'a a b', u: 'a' }, { t: 'a', u: 'b' })
    expect(await hits('alike', { query: { match: { t: 'a' } } })).toEqual([
      ['0', 1],
      ['1', 1],
    ])
    expect(await hits('alike', { query: { match: { u: 'a' } } })).not.toEqual([['0', 1]])
  })

  it('changes while the index is closed', async () => {
    await create('later', {}, { t: { type: 'text' } })
    await add('later', { t: 'a a' }, { t: 'a' })
    const similarity = { default: { type: 'BM25', k1: 0 } }
    const open = await rest.call('PUT /later/_settings', { index: { similarity } })
    expect(open.status).toBe(400)
    await rest.call('POST /later/_close')
    const closed = await rest.call('PUT /later/_settings', { index: { similarity } })
    expect(closed.json).toEqual({ acknowledged: true })
    await rest.call('POST /later/_open')
    const idf = f32(Math.log(1 + 0.5 / 2.5))
    expect(await hits('later', { query: { match: { t: 'a' } } })).toEqual([
      ['0', idf],
      ['1', idf],
    ])
    const shown = await rest.call('GET /later/_settings')
    expect(shown.json.later.settings.index.similarity).toEqual({
      default: { type: 'BM25', k1: '0' },
    })
  })
})

describe('scripts', () => {
  it('score by statistics, frequency and length, and are explained', async () => {
    await create(
      'papers',
      { custom: { type: 'scripted', script: { source: TF_IDF } } },
      { abstract: { type: 'text', similarity: 'custom' } },
    )
    await add(
      'papers',
      { abstract: 'machine learning algorithms data mining' },
      { abstract: 'data analysis statistical methods' },
    )
    const query = { bool: { must: [{ match: { abstract: 'machine' } }], boost: 2 } }
    // The score that the reference's documentation prints for this index.
    expect(await hits('papers', { query })).toEqual([['0', f32(1.2570862)]])
    const { json } = await rest.call('POST /papers/_search', { query, explain: true })
    const { description, details } = json.hits.hits[0]._explanation
    expect(description).toBe('weight(abstract:machine in 0) [PerFieldSimilarity], result of:')
    expect(details[0].description).toBe(
      'score from ScriptedSimilarity(weightScript=[null], script=[Script{type=inline, ' +
        `lang='painless', idOrCode='${TF_IDF}', options={}, params={}}]) computed from:`,
    )
    expect(
      details[0].details.map((each: { value: number; description: string }) => [
        each.description,
        each.value,
      ]),
    ).toEqual([
      ['weight', 1],
      ['query.boost', 2],
      ['field.docCount', 2],
      ['field.sumDocFreq', 9],
      ['field.sumTotalTermFreq', 9],
      ['term.docFreq', 1],
      ['term.totalTermFreq', 1],
      ['doc.freq', 1],
      ['doc.length', 5],
    ])
  })

  it('may compute a weight of each term apart, once', async () => {
    const weight = 'return query.boost * term.docFreq * 10'
    await create(
      'weighed',
      {
        custom: {
          type: 'scripted',
          weight_script: { source: weight },
          script: { source: 'weight + doc.freq / 4' },
        },
      },
      { t: { type: 'text', similarity: 'custom' } },
      3,
    )
    await add('weighed', { t: 'a a b' })
    expect(await hits('weighed', { query: { match: { t: 'a' } } })).toEqual([['0', 10.5]])
    expect(await hits('weighed', { query: { match: { t: { query: 'a', boost: 2 } } } })).toEqual([
      ['0', 20.5],
    ])
    // A phrase is the sum of its terms, each with the frequency of the phrase.
    expect(await hits('weighed', { query: { match_phrase: { t: 'a b' } } })).toEqual([['0', 20.5]])
    expect(await hits('weighed', { query: { match: { t: 'a b' } } })).toEqual([['0', 20.75]])
  })

  it('that score below zero or fail, fail the search', async () => {
    const similarity = (source: string) => ({ custom: { type: 'scripted', script: { source } } })
    const properties = { t: { type: 'text', similarity: 'custom' } }
    await create('negative', similarity('return field.docCount == 1 ? -doc.freq : 1'), properties)
    await create('failing', similarity('return 1 / (long) (field.docCount - 1)'), properties)
    for (const index of ['negative', 'failing']) await add(index, { t: 'a' })
    const reply = async (index: string) =>
      (await rest.call(`POST /${index}/_search`, { query: { match: { t: 'a' } } })).json.error
    expect((await reply('negative')).root_cause[0].reason).toBe(
      'Similarities must not produce negative scores, but got: -1.0',
    )
    expect((await reply('failing')).root_cause[0].type).toBe('script_exception')
  })
})

describe('scripts that are tried when they are defined', () => {
  const SCORES = (script: string, weight = 'null') =>
    `score from ScriptedSimilarity(weightScript=[${weight}], script=[${script}]) computed from:`
  const text = (source: string) =>
    `Script{type=inline, lang='painless', idOrCode='${source}', options={}, params={}}`
  const shown = (value: string, source: string, freq: number, length: number) =>
    [
      `${value} = ${SCORES(text(source))}`,
      '  1.0 = weight',
      '  2.0 = query.boost',
      '  1100 = field.docCount',
      '  2000 = field.sumDocFreq',
      '  3000 = field.sumTotalTermFreq',
      '  100 = term.docFreq',
      '  130 = term.totalTermFreq',
      `  ${freq} = doc.freq`,
      `  ${length} = doc.length`,
      '',
    ].join('\n')
  const refusal = async (script: object) => {
    const similarity = { x: { type: 'scripted', ...script } }
    const { status, json } = await rest.call('PUT /tried', { settings: { similarity } })
    expect((await rest.call('HEAD /tried')).status).toBe(404)
    return [status, json.error.type, json.error.reason]
  }

  it('must not score below zero', async () => {
    const source = 'return -doc.freq'
    expect(await refusal({ script: { source } })).toEqual([
      400,
      'illegal_argument_exception',
      `Similarities should not return negative scores:\n${shown('-1.0', source, 1, 20)}`,
    ])
  })

  it('must not fall as frequencies rise', async () => {
    const source = 'return doc.freq > 4 ? 1 : doc.freq'
    expect(await refusal({ script: { source } })).toEqual([
      400,
      'illegal_argument_exception',
      'Similarity scores should not decrease when term frequency increases:\n' +
        `${shown('4.0', source, 4, 20)}\n${shown('1.0', source, 5, 20)}`,
    ])
  })

  it('must not rise with lengths', async () => {
    const source = 'return doc.length'
    expect(await refusal({ script: { source } })).toEqual([
      400,
      'illegal_argument_exception',
      'Similarity scores should not increase when norm increases:\n' +
        `${shown('1.0', source, 1, 1)}\n${shown('2.0', source, 1, 2)}`,
    ])
  })

  it('must not fail, nor their weights', async () => {
    const broken = { source: 'return 1 / (long) (field.docCount - 1100)' }
    const works = { source: 'return weight' }
    for (const script of [{ script: broken }, { script: works, weight_script: broken }])
      expect((await refusal(script)).slice(0, 2)).toEqual([400, 'script_exception'])
  })

  it('are tried again when they are changed', async () => {
    await create('changed', { x: { type: 'scripted', script: { source: 'return 1' } } }, {})
    await rest.call('POST /changed/_close')
    const { status, json } = await rest.call('PUT /changed/_settings', {
      index: { similarity: { x: { type: 'scripted', script: { source: 'return -1' } } } },
    })
    expect(status).toBe(400)
    expect(json.error.reason).toContain('Similarities should not return negative scores')
  })
})

describe('definitions that no type takes', () => {
  const REFUSALS: [object, string][] = [
    [{ x: { k1: 1 } }, 'Similarity [x] must have an associated type'],
    [{ x: { type: 'BM26' } }, 'Unknown Similarity type [BM26] for [x]'],
    [{ BM25: { type: 'boolean' } }, 'Cannot redefine built-in Similarity [BM25]'],
    [{ x: { type: 'BM25', z: 2 } }, 'Unknown settings for similarity of type [BM25]: [z]'],
    [{ x: { type: 'boolean', k1: 2 } }, 'Unknown settings for similarity of type [boolean]: [k1]'],
    [
      { x: { type: 'BM25', k1: -1 } },
      'illegal k1 value: -1.0, must be a non-negative finite value',
    ],
    [{ x: { type: 'BM25', b: 2 } }, 'illegal b value: 2.0, must be between 0 and 1'],
    [
      { x: { type: 'BM25', b: 'much' } },
      'Failed to parse value [much] for setting [index.similarity.x.b]',
    ],
    [
      { x: { type: 'BM25', discount_overlaps: 'no' } },
      'Failed to parse value [no] as only [true] or [false] are allowed.',
    ],
    [
      { x: { type: 'classic' } },
      'The [classic] similarity may not be used anymore. Please use the [BM25] similarity or ' +
        'build a custom [scripted] similarity instead.',
    ],
    [
      { x: { type: 'scripted' } },
      'must specify either [source] for an inline script or [id] for a stored script',
    ],
    [{ x: { type: 'scripted', script: { source: 'return doc.' } } }, 'compile error'],
  ]
  it.each(REFUSALS)('%j', async (similarity, reason) => {
    const { status, json } = await rest.call('PUT /refused', { settings: { similarity } })
    expect([status, json.error.reason]).toEqual([400, reason])
    expect((await rest.call('HEAD /refused')).status).toBe(404)
  })

  it('nor does a mapping name one that is not defined', async () => {
    const properties = { t: { type: 'text', similarity: 'gone' } }
    const { status, json } = await rest.call('PUT /refused', { mappings: { properties } })
    expect([status, json.error.caused_by.reason]).toEqual([
      400,
      'Unknown Similarity type [gone] for field [t]',
    ])
  })
})

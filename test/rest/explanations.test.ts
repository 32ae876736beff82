/** The explanation of each kind of score, as the specification's table gives its descriptions. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type FieldIndex, fieldIndex } from '../support/field-index.ts'

let index: FieldIndex
beforeAll(async () => {
  const analysis = {
    filter: { pairs: { type: 'synonym', synonyms: ['b, a'] } },
    analyzer: { pairs: { tokenizer: 'whitespace', filter: ['pairs'] } },
  }
  const properties = {
    t: { type: 'text' },
    g: { type: 'text' },
    pairs: { type: 'text', analyzer: 'pairs' },
    n: { type: 'long' },
    d: { type: 'date', format: 'epoch_millis' },
    s: { type: 'nested', properties: { t: { type: 'text' } } },
  }
  index = await fieldIndex(properties, null, { analysis })
  await index.add(
    { t: 'a b c', g: 'x', pairs: 'a', n: 2, d: 1000, s: [{ t: 'u' }, { t: 'u v' }] },
    { t: `a ${'w '.repeat(49)}`, g: 'x a', n: 3 },
  )
})
afterAll(() => index.close())

interface Step {
  readonly value: number
  readonly description: string
  readonly details: readonly Step[]
}

async function explained(body: object, id = '0'): Promise<Step> {
  const { json, text } = await index.rest.call('POST /i/_search', { explain: true, ...body })
  const hit = json.hits?.hits.find((each: { _id: string }) => each._id === id)
  if (hit === undefined) throw new Error(text)
  expect(Math.fround(hit._explanation.value)).toBe(Math.fround(hit._score))
  return hit._explanation
}

/** Descriptions of a step and of those below it, indented, to some depth. */
function outline({ description, details }: Step, depth: number, indent = ''): string[] {
  const below = depth === 0 ? [] : details.flatMap(each => outline(each, depth - 1, `${indent}  `))
  return [indent + description, ...below]
}

const WEIGHT = (query: string, doc: number): string =>
  `weight(${query} in ${doc}) [PerFieldSimilarity], result of:`
const IDF = 'idf, computed as log(1 + (N - n + 0.5) / (n + 0.5)) from:'
const TF = 'tf, computed as freq / (freq + k1 * (1 - b + b * dl / avgdl)) from:'
/** The term `a` of the first document. */
const TERM: readonly string[] = [
  WEIGHT('t:a', 2),
  '  score(freq=1.0), computed as boost * idf * tf from:',
  `    ${IDF}`,
  '      n, number of documents containing term',
  '      N, total number of documents with field',
  `    ${TF}`,
  '      freq, occurrences of term within document',
  '      k1, term saturation parameter',
  '      b, length normalization parameter',
  '      dl, length of field',
  '      avgdl, average length of field',
]
const term = (value: string, field = 't'): object => ({ term: { [field]: value } })

it('of a term', async () => {
  const step = await explained({ query: { term: { t: { value: 'a', boost: 2 } } } })
  expect(outline(step, 9)).toEqual(TERM.toSpliced(2, 0, '    boost'))
  const [own] = step.details
  const [boost, idf, tf] = own!.details
  expect([boost!.value, idf!.details.map(({ value }) => value)]).toEqual([2, [2, 2]])
  expect(tf!.details.map(({ value }) => value)).toEqual([1, 1.2, 0.75, 3, 26.5])
  const long = await explained({ query: term('a') }, '1')
  expect(outline(long, 9)).toContain('      dl, length of field (approximate)')
  expect(outline(long, 9)).not.toContain('    boost')
})

it.each<[string, object, number, string[]]>([
  [
    'a required clause and a filter',
    { bool: { must: term('a'), filter: term('x', 'g') } },
    2,
    [
      'sum of:',
      `  ${WEIGHT('t:a', 2)}`,
      '    score(freq=1.0), computed as boost * idf * tf from:',
    ].concat(['  match on required clause, product of:', '    FILTER clause', '    g:x']),
  ],
  [
    'dis_max',
    { dis_max: { queries: [term('a'), term('x', 'g')] } },
    1,
    ['max of:', `  ${WEIGHT('t:a', 2)}`, `  ${WEIGHT('g:x', 2)}`],
  ],
  [
    'dis_max with a tie breaker',
    { dis_max: { tie_breaker: 0.3, queries: [term('a'), term('x', 'g')] } },
    1,
    ['max plus 0.3 times others of:', `  ${WEIGHT('t:a', 2)}`, `  ${WEIGHT('g:x', 2)}`],
  ],
  ['a constant', { constant_score: { filter: term('a') } }, 9, ['ConstantScore(t:a)']],
  [
    'a boosted constant',
    { constant_score: { filter: term('a'), boost: 3 } },
    9,
    ['ConstantScore(t:a)^3.0'],
  ],
  [
    'a phrase',
    { match_phrase: { t: 'a b' } },
    3,
    [
      WEIGHT('t:"a b"', 2),
      '  score(freq=1.0), computed as boost * idf * tf from:',
      '    idf, sum of:',
      `      ${IDF}`,
      `      ${IDF}`,
      `    ${TF}`,
      '      phraseFreq=1.0',
      '      k1, term saturation parameter',
      '      b, length normalization parameter',
      '      dl, length of field',
      '      avgdl, average length of field',
    ],
  ],
  [
    'synonyms',
    { match: { pairs: 'a' } },
    3,
    [
      WEIGHT('Synonym(pairs:a pairs:b)', 2),
      '  score(freq=2.0), computed as boost * idf * tf from:',
      `    ${IDF}`,
      '      n, number of documents containing term',
      '      N, total number of documents with field',
      `    ${TF}`,
      '      termFreq=2.0',
      '      k1, term saturation parameter',
      '      b, length normalization parameter',
      '      dl, length of field',
      '      avgdl, average length of field',
    ],
  ],
  [
    'functions, one of them with a filter',
    {
      function_score: {
        query: term('a'),
        functions: [
          { field_value_factor: { field: 'n', modifier: 'log1p', missing: 1 } },
          { filter: term('x', 'g'), weight: 2 },
        ],
        max_boost: 5,
      },
    },
    4,
    [
      'function score, product of:',
      ...TERM.map(line => `  ${line}`),
      '  min of:',
      '    function score, score mode [multiply]',
      "      field value function: log1p(doc['n'].value?:1.0 * factor=1.0)",
      '      function score, product of:',
      '        match filter: g:x',
      '        product of:',
      '    maxBoost',
    ],
  ],
  [
    'random scores',
    { function_score: { query: term('a'), random_score: { seed: 1, field: 'n' } } },
    2,
    [
      'function score, product of:',
      `  ${WEIGHT('t:a', 2)}`,
      '    score(freq=1.0), computed as boost * idf * tf from:',
      '  min of:',
      '    random score function (seed: 1, field: n)',
      '    maxBoost',
    ],
  ],
  [
    'functions none of which holds',
    { function_score: { query: term('a'), functions: [{ filter: term('zz'), weight: 2 }] } },
    2,
    [
      'function score, product of:',
      `  ${WEIGHT('t:a', 2)}`,
      '    score(freq=1.0), computed as boost * idf * tf from:',
      '  min of:',
      '    No function matched',
      '    maxBoost',
    ],
  ],
  [
    'nested objects, of which the best one is told',
    { nested: { path: 's', score_mode: 'avg', query: { match: { 's.t': 'u' } } } },
    1,
    [
      'Score based on 2 child docs in range from 0 to 1, using score mode Avg',
      `  ${WEIGHT('s.t:u', 0)}`,
    ],
  ],
  [
    'intervals',
    { intervals: { t: { match: { query: 'a b' } } } },
    1,
    [
      'Saturation function on interval frequency, computed as w * S / (S + k) from:',
      '  w, weight of this function',
      '  k, pivot feature value that would give a score contribution equal to w/2',
      '  S, interval frequency',
    ],
  ],
  [
    'a distance',
    { distance_feature: { field: 'd', origin: 1500, pivot: '1s' } },
    1,
    [
      'Distance score, computed as weight * pivotDistance / (pivotDistance + abs(value - origin)) from:',
      '  weight',
      '  pivotDistance',
      '  origin',
      '  current value',
    ],
  ],
])('of %s', async (_title, query, depth, lines) => {
  expect(outline(await explained({ query }), depth)).toEqual(lines)
})

it('of a hit that was scored again, and of one outside the window', async () => {
  const weights = { query_weight: 2, rescore_query_weight: 3 }
  const rescore = { window_size: 1, query: { rescore_query: term('x', 'g'), ...weights } }
  const body = { query: term('a'), rescore }
  expect(outline(await explained(body), 2)).toEqual([
    'sum of:',
    '  product of:',
    `    ${WEIGHT('t:a', 2)}`,
    '    primaryWeight',
    '  product of:',
    `    ${WEIGHT('g:x', 2)}`,
    '    secondaryWeight',
  ])
  expect(outline(await explained(body, '1'), 1)).toEqual([
    'product of:',
    `  ${WEIGHT('t:a', 3)}`,
    '  primaryWeight',
  ])
})

/** Similarities that score by models: their settings, scores beside the papers' formulas, statistics. */
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CODED_LENGTHS, encodeLength } from '../../src/codec/norms/length-code.ts'
import { Random } from '../../src/util/random.ts'
import { ndjson, okOf, openRest, type Rest } from '../support/rest-calls.ts'

let rest: Rest
const ok = okOf(() => rest)
beforeAll(async () => {
  rest = await openRest()
})
afterAll(() => rest.close())

const WORDS = ['sea', 'ship', 'sail', 'gull', 'oar']
const random = new Random(77)
const TEXTS = Array.from({ length: 60 }, () =>
  Array.from(
    { length: 1 + random.below(random.below(4) === 0 ? 60 : 8) },
    () => WORDS[Math.floor(random.next() ** 2 * WORDS.length)]!,
  ),
)

/** Makes an index of texts, `ways` of them a segment. */
async function fill(similarity: object, texts: readonly string[], shards = 1, ways = 25) {
  await rest.call('DELETE /i')
  await ok('PUT /i', {
    settings: { number_of_shards: shards, similarity: { own: similarity } },
    mappings: { properties: { t: { type: 'text', similarity: 'own' } } },
  })
  for (let from = 0; from < texts.length; from += ways) {
    const part = texts.slice(from, from + ways)
    const lines = part.flatMap((t, i) => [{ index: { _id: `${from + i}` } }, { t }])
    await ok('POST /i/_bulk?refresh', ndjson(...lines))
  }
}

interface Hit {
  readonly _id: string
  readonly _score: number
  readonly _explanation: { readonly value: number; readonly details: readonly Step[] }
}
interface Step {
  readonly value: number
  readonly description: string
  readonly details: readonly Step[]
}

/** The hits of a query, which are the same profiled and in slices, and whose explanations add up. */
async function hits(query: object, parameters = ''): Promise<Hit[]> {
  const body = { query, size: 100, explain: true }
  const path = `POST /i/_search?${parameters}`
  const plain = await ok(path, body)
  expect((await ok(path, { ...body, profile: true })).hits).toEqual(plain.hits)
  await ok('PUT /i/_settings', {
    'index.search.concurrent_segment_search.mode': 'all',
    'index.search.concurrent.max_slice_count': 3,
  })
  expect((await ok(path, body)).hits).toEqual(plain.hits)
  await ok('PUT /i/_settings', { 'index.search.concurrent_segment_search.mode': 'none' })
  for (const hit of plain.hits.hits) expect(hit._explanation.value).toBe(hit._score)
  return plain.hits.hits
}

/** What formulas know of a term in a document. */
interface Facts {
  /** Documents, tokens, documents with the term, occurrences of it. */
  readonly N: number
  readonly T: number
  readonly n: number
  readonly F: number
  readonly tf: number
  readonly dl: number
}

type Parameter = number | string
type Drawn = Readonly<Record<string, Parameter>>

const { log, log2, sqrt } = Math

/** The adjusted frequency of the paper of divergence from randomness. */
function adjusted(drawn: Drawn, { N, T, F, tf, dl }: Facts): number {
  const average = T / N
  const kind = drawn['normalization'] as string
  const c = Number(drawn[`normalization.${kind}.${kind === 'z' ? 'z' : 'c'}`])
  const formulas: Record<string, () => number> = {
    no: () => tf,
    h1: () => (tf * c * average) / dl,
    h2: () => tf * log2(1 + (c * average) / dl),
    h3: () => (c * (tf + (c * (F + 1)) / (T + 1))) / (dl + c),
    z: () => tf * (average / dl) ** c,
  }
  return formulas[kind]!()
}

/** Scores by the definitions of the papers, in no particular order of arithmetic. */
const FORMULAS: Record<string, (drawn: Drawn, facts: Facts) => number> = {
  DFR(drawn, facts) {
    const { N, n, F } = facts
    const tfn = adjusted(drawn, facts)
    const lambda = (F + 1) / (N + F + 1)
    const expected = N * (1 - ((N - 1) / N) ** F)
    const information = {
      g: log2(lambda + 1) + tfn * log2((1 + lambda) / lambda),
      if: tfn * log2(1 + (N + 1) / (F + 0.5)),
      in: tfn * log2((N + 1) / (n + 0.5)),
      ine: tfn * log2((N + 1) / (expected + 0.5)),
    }[drawn['basic_model']!]!
    const gain = { b: (F + 2) / ((n + 1) * (tfn + 1)), l: 1 / (tfn + 1) }[drawn['after_effect']!]!
    return information * gain
  },
  DFI(drawn, { T, F, tf, dl }) {
    const expected = ((F + 1) * dl) / (T + 1)
    if (tf <= expected) return 0
    const distance = {
      standardized: (tf - expected) / sqrt(expected),
      saturated: tf / expected - 1,
      chisquared: (tf - expected) ** 2 / expected,
    }[drawn['independence_measure']!]!
    return log2(distance + 1)
  },
  IB(drawn, facts) {
    const { N, n, F } = facts
    const tfn = adjusted(drawn, facts)
    const lambda = (drawn['lambda'] === 'df' ? n + 1 : F + 1) / (N + 1)
    if (drawn['distribution'] === 'll') return log(1 + tfn / lambda)
    return -log((lambda ** (tfn / (tfn + 1)) - lambda) / (1 - lambda))
  },
  LMDirichlet({ mu: given }, { T, F, tf, dl }) {
    const mu = Number(given)
    const share = (F + 1) / (T + 1)
    return Math.max(0, log((mu + tf / share) / (dl + mu)))
  },
  LMJelinekMercer({ lambda: given }, { T, F, tf, dl }) {
    const lambda = Number(given)
    return log(1 + ((1 - lambda) * (tf / dl)) / (lambda * ((F + 1) / (T + 1))))
  },
}

const NORMALIZATION = fc.oneof(
  fc.constant({ normalization: 'no' }),
  fc.double({ min: 0.01, max: 9, noNaN: true }).map(c => ({
    normalization: 'h1',
    'normalization.h1.c': c,
  })),
  fc.double({ min: 0.01, max: 9, noNaN: true }).map(c => ({
    normalization: 'h2',
    'normalization.h2.c': c,
  })),
  fc.double({ min: 1, max: 2000, noNaN: true }).map(c => ({
    normalization: 'h3',
    'normalization.h3.c': c,
  })),
  fc.double({ min: 0.01, max: 0.49, noNaN: true }).map(z => ({
    normalization: 'z',
    'normalization.z.z': z,
  })),
)

const DRAWS: Record<string, fc.Arbitrary<Drawn>> = {
  DFR: fc
    .tuple(
      fc.record({
        basic_model: fc.constantFrom('g', 'if', 'in', 'ine'),
        after_effect: fc.constantFrom('b', 'l'),
      }),
      NORMALIZATION,
    )
    .map(([a, b]) => ({ ...a, ...b }) as Drawn),
  DFI: fc.record({
    independence_measure: fc.constantFrom('standardized', 'saturated', 'chisquared'),
  }),
  IB: fc
    .tuple(
      fc.record({
        distribution: fc.constantFrom('ll', 'spl'),
        lambda: fc.constantFrom('df', 'ttf'),
      }),
      NORMALIZATION,
    )
    .map(([a, b]) => ({ ...a, ...b }) as Drawn),
  LMDirichlet: fc.record({ mu: fc.double({ min: 1, max: 5000, noNaN: true }) }),
  LMJelinekMercer: fc.record({ lambda: fc.double({ min: 0.01, max: 1, noNaN: true }) }),
}

function factsOf(word: string, tf: number, text: readonly string[]): Facts {
  return {
    N: TEXTS.length,
    T: TEXTS.reduce((sum, each) => sum + each.length, 0),
    n: TEXTS.filter(each => each.includes(word)).length,
    F: TEXTS.reduce((sum, each) => sum + countOf(word, each), 0),
    tf,
    dl: CODED_LENGTHS[encodeLength(text.length)]!,
  }
}

function countOf(word: string, text: readonly string[]): number {
  return text.filter(each => each === word).length
}

function pairsIn(text: readonly string[]): number {
  return text.filter((each, i) => each === 'ship' && text[i + 1] === 'sea').length
}

describe.each(Object.keys(FORMULAS))('%s', type => {
  const formula = FORMULAS[type]!
  it('scores terms, phrases and several of them as its paper defines', async () => {
    await fc.assert(
      fc.asyncProperty(DRAWS[type]!, fc.constantFrom(1, 2.5), async (drawn, boost) => {
        await fill(
          { type, ...drawn },
          TEXTS.map(text => text.join(' ')),
        )
        const word = await hits({ match: { t: { query: 'sail', boost } } })
        expect(word).toHaveLength(TEXTS.filter(text => text.includes('sail')).length)
        for (const { _id, _score } of word) {
          const text = TEXTS[Number(_id)]!
          const expected = boost * formula(drawn, factsOf('sail', countOf('sail', text), text))
          expect(_score).toBeCloseTo(expected, 4 - Math.ceil(Math.log10(1 + expected)))
        }
        const phrase = await hits({ match_phrase: { t: 'ship sea' } })
        expect(phrase).toHaveLength(TEXTS.filter(text => pairsIn(text) > 0).length)
        for (const { _id, _score } of phrase) {
          const text = TEXTS[Number(_id)]!
          const of = (each: string): number => formula(drawn, factsOf(each, pairsIn(text), text))
          const expected = of('ship') + of('sea')
          expect(_score).toBeCloseTo(expected, 4 - Math.ceil(Math.log10(1 + expected)))
        }
        const both = await hits({ bool: { should: [{ match: { t: 'gull oar' } }] } })
        for (const { _id, _score } of both) {
          const text = TEXTS[Number(_id)]!
          const of = (each: string): number =>
            text.includes(each) ? formula(drawn, factsOf(each, countOf(each, text), text)) : 0
          const expected = of('gull') + of('oar')
          expect(_score).toBeCloseTo(expected, 4 - Math.ceil(Math.log10(1 + expected)))
        }
      }),
      { numRuns: 6, seed: 1124 },
    )
  })
})

/** The first step of an explanation with a description. */
function stepOf(steps: readonly Step[], description: string): Step | null {
  for (const step of steps) {
    if (step.description === description) return step
    const found = stepOf(step.details, description)
    if (found !== null) return found
  }
  return null
}

const FREQ = 'F, total number of occurrences of term across all documents'
const DOCS = 'N, total number of documents with field'
const IF = { type: 'DFR', basic_model: 'if', after_effect: 'l', normalization: 'no' }

describe('statistics of models and scripts', () => {
  const SCRIPT = {
    type: 'scripted',
    script: {
      source:
        'doc.freq + 10.0 * term.docFreq + 1000.0 * term.totalTermFreq + 1e5 * field.docCount + ' +
        '1e7 * field.sumDocFreq + 1e9 * field.sumTotalTermFreq',
    },
  }

  it('are those of all shards, where a search asks for them', async () => {
    const texts = TEXTS.slice(0, 30).map(text => text.slice(0, 6).join(' '))
    const query = { match: { t: 'sail ship' } }
    const byId = (found: readonly Hit[]) =>
      [...found].map(({ _id, _score }) => [_id, _score] as const).sort()
    for (const similarity of [IF, SCRIPT]) {
      await fill(similarity, texts, 3)
      const own = byId(await hits(query))
      const shared = byId(await hits(query, 'search_type=dfs_query_then_fetch'))
      await fill(similarity, texts, 1)
      const sole = byId(await hits(query))
      expect(shared).toEqual(sole)
      expect(own).not.toEqual(sole)
    }
  })

  it('are those of a term in all its fields, and of all terms that are near', async () => {
    await rest.call('DELETE /i')
    const properties = { t: { type: 'text' }, u: { type: 'text' } }
    await ok('PUT /i', {
      settings: { number_of_shards: 1, similarity: { default: IF } },
      mappings: { properties },
    })
    await ok(
      'POST /i/_bulk?refresh',
      ndjson(
        { index: { _id: '0' } },
        { t: 'fox fox hound hound', u: 'fox cat' },
        { index: { _id: '1' } },
        { t: 'fix and more words', u: 'dog cat' },
      ),
    )
    const crossed = { multi_match: { query: 'fox', fields: ['t', 'u'], type: 'cross_fields' } }
    const [first] = await hits(crossed)
    expect(stepOf(first!._explanation.details, FREQ)?.value).toBe(3)
    const near = { match: { t: { query: 'fox', fuzziness: 1 } } }
    const found = await hits(near)
    expect(found.map(({ _id }) => _id)).toEqual(['0', '1'])
    for (const { _explanation } of found) {
      expect(stepOf(_explanation.details, FREQ)?.value).toBe(3)
      expect(stepOf(_explanation.details, DOCS)?.value).toBe(2)
    }
    expect(await hits(near, 'search_type=dfs_query_then_fetch')).toEqual(found)
  })
})

describe('lengths', () => {
  const synonyms = {
    filter: { alike: { type: 'synonym', synonyms: ['sea, ocean, main'] } },
    analyzer: { wide: { tokenizer: 'whitespace', filter: ['alike'] } },
  }
  const LENGTH = 'return 100 / doc.length'
  it.each([
    ['BM25', {}],
    ['LegacyBM25', {}],
    ['scripted', { script: { source: LENGTH } }],
  ])('count overlapping tokens only where %s says so', async (type, more) => {
    await rest.call('DELETE /i')
    await ok('PUT /i', {
      settings: {
        number_of_shards: 1,
        analysis: synonyms,
        similarity: {
          all: { type, discount_overlaps: false, ...more },
          some: { type, discount_overlaps: true, ...more },
        },
      },
      mappings: {
        properties: {
          all: { type: 'text', analyzer: 'wide', search_analyzer: 'whitespace', similarity: 'all' },
          some: {
            type: 'text',
            analyzer: 'wide',
            search_analyzer: 'whitespace',
            similarity: 'some',
          },
        },
      },
    })
    const source = { all: 'the sea is calm', some: 'the sea is calm' }
    await ok('PUT /i/_doc/0?refresh', source)
    const lengthOf = async (field: string): Promise<number> => {
      const body = { query: { match: { [field]: 'calm' } }, explain: true }
      const [hit] = (await ok('POST /i/_search', body)).hits.hits as Hit[]
      const named = type === 'scripted' ? 'doc.length' : 'dl, length of field'
      return stepOf(hit!._explanation.details, named)!.value
    }
    expect([await lengthOf('all'), await lengthOf('some')]).toEqual([6, 4])
    // Documents that fields come with, merges and a recovered log read the same settings.
    await ok('PUT /i/_doc/1?refresh', { ...source, fresh: 'x' })
    await ok('POST /i/_forcemerge?max_num_segments=1')
    await ok('POST /i/_close')
    await ok('POST /i/_open')
    await ok('PUT /i/_doc/0?refresh', source)
    expect([await lengthOf('all'), await lengthOf('some')]).toEqual([6, 4])
  })
})

describe('definitions', () => {
  const DFR = { type: 'DFR', basic_model: 'g', after_effect: 'l', normalization: 'h2' }
  const IB = { type: 'IB', distribution: 'll', lambda: 'df', normalization: 'h2' }
  const MODELS = 'expected one of [ine, in, g, if]'
  const gone = (model: string) =>
    `Basic model [${model}] isn't supported anymore, please use another model.`
  const nonNegative = 'must be a non-negative finite value'
  const REFUSALS: [object, string][] = [
    [{ type: 'DFR' }, `Unsupported BasicModel [null], ${MODELS}`],
    [{ ...DFR, basic_model: 'x' }, `Unsupported BasicModel [x], ${MODELS}`],
    [{ ...DFR, basic_model: 'be' }, gone('be')],
    [{ ...DFR, basic_model: 'd' }, gone('d')],
    [{ ...DFR, basic_model: 'p' }, gone('p')],
    [{ ...DFR, after_effect: 'x' }, 'Unsupported AfterEffect [x], expected one of [b, l]'],
    [
      { ...DFR, after_effect: 'no' },
      "After effect [no] isn't supported anymore, please use another effect.",
    ],
    [{ ...DFR, normalization: 'h4' }, 'Unsupported Normalization [h4]'],
    [
      { ...DFR, normalization: 'h1', 'normalization.h1.c': -1 },
      `illegal c value: -1.0, ${nonNegative}`,
    ],
    [{ ...DFR, 'normalization.h2.c': 'Infinity' }, `illegal c value: Infinity, ${nonNegative}`],
    [
      { ...DFR, normalization: 'h3', 'normalization.h3.c': -2 },
      `illegal mu value: -2.0, ${nonNegative}`,
    ],
    [
      { ...DFR, normalization: 'z', 'normalization.z.z': 0.5 },
      'illegal z value: 0.5, must be in the range (0 .. 0.5)',
    ],
    [
      { ...DFR, normalization: 'z', 'normalization.z.z': 0 },
      'illegal z value: 0.0, must be in the range (0 .. 0.5)',
    ],
    [{ ...DFR, mu: 1 }, 'Unknown settings for similarity of type [DFR]: [mu]'],
    [
      { ...DFR, discount_overlaps: false },
      'Unknown settings for similarity of type [DFR]: [discount_overlaps]',
    ],
    [
      { type: 'DFI' },
      'Unsupported IndependenceMeasure [null], expected one of [standardized, saturated, chisquared]',
    ],
    [
      { type: 'DFI', independence_measure: 'saturated', k1: 1 },
      'Unknown settings for similarity of type [DFI]: [k1]',
    ],
    [{ ...IB, distribution: 'x' }, 'Unsupported Distribution [x]'],
    [{ ...IB, lambda: 'x' }, 'Unsupported Lambda [x]'],
    [{ type: 'IB', distribution: 'll', lambda: 'df' }, 'Unsupported Normalization [null]'],
    [{ ...IB, b: 1 }, 'Unknown settings for similarity of type [IB]: [b]'],
    [{ type: 'LMDirichlet', mu: -1 }, `illegal mu value: -1.0, ${nonNegative}`],
    [
      { type: 'LMDirichlet', mu: 'few' },
      'Failed to parse value [few] for setting [index.similarity.x.mu]',
    ],
    [
      { type: 'LMDirichlet', lambda: 1 },
      'Unknown settings for similarity of type [LMDirichlet]: [lambda]',
    ],
    [{ type: 'LMJelinekMercer', lambda: 0 }, 'lambda must be in the range (0 .. 1]'],
    [{ type: 'LMJelinekMercer', lambda: 1.5 }, 'lambda must be in the range (0 .. 1]'],
    [
      { type: 'LMJelinekMercer', mu: 1 },
      'Unknown settings for similarity of type [LMJelinekMercer]: [mu]',
    ],
  ]
  it.each(REFUSALS)('%j are refused', async (definition, reason) => {
    const settings = { similarity: { x: definition } }
    const { status, json } = await rest.call('PUT /refused', { settings })
    expect([status, json.error.type, json.error.reason]).toEqual([
      400,
      'illegal_argument_exception',
      reason,
    ])
  })

  it('have the parameters of the reference server where they name none', async () => {
    const cases: [object, object][] = [
      [{ type: 'LMDirichlet' }, { type: 'LMDirichlet', mu: 2000 }],
      [{ type: 'LMJelinekMercer' }, { type: 'LMJelinekMercer', lambda: 0.1 }],
      [
        { ...DFR, normalization: 'h1' },
        { ...DFR, normalization: 'h1', 'normalization.h1.c': 1 },
      ],
      [DFR, { ...DFR, 'normalization.h2.c': 1 }],
      [
        { ...IB, normalization: 'h3' },
        { ...IB, normalization: 'h3', 'normalization.h3.c': 800 },
      ],
      [
        { ...IB, normalization: 'z' },
        { ...IB, normalization: 'z', 'normalization.z.z': 0.3 },
      ],
    ]
    for (const [short, long] of cases) {
      const found: unknown[] = []
      for (const definition of [short, long]) {
        await fill(definition, ['sail sail oar', 'sail', 'gull oar sea'])
        found.push((await hits({ match: { t: 'sail' } })).map(({ _score }) => _score))
      }
      expect(found[0]).toEqual(found[1])
      expect(found[0]).toHaveLength(2)
    }
  })

  it('keep combined fields to BM25', async () => {
    await fill(DFR, ['a'])
    const query = { combined_fields: { query: 'a', fields: ['t'] } }
    const { json } = await rest.call('POST /i/_search', { query })
    expect(json.error.root_cause[0].reason).toBe(
      'failed to create query: [combined_fields] queries can only be used with the [BM25] similarity',
    )
  })
})

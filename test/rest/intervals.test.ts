import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type FieldIndex, fieldIndex } from '../support/field-index.ts'
import { explained, outlineOf, profiled, scored } from '../support/search-shapes.ts'

let index: FieldIndex
beforeAll(async () => {
  index = await fieldIndex(
    {
      t: { type: 'text', fields: { stems: { type: 'text', analyzer: 'english' } } },
      syn: { type: 'text', analyzer: 'with_synonyms' },
      stop: { type: 'text', analyzer: 'stop' },
      docs: { type: 'text', index_options: 'docs' },
      k: { type: 'keyword' },
    },
    null,
    {
      analysis: {
        filter: { synonyms: { type: 'synonym_graph', synonyms: ['ny, new york'] } },
        analyzer: { with_synonyms: { tokenizer: 'standard', filter: ['synonyms'] } },
      },
    },
  )
  await index.add(
    { t: 'cold wet it is outside today', syn: 'in new york now', stop: 'fox over the bear' },
    { t: 'cold is it wet', syn: 'in ny now', stop: 'fox bear' },
    { t: 'the theory of cold porridge hot', syn: 'new in york' },
    { t: 'porridge is cold when hot foxes run' },
  )
})
afterAll(() => index.close())

const match = (query: string, options: object = {}): object => ({ match: { query, ...options } })
const on = (rule: object, field = 't'): object => ({ intervals: { [field]: rule } })

/** Both of the first document, with a word in common. */
const OVERLAPPING = [match('cold wet', { ordered: true }), match('wet it', { ordered: true })]

describe('intervals', () => {
  it.each<[object, string[]]>([
    [on(match('cold')), ['0', '1', '2', '3']],
    [on(match('cold wet')), ['0', '1']],
    [on(match('wet cold', { ordered: true })), []],
    [on(match('cold wet', { mode: 'ordered', max_gaps: 0 })), ['0']],
    [on(match('wet cold', { max_gaps: 0 })), ['0']],
    [on(match('cold wet', { max_gaps: 2 })), ['0', '1']],
    [on(match('cold it', { mode: 'UNORDERED_NO_OVERLAP', max_gaps: 1 })), ['0', '1']],
    [on(match('COLD', { analyzer: 'keyword' })), []],
    // The same word twice is to occur twice.
    [on({ all_of: { intervals: [match('is'), match('is')] } }), []],
    [on({ all_of: { intervals: [match('cold'), match('is'), match('cold')] } }), []],
    // An interval that begins ahead and ends behind counts as one within.
    [on(match('it', { filter: { not_containing: match('cold wet it') } })), []],
    [on(match('it', { filter: { not_containing: match('is outside') } })), ['0', '1']],
    [on(match('fox', { use_field: 't.stems' })), ['3']],
    [on(match('fox', { use_field: 'gone' })), []],
    [on(match('')), []],
    [on({ all_of: { intervals: [match('cold'), match('hot')], mode: 'ordered' } }), ['2', '3']],
    [
      on({ all_of: { intervals: [match('cold'), match('hot')], ordered: true, max_gaps: 1 } }),
      ['2', '3'],
    ],
    [on({ all_of: { intervals: [match('cold'), match('hot')], ordered: true, max_gaps: 0 } }), []],
    [on({ any_of: { intervals: [match('hot'), match('today')] } }), ['0', '2', '3']],
    [
      on({
        all_of: {
          ordered: true,
          max_gaps: 0,
          intervals: [
            { any_of: { intervals: [match('cold'), match('theory of', { max_gaps: 0 })] } },
            { any_of: { intervals: [match('cold'), match('wet')] } },
          ],
        },
      }),
      ['0', '2'],
    ],
    [on(match('cold', { filter: { before: match('hot') } })), ['2', '3']],
    [on(match('cold', { filter: { after: match('porridge') } })), ['3']],
    [on(match('cold hot', { filter: { containing: match('porridge') } })), ['2']],
    [on(match('cold hot', { filter: { not_containing: match('porridge') } })), ['3']],
    [on(match('porridge', { filter: { contained_by: match('cold hot') } })), ['2']],
    [on(match('porridge', { filter: { not_contained_by: match('cold hot') } })), ['3']],
    [on(match('cold hot', { filter: { overlapping: match('porridge') } })), ['2']],
    [on(match('cold hot', { filter: { not_overlapping: match('porridge') } })), ['3']],
    [on({ any_of: { intervals: [match('cold')], filter: { before: match('hot') } } }), ['2', '3']],
    [on({ prefix: { prefix: 'PORR' } }), ['2', '3']],
    [on({ prefix: { prefix: 'f', use_field: 't.stems' } }), ['3']],
    [on({ wildcard: { pattern: 'w?t' } }), ['0', '1']],
    [on({ regexp: { pattern: 'W[e]t', case_insensitive: true, flags: 'NONE' } }), ['0', '1']],
    [on({ fuzzy: { term: 'porrige' } }), ['2', '3']],
    [on({ fuzzy: { term: 'worrige', prefix_length: 1, fuzziness: 2 } }), []],
    [on({ fuzzy: { term: 'clod', fuzziness: 1 } }), ['0', '1', '2', '3']],
    [on({ fuzzy: { term: 'clod', fuzziness: 1, transpositions: false } }), []],
    [on({ fuzzy: { term: 'fix', use_field: 't.stems' } }), ['3']],
    [on({ fuzzy: { term: 'fix' } }), []],
    [on({ fuzzy: { term: 'COLD', fuzziness: 0 } }), ['0', '1', '2', '3']],
    [on({ fuzzy: { term: 'COLD', fuzziness: 0, analyzer: 'keyword' } }), []],
    // Patterns and prefixes are normalized as their analyzer does it.
    [on({ prefix: { prefix: 'PORR', analyzer: 'keyword' } }), []],
    [on({ wildcard: { pattern: 'W?T' } }), ['0', '1']],
    [on({ wildcard: { pattern: 'W?T', analyzer: 'keyword' } }), []],
    [on({ wildcard: { pattern: 'fo?', use_field: 't.stems' } }), ['3']],
    [on({ wildcard: { pattern: 'fo?' } }), []],
    [on({ regexp: { pattern: 'fo.', use_field: 't.stems' } }), ['3']],
    [on({ regexp: { pattern: 'WET' } }), []],
    [on({ regexp: { pattern: 'w<1-2>t|wet', flags: 'INTERVAL' } }), ['0', '1']],
    [on({ regexp: { pattern: 'w(et&.t)', flags: 'NONE' } }), []],
    // Two ways without an order are one over the words of both, of which one is there twice.
    [on({ all_of: { intervals: [match('cold wet'), match('wet it')] } }), []],
    [on({ all_of: { intervals: OVERLAPPING } }), ['0']],
    [on({ all_of: { intervals: OVERLAPPING, mode: 'unordered' } }), ['0']],
    [on({ all_of: { intervals: OVERLAPPING, mode: 'unordered_no_overlap' } }), []],
    [
      on({
        all_of: {
          intervals: [match('cold'), match('hot')],
          filter: { containing: match('porridge') },
        },
      }),
      ['2'],
    ],
    [on({ ...match('cold'), boost: 2 }), ['0', '1', '2', '3']],
    [on(match('new york', { max_gaps: 0, ordered: true }), 'syn'), ['0', '1']],
    [on(match('in ny now', { max_gaps: 0, ordered: true }), 'syn'), ['0', '1']],
    [on(match('fox the bear', { max_gaps: 0, ordered: true }), 'stop'), []],
    [on(match('fox the bear', { max_gaps: 1, ordered: true }), 'stop'), ['0']],
    [on(match('x'), 'gone'), []],
  ])('%j', async (query, expected) => {
    expect(await index.find(query)).toEqual(expected)
    await scored(index, query)
  })

  it('score the more, the closer', async () => {
    const hits = await scored(index, on(match('cold wet')))
    expect(hits).toEqual([
      ['0', 0.5],
      ['1', expect.closeTo(0.25, 6)],
    ])
    expect(outlineOf(await explained(index, on(match('cold wet')), '0'))).toEqual([
      'Saturation function on interval frequency, computed as w * S / (S + k) from:',
      ' w, weight of this function',
      ' k, pivot feature value that would give a score contribution equal to w/2',
      ' S, interval frequency',
    ])
  })

  it('score by their boost', async () => {
    expect(await scored(index, on({ ...match('cold wet'), boost: 3 }))).toEqual([
      ['0', 1.5],
      ['1', expect.closeTo(0.75, 6)],
    ])
  })

  it.each<[string, string[]]>([
    ['interval.gaps == 0', ['0', '2', '3']],
    ['interval.start == 0 && interval.end == 1', ['0']],
    ['interval.end - interval.start < 2', ['0', '3']],
    ['interval.getGaps() > 0', ['1']],
  ])('take those for which the script %s holds', async (source, ids) => {
    const rules = {
      intervals: [
        match('cold'),
        { any_of: { intervals: [match('wet'), match('when'), match('porridge hot')] } },
      ],
    }
    const filter = { script: { source } }
    const { json, text } = await index.rest.call('POST /i/_search', {
      query: on({ all_of: { ...rules, filter } }),
      highlight: { fields: { t: {} } },
    })
    if (json.hits === undefined) throw new Error(text)
    const found = json.hits.hits.map((hit: { _id: string }) => hit._id)
    expect(found.sort()).toEqual(ids)
    for (const hit of json.hits.hits) expect(hit.highlight.t).toHaveLength(1)
  })

  it.each<[object, string]>([
    [match('a b'), 't:UNORDERED(a,b)'],
    [match('a b', { ordered: true }), 't:ORDERED(a,b)'],
    [match('a b', { ordered: true, max_gaps: 0 }), 't:BLOCK(a,b)'],
    [match('a b', { max_gaps: 3 }), 't:MAXGAPS/3(UNORDERED(a,b))'],
    [{ any_of: { intervals: [match('a'), match('b')] } }, 't:or(a,b)'],
    [match('a', { filter: { containing: match('b') } }), 't:CONTAINING(a,b)'],
    [
      match('a', { filter: { before: match('b') } }),
      't:CONTAINED_BY(a,EXTEND(PRECEDING(b),2147483647,0))',
    ],
    [match('b', { use_field: 't.stems' }), 't:FIELD(t.stems,b)'],
    [match('b', { filter: { script: 'interval.start > 1' } }), 't:FILTER(interval.start > 1)(b)'],
    [{ prefix: { prefix: 'a' } }, 't:MultiTerm(a*)'],
  ])('print %j', async (rule, description) => {
    expect(await profiled(index, on(rule))).toEqual(['IntervalQuery', description])
  })

  it.each<[object, string]>([
    [
      on({ x: {} }),
      'Unknown interval type [x], expecting one of [match, any_of, all_of, prefix, wildcard, regexp]',
    ],
    [on(match('a', { filter: { x: match('b') } })), 'Unknown filter type [x]'],
    [on(match('a', { mode: 'x' })), 'No enum constant org.opensearch.index.query.IntervalMode.X'],
    [on(match('a', { x: 1 })), '[1:0] [match] unknown field [x]'],
    [on({ match: {} }), 'Required [query]'],
    [on({ all_of: {} }), 'Required [intervals]'],
    [on({ prefix: {} }), 'Required [prefix]'],
    [on({ wildcard: {} }), 'Required [pattern]'],
    [on({ fuzzy: {} }), 'Required [term]'],
    [on({}), 'Missing intervals from interval query definition'],
    [
      on({ ...match('a'), prefix: { prefix: 'a' } }),
      'Only one interval rule can be specified, found [match] and [prefix]',
    ],
    [
      on(match('a'), 'k'),
      'Can only use interval queries on text fields - not on [k] which is of type [keyword]',
    ],
    [on(match('a'), 'docs'), 'Cannot create intervals over field [docs] with no positions indexed'],
    [on(match('a', { analyzer: 'none' })), '[intervals] analyzer [none] not found'],
    [on({ wildcard: { pattern: '*', max_expansions: 2 } }), 'maxClauseCount is set to 2'],
    [on({ regexp: { pattern: '.*', max_expansions: 1 } }), 'maxClauseCount is set to 1'],
    [
      on({ prefix: { prefix: 'a', max_expansions: 2 } }),
      '[1:0] [prefix] unknown field [max_expansions]',
    ],
  ])('refuse %j', async (query, reason) => {
    const { status, json } = await index.rest.call('POST /i/_search', { query })
    let error = json.error.failed_shards?.[0].reason ?? json.error
    while (error.caused_by !== undefined) error = error.caused_by
    expect([status, error.reason.replace(/^\[1:\d+\]/, '[1:0]')]).toEqual([400, reason])
  })
})

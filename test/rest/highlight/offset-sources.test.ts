import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Random } from '../../../src/util/random.ts'
import { extent, SEED, tell } from '../../chaos/extent.ts'
import { okOf, openRest, type Rest } from '../../support/rest-calls.ts'

let rest: Rest
const ok = okOf(() => rest)
const random = new Random(SEED)
const ROUNDS = extent(3, 30)

beforeAll(async () => {
  rest = await openRest()
})
afterAll(() => rest.close())

const WORDS = [
  'sea',
  'wolf',
  'the',
  'whale',
  'white',
  'été',
  'a',
  'seas',
  'Sea,',
  'wolf.',
  'end. New',
]
const one = <T>(of: readonly T[]): T => of[random.below(of.length)]!
const words = (max: number): string =>
  Array.from({ length: 1 + random.below(max) }, () => one(WORDS)).join(' ')

function query(field: string): object {
  const clauses = Array.from({ length: 1 + random.below(3) }, () =>
    one([
      { match: { F: words(3) } },
      { match_phrase: { F: { query: words(3), slop: random.below(3) } } },
      { prefix: { F: one(['s', 'w', 'wh']) } },
      { fuzzy: { F: 'wolv' } },
      { match_phrase_prefix: { F: words(2) } },
      { intervals: { F: { match: { query: words(2), max_gaps: 2 } } } },
      {
        span_near: {
          clauses: [{ span_term: { F: 'sea' } }, { span_term: { F: 'wolf' } }],
          slop: 3,
        },
      },
    ]),
  )
  return JSON.parse(JSON.stringify({ bool: { should: clauses } }).replaceAll('"F"', `"${field}"`))
}

describe('highlights and term vectors', () => {
  it('are the same by analysis, postings and vectors, before and after merges', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      await rest.call('DELETE /i')
      const vectors = { type: 'text', term_vector: 'with_positions_offsets' }
      await ok('PUT /i', {
        settings: { refresh_interval: '-1', number_of_shards: 1 + random.below(2) },
        mappings: {
          properties: {
            t: {
              type: 'text',
              fields: { o: { type: 'text', index_options: 'offsets' }, v: vectors },
              copy_to: ['c', 'cv'],
            },
            u: { type: 'text', copy_to: ['c', 'cv'] },
            c: { type: 'text' },
            cv: vectors,
          },
        },
      })
      const count = 30
      for (let i = 0; i < count; i++) {
        const value = (): string | string[] =>
          random.below(3) === 0 ? [words(9), words(20)] : words(30)
        const document =
          random.below(2) === 0 ? { t: value(), u: value() } : { u: value(), t: value() }
        await ok(`PUT /i/_doc/${i}${random.below(6) === 0 ? '?refresh' : ''}`, document)
      }
      for (let i = 0; i < 5; i++) await ok(`DELETE /i/_doc/${i}`)
      await ok('POST /i/_refresh')
      for (const isMerged of [false, true]) {
        if (isMerged) await ok('POST /i/_forcemerge?max_num_segments=1')
        for (let i = 0; i < 12; i++) {
          const type = one(['unified', 'plain'])
          const options = {
            type,
            order: one(['score', 'none']),
            fragment_size: one([0, 20, 60, 100]),
            number_of_fragments: random.below(4),
          }
          const highlight = {
            ...options,
            require_field_match: false,
            fields: { t: {}, 't.o': {}, 't.v': {}, c: {}, cv: {} },
          }
          const asked = query(one(['t', 'c']))
          const { hits } = await ok('POST /i/_search', { size: count, query: asked, highlight })
          for (const { highlight: found = {} } of hits.hits) {
            expect({ asked, options, found: found['t.o'] }).toEqual({
              asked,
              options,
              found: found.t,
            })
            expect({ asked, options, found: found['t.v'] }).toEqual({
              asked,
              options,
              found: found.t,
            })
            expect({ asked, options, found: found.cv }).toEqual({ asked, options, found: found.c })
          }
        }
        for (let id = 5; id < 10; id++) {
          const fields = 't,t.v,c,cv'
          const { term_vectors } = await ok(`GET /i/_termvectors/${id}?fields=${fields}`)
          expect(term_vectors['t.v']?.terms).toEqual(term_vectors.t?.terms)
          expect(term_vectors.cv?.terms).toEqual(term_vectors.c?.terms)
        }
      }
    }
    tell(`${ROUNDS} indices highlighted from all sources of offsets`)
  })
})

import { afterAll, beforeAll, expect, it } from 'vitest'
import { MatchScore } from '../../../src/search/collector/match-score.ts'
import { ndjson, openRest, type Rest } from '../../support/rest-calls.ts'

it('is computed when it is asked for, once for each match', () => {
  let calls = 0
  const score = new MatchScore()
  score.setScorer({ score: () => ++calls })
  score.next()
  expect(calls).toBe(0)
  expect([score.score(), score.score()]).toEqual([1, 1])
  score.next()
  expect(score.score()).toBe(2)
  score.setScorer({ score: () => 7 })
  expect([score.score(), calls]).toEqual([7, 2])
})

let rest: Rest
beforeAll(async () => {
  rest = await openRest()
  await rest.call('PUT /i', { mappings: { properties: { g: { type: 'keyword' } } } })
  const lines = Array.from({ length: 20 }, (_, i) => [
    { index: {} },
    { t: 'sea '.repeat(1 + (i % 5)), n: i, g: `g${i % 3}` },
  ])
  await rest.call('POST /i/_bulk?refresh', ndjson(...lines.flat()))
})
afterAll(() => rest.close())

const byScript = { _script: { type: 'number', script: '_score * 2', order: 'desc' } }

// As `ScoreCachingWrappingScorer` has it in Lucene's comparator of relevance.
it.each<[string, object]>([
  ['a score ahead of a number', { sort: ['_score', 'n'] }],
  ['two levels that read it', { sort: [byScript, '_score'] }],
  ['scores that are kept beside a script', { sort: [byScript], track_scores: true }],
  ['hits behind a score', { sort: ['_score', 'n'], search_after: [0.5, 30] }],
  ['the best of groups', { sort: ['_score', 'n'], collapse: { field: 'g' } }],
])('is computed once for each match by %s', async (_, body) => {
  const request = { query: { match: { t: 'sea' } }, profile: true, track_total_hits: true, ...body }
  const { json, text } = await rest.call('POST /i/_search', request)
  expect(json.error, text).toBeUndefined()
  const [root] = json.profile.shards[0].searches[0].query
  expect(root.breakdown.score_count).toBe(20)
})

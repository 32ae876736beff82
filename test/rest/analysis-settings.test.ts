import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openRest, type Rest } from '../support/rest-calls.ts'
import { tempFolder } from '../support/temp-folder.ts'

const config = tempFolder('analysis')
let rest: Rest

beforeAll(async () => {
  writeFileSync(join(config, 'few.txt'), '# a comment\nfox\n\n hound \n')
  rest = await openRest({ 'path.conf': config })
})
afterAll(() => rest.close())

const total = async (index: string, query: object): Promise<number> => {
  const answer = await rest.call(`GET /${index}/_search`, { query })
  expect(answer.status).toBe(200)
  return answer.json.hits.total.value
}

describe('word files', () => {
  it('are read below path.conf, by write threads as by queries', async () => {
    const made = await rest.call('PUT /filed', {
      settings: {
        analysis: {
          filter: { few: { type: 'stop', stopwords_path: 'few.txt' } },
          analyzer: { mine: { tokenizer: 'whitespace', filter: ['few'] } },
        },
      },
      mappings: {
        properties: { t: { type: 'text', analyzer: 'mine', search_analyzer: 'simple' } },
      },
    })
    expect(made.status).toBe(200)
    // The index holds what it read: threads that come later see the same words.
    writeFileSync(join(config, 'few.txt'), 'other\n')
    await rest.call('PUT /filed/_doc/1?refresh', { t: 'a fox and a hound' })
    expect(await total('filed', { match: { t: 'fox' } })).toBe(0)
    expect(await total('filed', { match: { t: 'hound' } })).toBe(0)
    expect(await total('filed', { match: { t: 'and' } })).toBe(1)
    const { json } = await rest.call('GET /filed/_analyze', { analyzer: 'mine', text: 'fox hen' })
    expect(json.tokens).toMatchObject([{ token: 'hen', position: 1 }])
  })

  it('that are not there fail the creation of the index', async () => {
    const made = await rest.call('PUT /nofile', {
      settings: { analysis: { filter: { few: { type: 'stop', stopwords_path: '../few.txt' } } } },
    })
    expect(made.status).toBe(400)
    expect(made.json.error).toMatchObject({
      type: 'illegal_argument_exception',
      reason: 'IOException while reading [../few.txt]: no such file in path.conf',
    })
    expect((await rest.call('HEAD /nofile')).status).toBe(404)
  })
})

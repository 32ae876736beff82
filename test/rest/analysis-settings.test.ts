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

  it('hold rules of synonyms, for texts and for queries', async () => {
    writeFileSync(join(config, 'rules.txt'), '# a comment\nny, new york\nfox => hound\n')
    const made = await rest.call('PUT /rules', {
      settings: {
        analysis: {
          filter: {
            syn: { type: 'synonym_graph', synonyms_path: 'rules.txt', updateable: false },
          },
          analyzer: { mine: { tokenizer: 'whitespace', filter: ['syn', 'flatten_graph'] } },
        },
      },
      mappings: {
        properties: { t: { type: 'text', analyzer: 'mine', search_analyzer: 'simple' } },
      },
    })
    expect(made.status).toBe(200)
    await rest.call('PUT /rules/_doc/1?refresh', { t: 'a fox in ny' })
    expect(await total('rules', { match: { t: 'fox' } })).toBe(0)
    expect(await total('rules', { match: { t: 'hound' } })).toBe(1)
    expect(await total('rules', { match_phrase: { t: 'in new york' } })).toBe(1)
  })

  it('are passed over by elisions that have a list', async () => {
    writeFileSync(join(config, 'articles.txt'), 'd\n')
    const elision = { type: 'elision', articles_path: 'articles.txt' }
    const asked = async (filter: object): Promise<string[]> => {
      const body = { tokenizer: 'whitespace', filter: [filter], text: "l'avion d'or" }
      const { json } = await rest.call('POST /_analyze', body)
      return json.tokens.map(({ token }: { token: string }) => token)
    }
    expect(await asked(elision)).toEqual(["l'avion", 'or'])
    expect(await asked({ ...elision, articles: ['l'] })).toEqual(['avion', "d'or"])
    expect(await asked({ ...elision, articles_path: 'none.txt', articles: ['l'] })).toHaveLength(2)
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

import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openRest, type Rest } from '../support/rest-calls.ts'
import { tempFolder } from '../support/temp-folder.ts'

const config = tempFolder('languages')
let rest: Rest

beforeAll(async () => {
  const hunspell = join(config, 'hunspell', 'en_XX')
  mkdirSync(hunspell, { recursive: true })
  writeFileSync(join(hunspell, 'en_XX.aff'), 'SET UTF-8\nSFX S Y 1\nSFX S y ies y\n')
  writeFileSync(join(hunspell, 'en_XX.dic'), '1\nfly/S\n')
  writeFileSync(join(hunspell, 'more.dic'), '1\npony/S\n')
  rest = await openRest({ 'path.conf': config })
})
afterAll(() => rest.close())

describe('languages over HTTP', () => {
  it('index and find words by their stems, in write threads as in queries', async () => {
    const texts: Readonly<Record<string, readonly [text: string, query: string]>> = {
      russian: ['Мальчик читает книгу', 'книгами'],
      finnish: ['Taloissa on ikkunoita', 'taloista'],
      arabic: ['الكتاب الجديد', 'كتاب'],
      german: ['Die Häuser am Fluss', 'haus'],
      turkish: ["İstanbul'da evler", 'istanbul'],
      greek: ['Η Ελλάδα', 'ελλαδα'],
      cjk: ['東京都へ行く', '京都'],
    }
    const properties = Object.fromEntries(
      Object.keys(texts).map(language => [language, { type: 'text', analyzer: language }]),
    )
    expect((await rest.call('PUT /many', { mappings: { properties } })).status).toBe(200)
    const document = Object.fromEntries(
      Object.entries(texts).map(([language, [text]]) => [language, text]),
    )
    expect((await rest.call('PUT /many/_doc/1?refresh', document)).status).toBe(201)
    for (const [language, [, query]] of Object.entries(texts)) {
      const found = await rest.call('GET /many/_search', {
        query: { match: { [language]: query } },
      })
      expect([language, found.json.hits.total.value]).toEqual([language, 1])
    }
  })

  it('take filters of languages from settings, with dictionaries below path.conf', async () => {
    const analysis = {
      filter: {
        words: { type: 'hunspell', locale: 'en_XX' },
        kept: { type: 'keyword_marker', keywords: ['flies'] },
        stems: { type: 'stemmer', language: 'light_english' },
      },
      analyzer: {
        spelled: { tokenizer: 'standard', filter: ['lowercase', 'words'] },
        stemmed: { tokenizer: 'standard', filter: ['lowercase', 'kept', 'stems'] },
      },
    }
    const made = await rest.call('PUT /own', {
      settings: { analysis },
      mappings: {
        properties: {
          spelled: { type: 'text', analyzer: 'spelled' },
          stemmed: { type: 'text', analyzer: 'stemmed' },
        },
      },
    })
    expect(made.status).toBe(200)
    const both = { spelled: 'Ponies', stemmed: 'ponies flies' }
    expect((await rest.call('PUT /own/_doc/1?refresh', both)).status).toBe(201)
    const total = async (query: object): Promise<number> =>
      (await rest.call('GET /own/_search', { query })).json.hits.total.value
    expect(await total({ term: { spelled: 'pony' } })).toBe(1)
    expect(await total({ term: { stemmed: 'pony' } })).toBe(1)
    expect(await total({ term: { stemmed: 'flies' } })).toBe(1)
    expect(await total({ term: { stemmed: 'fly' } })).toBe(0)
  })

  it('answer 400 at creation to what they cannot make', async () => {
    const refusal = async (filter: object): Promise<readonly [number, string, string]> => {
      const { status, json } = await rest.call('PUT /refused', {
        settings: { analysis: { filter: { mine: filter } } },
      })
      return [status, json.error.type, json.error.reason]
    }
    const illegal = (reason: string) => [400, 'illegal_argument_exception', reason]
    expect(await refusal({ type: 'stemmer', language: 'klingon' })).toEqual(
      illegal('Invalid stemmer class specified: Klingon'),
    )
    expect(await refusal({ type: 'hunspell' })).toEqual(
      illegal('missing [locale | language | lang] configuration for hunspell token filter'),
    )
    expect(await refusal({ type: 'stemmer_override' })).toEqual(
      illegal('stemmer override filter requires either `rules` or `rules_path` to be configured'),
    )
    expect((await rest.call('HEAD /refused')).status).toBe(404)
  })
})

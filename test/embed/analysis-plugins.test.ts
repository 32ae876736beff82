import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  type Database,
  open,
  registerCharFilter,
  registerTokenFilter,
  registerTokenizer,
} from '../../src/index.ts'

const at = (name: string): URL => new URL(`./plugins/${name}.mjs`, import.meta.url)

describe('plug-ins', () => {
  let database: Database
  const call = async (method: string, path: string, body?: object) => {
    const response = await database.request({ method, path, ...(body && { body }) })
    return { status: response.status, body: response.json() }
  }

  beforeAll(async () => {
    await registerTokenFilter('doubled', at('doubled'))
    await registerTokenizer('halves', at('halves'))
    await registerCharFilter('without', at('vowels'))
    database = await open()
  })
  afterAll(() => database.close())

  it('make components that settings name, here and on write threads', async () => {
    const made = await call('PUT', '/p', {
      settings: {
        analysis: {
          char_filter: { no_e: { type: 'without', letter: 'e' } },
          filter: { twice: { type: 'doubled', ending: '!' } },
          analyzer: { mine: { tokenizer: 'halves', char_filter: 'no_e', filter: 'twice' } },
        },
      },
      mappings: {
        properties: { t: { type: 'text', analyzer: 'mine', search_analyzer: 'keyword' } },
      },
    })
    expect(made.status).toBe(200)
    await call('PUT', '/p/_doc/1?refresh', { t: 'eabecd' })
    for (const [term, total] of [
      ['ab', 1],
      ['cd!', 1],
      ['eabecd', 0],
    ]) {
      const { body } = await call('POST', '/p/_search', { query: { term: { t: term } } })
      expect(body).toMatchObject({ hits: { total: { value: total } } })
    }
    const { body } = await call('GET', '/p/_analyze', { analyzer: 'mine', text: 'eabecd' })
    expect(body).toMatchObject({
      tokens: [
        { token: 'ab', start_offset: 1, end_offset: 4, position: 0 },
        { token: 'ab!', position: 0 },
        { token: 'cd', start_offset: 4, end_offset: 6, position: 1 },
        { token: 'cd!', position: 1 },
      ],
    })
  })

  it('are what the README shows', () => {
    const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8')
    expect(readme).toContain(readFileSync(at('doubled'), 'utf8'))
  })

  it('may be named in a request', async () => {
    const { body } = await call('POST', '/_analyze', {
      tokenizer: 'keyword',
      filter: ['doubled'],
      text: 'x',
    })
    expect(body).toMatchObject({ tokens: [{ token: 'x' }, { token: 'x+' }] })
  })

  it('that refuse their options fail the creation of the index', async () => {
    const made = await call('PUT', '/q', {
      settings: { analysis: { char_filter: { c: { type: 'without' } } } },
    })
    expect([made.status, made.body]).toMatchObject([
      400,
      { error: { type: 'illegal_argument_exception', reason: '[c]: letter is missing' } },
    ])
  })

  it('are registered once, under a name of their own', async () => {
    await expect(registerTokenFilter('doubled', at('doubled'))).resolves.toBeUndefined()
    await expect(registerTokenFilter('doubled', at('halves'))).rejects.toThrow('registered already')
    await expect(registerTokenFilter('stop', at('doubled'))).rejects.toThrow('is built in')
    await expect(registerTokenizer('a b', at('halves'))).rejects.toThrow('is no name')
    await expect(registerTokenizer('other', './halves.mjs')).rejects.toThrow('is no URL')
    await expect(registerTokenizer('other', at('nowhere'))).rejects.toThrow('cannot be loaded')
    await expect(registerCharFilter('other', at('nothing'))).rejects.toThrow('default export')
  })
})

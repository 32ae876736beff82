import { beforeAll, describe, expect, it } from 'vitest'
import { ndjson } from '../../support/rest-calls.ts'
import { addRole, addUser, type Reply, securedForFile } from '../../support/secured-rest.ts'

const secured = securedForFile()
const roles = (...names: string[]): object => ({ opendistro_security_roles: names })

const role = (restriction: object): object => ({
  cluster_permissions: ['cluster_composite_ops'],
  index_permissions: [
    { index_patterns: ['files'], allowed_actions: ['indices:*'], ...restriction },
  ],
})

beforeAll(async () => {
  const { rest } = secured()
  await rest.call('PUT /files', {
    mappings: {
      properties: {
        team: { type: 'keyword' },
        secret: { type: 'keyword' },
        parts: { type: 'nested', properties: { side: { type: 'keyword' } } },
      },
      derived: {
        part: {
          type: 'keyword',
          script:
            "if (doc['parts.side'].value == 'blue') { throw new IllegalStateException('saw it') } emit('x')",
        },
        shout: { type: 'keyword', script: "emit(params._source.secret + '!')" },
        column: { type: 'keyword', script: "emit(doc['secret'].value)" },
        loud: {
          type: 'keyword',
          script:
            "if (doc['team'].value == 'blue') { throw new IllegalStateException('saw it') } emit('x')",
        },
      },
    },
  })
  const lines = ['red', 'blue', 'red'].flatMap((team, i) => [
    { index: { _index: 'files', _id: `${i}` } },
    { team, secret: `word${i}`, parts: [{ side: team }] },
  ])
  await rest.call('POST /_bulk?refresh', ndjson(...lines))
  await addRole(rest, 'reds', role({ dls: '{"term":{"team":"red"}}' }))
  await addRole(rest, 'blinds', role({ fls: ['~secret'] }))
  await addRole(rest, 'derivers', role({ dls: '{"term":{"loud":"x"}}' }))
  await addUser(rest, 'rhea', roles('reds'))
  await addUser(rest, 'blind', roles('blinds'))
  await addUser(rest, 'deriver', roles('derivers'))
})

const search = (user: string, body: object): Promise<Reply> =>
  secured().as(user, 'POST /files/_search', body)
const idsOf = ({ json }: Reply): string[] => json.hits.hits.map((hit: { _id: string }) => hit._id)

describe('scripts of derived fields', () => {
  it('run on no document that the caller may not see', async () => {
    const { rest } = secured()
    const queries = [
      { term: { loud: 'x' } },
      { nested: { path: 'parts', query: { term: { part: 'x' } } } },
    ]
    for (const query of queries) {
      expect(idsOf(await search('rhea', { query }))).toEqual(['0', '2'])
      const whole = await rest.call('POST /files/_search', { query })
      expect([whole.status, whole.text]).toEqual([
        expect.any(Number),
        expect.stringContaining('saw it'),
      ])
    }
  })

  it('see nothing of a source that is hidden from the caller', async () => {
    expect(idsOf(await search('rhea', { query: { term: { shout: 'word2!' } } }))).toEqual(['2'])
    expect(idsOf(await search('blind', { query: { prefix: { shout: 'word' } } }))).toEqual([])
    const shown = await search('blind', { fields: ['shout'] })
    expect(shown.text).not.toContain('word')
    expect(shown.json.hits.hits[0].fields).toEqual({ shout: ['null!'] })
    const column = await search('blind', { query: { term: { column: 'word1' } } })
    expect([column.status, column.text]).toEqual([
      400,
      expect.stringContaining('No field found for [secret] in mapping'),
    ])
    expect(column.text).not.toContain('word2')
  })

  it('decide on no document in the restrictions of a role', async () => {
    expect(idsOf(await search('deriver', {}))).toEqual([])
  })
})

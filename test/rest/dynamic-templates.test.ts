import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openRest, type Rest } from '../support/rest-calls.ts'

let rest: Rest
let next = 0

beforeAll(async () => {
  rest = await openRest()
})
afterAll(() => rest.close())

/** The mapping that one document leaves behind in a new index. */
async function mapped(mappings: object, source: object): Promise<unknown> {
  const index = `t${next++}`
  const made = await rest.call(`PUT /${index}`, { mappings })
  expect(made.status, made.text).toBe(200)
  const put = await rest.call(`PUT /${index}/_doc/1`, source)
  expect(put.status, put.text).toBe(201)
  return (await rest.call(`GET /${index}/_mapping`)).json[index].mappings.properties
}
const errorOf = async (mappings: object): Promise<string[]> => {
  const { status, json } = await rest.call(`PUT /t${next++}`, { mappings })
  expect(status).toBe(400)
  return [json.error.caused_by?.type ?? json.error.type, json.error.reason]
}
const template = (conf: unknown): object => ({ dynamic_templates: [{ t: conf }] })

describe('dynamic templates', () => {
  it.each([
    [
      { dynamic_templates: {} },
      'Dynamic template syntax error. An array of named objects is expected.',
    ],
    [{ dynamic_templates: [{}] }, 'A dynamic template must be defined with a name'],
    [
      template({ mapping: { type: 'long' } }),
      'template must have match, path_match or match_mapping_type set {mapping={type=long}}',
    ],
    [template({ match: '*' }), 'template must have mapping set'],
  ])('refuse %j as malformed', async (mappings, reason) => {
    expect(await errorOf(mappings)).toEqual([
      'mapper_parsing_exception',
      `Failed to parse mapping [_doc]: ${reason}`,
    ])
  })

  it.each([
    [template({ match: '*', wat: 1, mapping: {} }), 'Illegal dynamic template parameter: [wat]'],
    [
      template({ match_mapping_type: 'short', mapping: {} }),
      'No field type matched on [short], possible values are [object, string, long, double, ' +
        'boolean, date, binary]',
    ],
    [
      template({ match: '*', match_pattern: 'java', mapping: {} }),
      'No matching pattern matched on [java]',
    ],
    [
      template({ match: 'a)(b', match_pattern: 'regex', mapping: {} }),
      'Pattern [a)(b] of type [regex] is invalid. Cannot create dynamic template [t].',
    ],
  ])('refuse %j as no parameter', async (mappings, reason) => {
    expect(await errorOf(mappings)).toEqual([
      'illegal_argument_exception',
      `Failed to parse mapping [_doc]: ${reason}`,
    ])
  })

  it('match names by simple patterns and regular expressions', async () => {
    const mappings = {
      date_detection: false,
      dynamic_templates: [
        {
          words: {
            match: '^w\\d+|v',
            unmatch: 'w0.*',
            match_pattern: 'regex',
            mapping: { type: 'keyword' },
          },
        },
        { paths: { path_match: 'o.*', path_unmatch: '*.no', mapping: { index: false } } },
        { rest: { match_mapping_type: 'string', mapping: { type: 'text', norms: false } } },
      ],
    }
    expect(
      await mapped(mappings, { w1: 'x', w01: 'x', vw: 'x', v: 'x', o: { a: 1, no: 2, s: 'x' } }),
    ).toEqual({
      w1: { type: 'keyword' },
      w01: { type: 'text', norms: false },
      vw: { type: 'text', norms: false },
      v: { type: 'keyword' },
      o: {
        properties: {
          a: { type: 'long', index: false },
          no: { type: 'long' },
          s: { type: 'text', index: false },
        },
      },
    })
  })

  it('fill in names and types anywhere', async () => {
    const mappings = {
      dynamic_templates: [
        {
          all: {
            match_mapping_type: '*',
            unmatch: 'date',
            mapping: { type: '{dynamic_type}', meta: { of: '{name}', type: '{dynamic_type}' } },
          },
        },
      ],
    }
    expect(await mapped(mappings, { s: 'x', l: 1, d: 1.5, b: true, date: '2020-01-01' })).toEqual({
      s: { type: 'text', meta: { of: 's', type: 'text' } },
      l: { type: 'long', meta: { of: 'l', type: 'long' } },
      d: { type: 'float', meta: { of: 'd', type: 'float' } },
      b: { type: 'boolean', meta: { of: 'b', type: 'boolean' } },
      date: { type: 'date' },
    })
  })

  it('make objects nested, but not through dots or copies', async () => {
    const mappings = {
      dynamic_templates: [
        { all: { match_mapping_type: 'object', match: 'n*', mapping: { type: 'nested' } } },
      ],
    }
    expect(await mapped(mappings, { n: [{ x: 1 }, { y: { z: 2 } }] })).toEqual({
      n: {
        type: 'nested',
        properties: { x: { type: 'long' }, y: { properties: { z: { type: 'long' } } } },
      },
    })
    const index = `t${next++}`
    await rest.call(`PUT /${index}`, { mappings })
    const { json } = await rest.call(`PUT /${index}/_doc/1`, { 'n.x': 1 })
    expect([json.error.type, json.error.reason]).toEqual([
      'mapper_parsing_exception',
      'It is forbidden to create dynamic nested objects ([n]) through `copy_to` or dots in field ' +
        'names',
    ])
  })

  it('print in one order, and warn where nothing can be mapped by them', async () => {
    const index = `t${next++}`
    const { status, headers } = await rest.call(`PUT /${index}`, {
      mappings: {
        dynamic_templates: [
          {
            any: {
              mapping: { type: 'keyword', ignore_above: 5 },
              match_mapping_type: '*',
              match_pattern: 'simple',
            },
          },
          {
            many: {
              match_pattern: 'regex',
              unmatch: 'b',
              path_match: 'c',
              match: 'a',
              match_mapping_type: 'string',
              mapping: { type: 'text' },
            },
          },
          { bad: { match: '*', mapping: { type: 'keyword', wat: true } } },
          { late: { match: '*', mapping: { type: '{name}', wat: true } } },
        ],
      },
    })
    expect(status).toBe(200)
    expect(headers['warning']).toContain(
      'dynamic template [bad] has invalid content [{\\"match\\":\\"*\\",\\"mapping\\":' +
        '{\\"type\\":\\"keyword\\",\\"wat\\":true}}], caused by [unknown parameter [wat] on ' +
        'mapper [__dynamic__bad] of type [keyword]]',
    )
    expect(headers['warning']).not.toContain('[late]')
    const { json } = await rest.call(`GET /${index}/_mapping`)
    expect(JSON.stringify(json[index].mappings.dynamic_templates.slice(0, 2))).toBe(
      '[{"any":{"match_mapping_type":"*","mapping":{"ignore_above":5,"type":"keyword"}}},' +
        '{"many":{"match":"a","path_match":"c","unmatch":"b","match_mapping_type":"string",' +
        '"match_pattern":"regex","mapping":{"type":"text"}}}]',
    )
  })
})

describe('the dynamic setting', () => {
  const templates = [{ k: { match: 'k*', mapping: { type: 'keyword' } } }]
  const put = async (dynamic: unknown, source: object, properties = {}): Promise<string[]> => {
    const index = `t${next++}`
    await rest.call(`PUT /${index}`, {
      mappings: { dynamic, dynamic_templates: templates, properties },
    })
    const { json } = await rest.call(`PUT /${index}/_doc/1`, source)
    if (json.error !== undefined) return [json.error.type, json.error.reason]
    const { json: shown } = await rest.call(`GET /${index}/_mapping`)
    expect(shown[index].mappings.dynamic).toBe(String(dynamic))
    return Object.keys(shown[index].mappings.properties ?? {})
  }

  it('adds, ignores or refuses what is new', async () => {
    expect(await put(true, { k: 1, x: 1 })).toEqual(['k', 'x'])
    expect(await put(false, { k: 1, x: 1 })).toEqual([])
    expect(await put('false_allow_templates', { k: 1, x: 1, o: { k: 1 } })).toEqual(['k'])
    expect(await put('strict_allow_templates', { k: 1 })).toEqual(['k'])
    expect(await put('strict', { k: 1 })).toEqual([
      'strict_dynamic_mapping_exception',
      'mapping set to strict, dynamic introduction of [k] within [_doc] is not allowed',
    ])
    expect(await put('strict_allow_templates', { k: 1, x: 1 })).toEqual([
      'strict_dynamic_mapping_exception',
      'mapping set to strict_allow_templates, dynamic introduction of [x] within [_doc] is not ' +
        'allowed',
    ])
  })

  it('says nothing of nulls and empty lists, unless it is strict', async () => {
    expect(await put(true, { a: null, b: [] })).toEqual([])
    expect((await put('strict', { a: null }))[0]).toBe('strict_dynamic_mapping_exception')
  })

  it('is inherited by objects, and their own goes first', async () => {
    const properties = { o: { properties: { p: { dynamic: true, properties: {} } } } }
    expect(await put('strict', { o: { p: { x: 1 } } }, properties)).toEqual(['o'])
    expect(await put('strict', { o: { x: 1 } }, properties)).toEqual([
      'strict_dynamic_mapping_exception',
      'mapping set to strict, dynamic introduction of [x] within [o] is not allowed',
    ])
  })
})

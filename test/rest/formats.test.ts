import { decode, encode } from 'cborg'
import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { cbor } from '../../src/rest/format/cbor.ts'
import { yaml } from '../../src/rest/format/yaml.ts'
import { decodeUtf8, encodeUtf8 } from '../../src/util/bytes.ts'
import { parseJsonTree } from '../../src/util/json/json-tree.ts'
import { openRest, type Rest } from '../support/rest-calls.ts'

let rest: Rest
beforeAll(async () => {
  rest = await openRest()
})
afterAll(() => rest.close())
beforeEach(() => rest.call('DELETE /*'))

const YAML = { 'content-type': 'application/yaml' }
const CBOR = { 'content-type': 'application/cbor' }

/** A response's body before it is read as text. */
const bytesOf = async (path: string, headers: Record<string, string>) => {
  const {
    status,
    headers: got,
    body,
  } = await rest.dispatcher.dispatch({ method: 'GET', path, headers })
  return { status, type: got['content-type'], body }
}

describe('a body in YAML', () => {
  it('is a document like one in JSON, to the digits of its numbers', async () => {
    const body =
      'title: "yes"\nn: 1.0\nbig: 1234567890123456789\nt: true\nnone: ~\nl:\n- a\n- b\no: {x: 1}\n'
    const put = await rest.call('PUT /i/_doc/1', body, YAML)
    expect(put.status).toBe(201)
    const source = await rest.call('GET /i/_source/1')
    expect(source.text).toBe(
      '{"title":"yes","n":1.0,"big":1234567890123456789,"t":true,"none":null,"l":["a","b"],"o":{"x":1}}',
    )
  })

  it('is answered in YAML, unless another format is asked for', async () => {
    const first = await rest.call('PUT /i', 'settings:\n  number_of_shards: 1\n', YAML)
    expect(first.headers['content-type']).toBe('application/yaml')
    expect(first.text).toBe('---\nacknowledged: true\nshards_acknowledged: true\nindex: "i"\n')
    const second = await rest.call('POST /i/_search', 'size: 0\n', {
      ...YAML,
      accept: 'application/json',
    })
    expect(second.json.hits.total.value).toBe(0)
  })

  it.each([
    ['a: *x', /Failed to parse YAML: .*alias/i],
    ['a: 1\na: 2', /^Failed to parse YAML: duplicate key \[a\]$/],
    ['a: .nan', /the number \[\.nan\] has no counterpart in JSON/],
    ['? [1]\n: 2', /a key is no scalar/],
    ['a: [', /^Failed to parse YAML: /],
    ['--- 1\n--- 2', /^Failed to parse YAML: /],
  ])('is refused: %j', async (body, reason) => {
    const { status, text } = await rest.call('POST /i/_search?format=json', body, YAML)
    const { error } = JSON.parse(text)
    expect([status, error.type]).toEqual([400, 'parse_exception'])
    expect(error.reason).toMatch(reason)
  })

  it('is refused when it is nested too deeply, or too long to be read in one go', async () => {
    const nested = (open: string, close: string, count: number): string =>
      `${open.repeat(count)}1${close.repeat(count)}`
    for (const text of [
      '['.repeat(20_000),
      '{a: '.repeat(20_000),
      nested('[', ']', 1500),
      nested('[', ']', 1001),
      nested('- ', '', 20_000),
      nested('? ', '', 20_000),
      nested('{? [', '', 20_000),
      Array.from({ length: 600 }, (_, i) => `${' '.repeat(i)}a:`).join('\n') +
        nested(' - ', '', 20_000),
    ]) {
      const { status, json } = await rest.call('POST /i/_search?format=json', text, YAML)
      expect([text.slice(0, 9), status, json.error.type]).toEqual([
        text.slice(0, 9),
        400,
        'parse_exception',
      ])
    }
    const most = nested('{"a": ', '}', 1000)
    const { json } = await rest.call('PUT /i/_doc/1?format=json', most, YAML)
    expect(JSON.stringify(json)).not.toContain('levels')
    const long = await rest.call('POST /i/_search?format=json', `a: ${'x'.repeat(300_000)}`, YAML)
    expect([long.status, long.json.error.type]).toEqual([413, 'content_too_long_exception'])
    expect(long.json.error.reason).toBe(
      'a body in yaml of [300003] bytes is too long, the limit is [262144]: use JSON, which has none of its own',
    )
  })
})

describe('a response of many levels', () => {
  const sourceOf = (levels: number): string => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`

  it.each(['yaml', 'cbor'])('is refused in %s, and told in JSON', async format => {
    await rest.call('PUT /deep', { mappings: { enabled: false } })
    await rest.call('PUT /deep/_doc/1', sourceOf(900))
    await rest.call('PUT /deep/_doc/2', sourceOf(290))
    const { status, text } = await rest.call(`GET /deep/_doc/1?format=${format}`)
    expect([status, text]).toEqual([
      413,
      expect.stringContaining(
        'of more than [300] levels is too long, the limit is [300]: use JSON',
      ),
    ])
    expect((await rest.call(`GET /deep/_doc/2?format=${format}`)).status).toBe(200)
    expect((await rest.call('GET /deep/_doc/1')).status).toBe(200)
  })
})

describe('a body in CBOR', () => {
  it('is a document like one in JSON', async () => {
    const bytes = encode({
      a: 'x',
      n: 3,
      f: 1.5,
      big: 2n ** 60n,
      l: [null, true],
      b: encodeUtf8('hi'),
    })
    const put = await rest.call('PUT /i/_doc/1?format=json', bytes, CBOR)
    expect(put.status).toBe(201)
    const { json, text } = await rest.call('GET /i/_source/1')
    expect(json).toMatchObject({ a: 'x', n: 3, f: 1.5, l: [null, true], b: 'aGk=' })
    expect(text).toContain('"big":1152921504606846976')
  })

  it('may have lists and objects without a length, and tags', async () => {
    // 55799({_ "a": [_ 1.0, 2]})
    const bytes = Uint8Array.from(Buffer.from('d9d9f7bf61619ff93c0002ffff', 'hex'))
    await rest.call('PUT /i/_doc/1?format=json', bytes, CBOR)
    expect((await rest.call('GET /i/_source/1')).text).toBe('{"a":[1.0,2]}')
  })

  it.each([
    ['', 'a1', 'it ends within a value'],
    ['two values', '0101', 'bytes behind the value'],
    ['a number as key', 'a10102', 'a key is no text'],
    ['a name twice', 'a2616101616102', 'duplicate key [a]'],
    ['infinity', 'f97c00', 'the number [Infinity] has no counterpart in JSON'],
    ['a break', 'ff', 'a break outside of a list'],
    ['a break in a list of two', '8201ff', 'a break outside of a list'],
  ])('is refused: %s', async (_name, hex, reason) => {
    const bytes = Uint8Array.from(Buffer.from(hex, 'hex'))
    const { status, json } = await rest.call('POST /i/_search?format=json', bytes, CBOR)
    expect([status, json.error.type, json.error.reason]).toEqual([
      400,
      'parse_exception',
      `Failed to parse CBOR: ${reason}`,
    ])
  })

  it('of any bytes is read or refused', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 64 }), bytes => {
        try {
          parseJsonTree(cbor.toJson(bytes))
        } catch (error) {
          expect(error).toMatchObject({ type: expect.stringMatching(/parse_exception$/) })
        }
      }),
      { numRuns: 2000 },
    )
  })
})

describe('an answer', () => {
  it('comes in YAML, by Accept or by parameter', async () => {
    await rest.call('PUT /i/_doc/1?refresh=true', { a: 'b: c', e: {}, l: [] })
    const byHeader = await bytesOf('/i/_search', { accept: 'application/yaml' })
    expect([byHeader.status, byHeader.type]).toEqual([200, 'application/yaml'])
    const text = decodeUtf8(byHeader.body)
    expect(text).toMatch(/^---\ntook: \d+\ntimed_out: false\n/)
    expect(text).toContain('max_score: 1.0\n')
    expect(parse(text).hits.hits[0]._source).toEqual({ a: 'b: c', e: {}, l: [] })
    const byName = await rest.call('GET /?format=yaml&filter_path=version.number')
    expect(byName.text).toBe('---\nversion:\n  number: "3.6.0"\n')
  })

  it('comes in CBOR, errors too', async () => {
    const found = await bytesOf('/_cluster/health?filter_path=status', {
      accept: 'application/cbor',
    })
    expect(found.type).toBe('application/cbor')
    expect(decode(found.body)).toEqual({ status: 'green' })
    const failed = await bytesOf('/none/_search', { accept: 'application/cbor' })
    expect(failed.status).toBe(404)
    expect(decode(failed.body).error.type).toBe('index_not_found_exception')
  })

  it('of a table comes as rows', async () => {
    await rest.call('PUT /i')
    const { text } = await rest.call('GET /_cat/indices?format=yaml&h=index,pri')
    expect(text).toBe('---\n- index: "i"\n  pri: "1"\n')
  })

  it('to HEAD has the length of the GET', async () => {
    const get = await bytesOf('/?filter_path=name', { accept: 'application/yaml' })
    const head = await rest.dispatcher.dispatch({
      method: 'HEAD',
      path: '/?filter_path=name',
      headers: { accept: 'application/yaml' },
    })
    expect(head.body).toHaveLength(0)
    expect(head.headers['content-length']).toBe(String(get.body.length))
  })

  it('gives any JSON value back, in both formats', () => {
    fc.assert(
      fc.property(fc.json(), text => {
        const bytes = encodeUtf8(text)
        const value = JSON.parse(decodeUtf8(yaml.toJson(yaml.fromJson(parseJsonTree(bytes)))))
        expect(value).toEqual(JSON.parse(text))
        const again = JSON.parse(decodeUtf8(cbor.toJson(cbor.fromJson(parseJsonTree(bytes)))))
        expect(again).toEqual(JSON.parse(text))
      }),
    )
  })
})

describe('smile', () => {
  it.each([
    ['GET /?format=smile', undefined, {}],
    ['GET /', undefined, { accept: 'application/smile' }],
    ['POST /i/_search', 'x', { 'content-type': 'application/smile' }],
  ])('is refused: %s %s %j', async (line, body, headers) => {
    const { status, json } = await rest.call(line, body, headers as Record<string, string>)
    expect([status, json.error.reason]).toEqual([
      406,
      '[smile] is not supported: use [json], [yaml] or [cbor]',
    ])
  })
})

describe('a bulk', () => {
  it.each(['application/yaml', 'application/cbor'])('is no stream in %s', async type => {
    const { status, json } = await rest.call('POST /_bulk?format=json', 'x', {
      'content-type': type,
    })
    expect([status, json.error]).toEqual([
      406,
      `Content-Type [${type}] does not support stream parsing. Use JSON or NDJSON instead`,
    ])
  })
})

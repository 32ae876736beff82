import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openRest, type Rest } from '../../support/rest-calls.ts'

let rest: Rest
beforeAll(async () => {
  rest = await openRest()
})
afterAll(() => rest.close())

/** What a script makes of a source, or why it does not. */
async function run(source: string, document: object): Promise<unknown> {
  const { json } = await rest.call('POST /_ingest/pipeline/_simulate', {
    pipeline: { processors: [{ script: { source } }] },
    docs: [{ _source: document }],
  })
  const error = json.error ?? json.docs[0].error
  return error === undefined
    ? json.docs[0].doc._source
    : [error.type, error.caused_by.type, error.caused_by.reason]
}

describe('Processors', () => {
  it.each<[string, object, unknown]>([
    ['ctx.b = Processors.bytes(ctx.a)', { a: '1kb' }, { a: '1kb', b: 1024 }],
    ['ctx.b = Processors.lowercase(ctx.a)', { a: 'FooBÄr' }, { a: 'FooBÄr', b: 'foobär' }],
    ['ctx.b = Processors.uppercase(ctx.a)', { a: 'FooBar' }, { a: 'FooBar', b: 'FOOBAR' }],
    [
      'ctx.b = Processors.urlDecode(ctx.a)',
      { a: 'a+b%20%C3%A4' },
      { a: 'a+b%20%C3%A4', b: 'a b ä' },
    ],
    [
      'ctx.b = Processors.json(ctx.a)',
      { a: '{"x":[1,"y"]}' },
      { a: '{"x":[1,"y"]}', b: { x: [1, 'y'] } },
    ],
    ['ctx.b = Processors.json(null)', {}, { b: null }],
    ["Processors.json(ctx, 'a')", { a: '{"x":1}' }, { a: '{"x":1}', x: 1 }],
  ])('%s', async (source, before, after) => {
    expect(await run(source, before)).toEqual(after)
  })

  it.each<[string, object, unknown]>([
    [
      'Processors.bytes(ctx.a)',
      { a: 'x' },
      [
        'script_exception',
        'parse_exception',
        'failed to parse setting [Ingest Field] with value [x] as a size in bytes: unit is missing or unrecognized',
      ],
    ],
    [
      "Processors.json(ctx, 'a')",
      { a: '[1]' },
      [
        'script_exception',
        'illegal_argument_exception',
        'cannot add non-map fields to root of document',
      ],
    ],
    [
      'Processors.urlDecode(ctx.a)',
      { a: '%' },
      [
        'script_exception',
        'illegal_argument_exception',
        'URLDecoder: Incomplete trailing escape (%) pattern',
      ],
    ],
    [
      'Processors.lowercase(ctx.a)',
      {},
      ['script_exception', 'null_pointer_exception', 'argument [1] must not be null'],
    ],
    [
      'Processors.nope(1)',
      {},
      [
        'script_exception',
        'illegal_argument_exception',
        'method [org.opensearch.ingest.common.Processors, nope/1] not found',
      ],
    ],
  ])('%s of %j fails', async (source, before, error) => {
    expect(await run(source, before)).toEqual(error)
  })

  it('is a class of pipelines alone', async () => {
    const { status, json } = await rest.call('POST /_scripts/painless/_execute', {
      script: "Processors.bytes('1kb')",
    })
    expect([status, json.error.caused_by.reason]).toEqual([
      400,
      'cannot resolve symbol [Processors]',
    ])
  })
})

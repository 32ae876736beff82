import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Answered, openRest, type Rest } from '../../support/rest-calls.ts'

let rest: Rest
beforeAll(async () => {
  rest = await openRest()
  await rest.call('PUT /_ingest/pipeline/kept', { processors: [{ drop: {} }] })
})
afterAll(() => rest.close())

describe('a pipeline that is refused', () => {
  const put = (body: object): Promise<Answered> => rest.call('PUT /_ingest/pipeline/p', body)

  it.each([
    ['nope', {}, null, 'No processor type exists with name [nope]'],
    ['user_agent', { field: 'a' }, null, 'No processor type exists with name [user_agent]'],
    ['set', { field: 'a' }, 'value', '[value] required property is missing'],
    [
      'set',
      { field: 1, value: 1 },
      'field',
      "[field] property isn't a string, but of type [java.lang.Integer]",
    ],
    [
      'set',
      { field: 'a', value: 1, override: 'yes' },
      'override',
      "[override] property isn't a boolean, but of type [java.lang.String]",
    ],
    [
      'set',
      { field: 'a', value: 1, x: 1 },
      null,
      "processor [set] doesn't support one or more provided configuration parameters [x]",
    ],
    ['set', { field: '_ingest.', value: 1 }, 'field', '[field] path [_ingest.] is not valid'],
    ['drop', { on_failure: [] }, 'on_failure', '[on_failure] processors list cannot be empty'],
    [
      'convert',
      { field: 'a', type: 'x' },
      'type',
      '[type] type [x] not supported, cannot convert field.',
    ],
    [
      'foreach',
      { field: 'a', processor: {} },
      'processor',
      '[processor] Must specify exactly one processor type',
    ],
    [
      'grok',
      { field: 'a', patterns: ['%{NOPE}'] },
      'patterns',
      "[patterns] Invalid regex pattern found in: [%{NOPE}]. Unable to find pattern [NOPE] in Grok's pattern dictionary",
    ],
  ])('for %s with %j', async (type, options, property, reason) => {
    const { status, json } = await put({ processors: [{ [type]: { tag: 't', ...options } }] })
    const error = {
      type: 'parse_exception',
      reason,
      processor_type: type,
      processor_tag: 't',
      ...(property === null ? {} : { property_name: property }),
    }
    expect([status, json.error]).toEqual([400, { root_cause: [error], ...error }])
  })

  it.each([
    [{}, '[processors] required property is missing'],
    [{ processors: {} }, "[processors] property isn't a list, but of type [java.util.HashMap]"],
    [
      { processors: [], on_failure: [] },
      'pipeline [p] cannot have an empty on_failure option defined',
    ],
    [
      { processors: [], x: 1 },
      "pipeline [p] doesn't support one or more provided configuration parameters [x]",
    ],
  ])('for %j', async (body, reason) => {
    const { status, json } = await put(body)
    expect([status, json.error.type, json.error.reason]).toEqual([400, 'parse_exception', reason])
  })

  it('for a script that does not compile, and for templates', async () => {
    const script = await put({ processors: [{ script: { source: 'ctx.a = x', tag: 't' } }] })
    expect([script.status, script.json.error]).toMatchObject([
      400,
      { type: 'script_exception', reason: 'compile error', processor_type: 'script' },
    ])
    const template = await put({
      processors: [{ set: { field: 'a', value: '{{#toJson}}{{a}}{{/toJson}}' } }],
    })
    expect([template.status, template.json.error]).toMatchObject([
      400,
      {
        type: 'script_exception',
        reason:
          'Mustache function [toJson] must contain one and only one identifier @[query-template:1]',
        processor_type: 'set',
        property_name: 'value',
      },
    ])
    const gone = await rest.call('GET /_ingest/pipeline/p')
    expect([gone.status, gone.text]).toEqual([404, '{}'])
  })
})

describe('a document that a processor fails on', () => {
  const ILLEGAL = 'illegal_argument_exception'
  const kv = { field: 'a', field_split: ' ', value_split: '=' }
  const AT = '@timestamp'

  it.each<[string, object, object, string, string?]>([
    ['trim', { field: 'a.b' }, { a: {} }, 'field [b] not present as part of path [a.b]'],
    ['trim', { field: 'a.b' }, { a: null }, 'cannot resolve [b] from null as part of path [a.b]'],
    [
      'trim',
      { field: 'a.b' },
      { a: 'x' },
      'cannot resolve [b] from object of type [java.lang.String] as part of path [a.b]',
    ],
    [
      'trim',
      { field: 'a.x' },
      { a: [1] },
      '[x] is not an integer, cannot be used as an index as part of path [a.x]',
    ],
    [
      'trim',
      { field: 'a.3' },
      { a: [1] },
      '[3] is out of bounds for array with length [1] as part of path [a.3]',
    ],
    [
      'trim',
      { field: 'a' },
      { a: 1 },
      'field [a] of type [java.lang.Integer] cannot be cast to [java.lang.String]',
    ],
    ['trim', { field: 'a' }, { a: null }, 'field [a] is null, cannot process it.'],
    ['remove', { field: '_index' }, {}, 'cannot remove metadata field [_index]'],
    ['remove', { field: 'a' }, {}, "field [a] doesn't exist"],
    ['rename', { field: 'a', target_field: 'b' }, {}, "field [a] doesn't exist"],
    ['rename', { field: 'a', target_field: 'b' }, { a: 1, b: 1 }, 'field [b] already exists'],
    ['copy', { source_field: 'a', target_field: 'b' }, {}, "source field [a] doesn't exist"],
    ['fail', { message: 'no {{a}}' }, { a: 'x' }, 'no x', 'fail_processor_exception'],
    [
      'grok',
      { field: 'a', patterns: ['%{NUMBER:n}'] },
      { a: 'y' },
      'Provided Grok expressions do not match field value: [y]',
    ],
    [
      'dissect',
      { field: 'a', pattern: '%{x},%{y}' },
      { a: 'x y' },
      'Unable to find match for dissect pattern: %{x},%{y} against source: x y',
    ],
    [
      'dot_expander',
      { field: 'a.b' },
      { 'a.b': 1, a: 'x' },
      'cannot expend [a.b], because [a] is not an object field, but a value field',
    ],
    [
      'bytes',
      { field: 'a' },
      { a: 'x' },
      'failed to parse setting [Ingest Field] with value [x] as a size in bytes: unit is missing or unrecognized',
      'parse_exception',
    ],
    ['date', { field: 'a', formats: ['yyyy'] }, { a: 'x' }, 'unable to parse date [x]'],
    [
      'date_index_name',
      { field: AT, date_rounding: 'd' },
      { [AT]: 'x' },
      'unable to parse date [x]',
    ],
    ['convert', { field: 'a', type: 'integer' }, { a: 'x' }, 'unable to convert [x] to integer'],
    ['convert', { field: 'a', type: 'long' }, { a: '1.5' }, 'unable to convert [1.5] to long'],
    [
      'convert',
      { field: 'a', type: 'boolean' },
      { a: 'yes' },
      '[yes] is not a boolean value, cannot convert to boolean',
    ],
    [
      'json',
      { field: 'a', add_to_root: true },
      { a: '[1]' },
      'cannot add non-map fields to root of document',
    ],
    ['kv', kv, { a: 'x' }, 'field [a] does not contain value_split [=]'],
    ['split', { field: 'a', separator: ',' }, { a: null }, 'field [a] is null, cannot split.'],
    [
      'join',
      { field: 'a', separator: ',' },
      { a: 'x' },
      'field [a] of type [java.lang.String] cannot be cast to [java.util.List]',
    ],
    [
      'sort',
      { field: 'a' },
      { a: [1, 'x'] },
      'class java.lang.String cannot be cast to class java.lang.Integer',
    ],
    ['csv', { field: 'a', target_fields: ['x'] }, { a: '"b' }, 'Unmatched quote'],
    [
      'urldecode',
      { field: 'a' },
      { a: '%4' },
      'URLDecoder: Incomplete trailing escape (%) pattern',
    ],
    [
      'foreach',
      { field: 'a', processor: { drop: {} } },
      { a: null },
      'field [a] is null, cannot loop over its elements.',
    ],
    [
      'pipeline',
      { name: 'none' },
      {},
      'Pipeline processor configured for non-existent pipeline [none]',
      'illegal_state_exception',
    ],
  ])('%s %j', async (type, options, _source, reason, errorType = ILLEGAL) => {
    const error = { type: errorType, reason }
    const pipeline = { processors: [{ [type]: options }] }
    const simulated = await rest.call('POST /_ingest/pipeline/_simulate', {
      pipeline,
      docs: [{ _source }],
    })
    expect(simulated.json.docs).toMatchObject([{ error: { root_cause: [error], ...error } }])
    // What is written fails in the same way; only what a pipeline fails for of its own will is none of the caller's.
    expect((await rest.call('PUT /_ingest/pipeline/failing', pipeline)).status).toBe(200)
    const put = await rest.call('PUT /i/_doc/1?pipeline=failing', _source)
    expect([put.status, put.json.error.type, put.json.error.reason]).toEqual([
      type === 'fail' ? 500 : 400,
      errorType,
      reason,
    ])
    expect((await rest.call('HEAD /i')).status).toBe(404)
  })

  it('in its condition, which may change nothing', async () => {
    const { json } = await rest.call('POST /_ingest/pipeline/_simulate', {
      pipeline: { processors: [{ set: { if: 'ctx.a = 1; return true', field: 'b', value: 1 } }] },
      docs: [{ _source: {} }],
    })
    expect(json.docs[0].error).toMatchObject({
      type: 'script_exception',
      caused_by: {
        type: 'unsupported_operation_exception',
        reason: 'Mutating ingest documents in conditionals is not supported',
      },
    })
  })

  it('in a script that makes the document hold itself', async () => {
    const { json } = await rest.call('POST /_ingest/pipeline/_simulate', {
      pipeline: { processors: [{ script: 'ctx.self = ctx' }] },
      docs: [{ _source: {} }],
    })
    expect(json.docs[0].error).toMatchObject({
      type: 'illegal_argument_exception',
      reason: 'Iterable object is self-referencing itself',
    })
  })
})

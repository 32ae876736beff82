import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Answered, openRest, type Rest } from '../../support/rest-calls.ts'

let rest: Rest
beforeAll(async () => {
  rest = await openRest()
})
afterAll(() => rest.close())

const docs = (...sources: object[]): object[] => sources.map(_source => ({ _source }))
const simulate = (processors: object[], given: object[], query = ''): Promise<Answered> =>
  rest.call(`POST /_ingest/pipeline/_simulate${query}`, { pipeline: { processors }, docs: given })
const timestamp = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+Z$/)

describe('a simulation', () => {
  it('shows documents, failures and dropped ones', async () => {
    const processors = [
      { uppercase: { field: 'a', on_failure: [{ drop: {} }] } },
      { trim: { field: 'b' } },
    ]
    const { json } = await simulate(processors, docs({ a: 'x', b: ' y' }, { a: 'x' }, { b: 'x' }))
    const error = {
      type: 'illegal_argument_exception',
      reason: 'field [b] not present as part of path [b]',
    }
    expect(json).toEqual({
      docs: [
        {
          doc: {
            _index: '_index',
            _id: '_id',
            _source: { a: 'X', b: 'y' },
            _ingest: { timestamp },
          },
        },
        { error: { root_cause: [error], ...error } },
        null,
      ],
    })
  })

  it('shows the metadata that a document has', async () => {
    const given = {
      _index: 'i',
      _id: 7,
      _routing: 'r',
      _version: 3,
      _version_type: 'external',
      _if_seq_no: 1,
      _if_primary_term: 2,
      _source: {},
    }
    const { json } = await simulate(
      [{ set: { field: 'a', value: '{{_index}}/{{_id}}/{{_routing}}' } }],
      [given],
    )
    expect(json.docs[0].doc).toEqual({
      _index: 'i',
      _id: '7',
      _routing: 'r',
      _version: '3',
      _version_type: 'external',
      _if_seq_no: '1',
      _if_primary_term: '2',
      _source: { a: 'i/7/r' },
      _ingest: { timestamp },
    })
  })

  it('runs a stored pipeline', async () => {
    await rest.call('PUT /_ingest/pipeline/stored', {
      processors: [{ set: { field: 'a', value: 1 } }],
    })
    for (const method of ['GET', 'POST']) {
      const { json } = await rest.call(`${method} /_ingest/pipeline/stored/_simulate`, {
        docs: docs({}),
      })
      expect(json.docs[0].doc._source).toEqual({ a: 1 })
    }
    const missing = await rest.call('POST /_ingest/pipeline/none/_simulate', { docs: docs({}) })
    expect([missing.status, missing.json.error.type, missing.json.error.reason]).toEqual([
      400,
      'illegal_argument_exception',
      'pipeline [none] does not exist',
    ])
  })

  it.each([
    [{ docs: [] }, 'parse_exception', '[pipeline] required property is missing'],
    [{ pipeline: { processors: [] } }, 'parse_exception', '[docs] required property is missing'],
    [
      { pipeline: { processors: [] }, docs: {} },
      'parse_exception',
      "[docs] property isn't a list, but of type [java.util.HashMap]",
    ],
    [
      { pipeline: { processors: [] }, docs: [] },
      'illegal_argument_exception',
      'must specify at least one document in [docs]',
    ],
    [
      { pipeline: { processors: [] }, docs: [1] },
      'parse_exception',
      "[docs] property isn't a map, but of type [java.lang.Integer]",
    ],
    [
      { pipeline: { processors: [] }, docs: [{}] },
      'parse_exception',
      '[_source] required property is missing',
    ],
    [
      { pipeline: { processors: [] }, docs: [{ _source: {}, _id: {} }] },
      'parse_exception',
      "[_id] property isn't a string or int, but of type [java.util.HashMap]",
    ],
    [
      { pipeline: { processors: [] }, docs: [{ _source: {}, _version: 'x' }] },
      'illegal_argument_exception',
      'Failed to parse parameter [_version], only int or long is accepted',
    ],
    [
      { pipeline: { processors: [] }, docs: [{ _source: {}, _if_seq_no: 'x' }] },
      'illegal_argument_exception',
      'Failed to parse parameter [_if_seq_no], only int or long is accepted',
    ],
    [
      { pipeline: { processors: [] }, docs: [{ _source: {}, _version_type: 'x' }] },
      'illegal_argument_exception',
      'No version type match [x]',
    ],
    [
      { pipeline: [], docs: [] },
      'parse_exception',
      "[pipeline] property isn't a map, but of type [java.util.ArrayList]",
    ],
    [
      { pipeline: { processors: [{ set: {} }] }, docs: docs({}) },
      'parse_exception',
      '[field] required property is missing',
    ],
  ])('refuses %j', async (body, type, reason) => {
    const answer = await rest.call('POST /_ingest/pipeline/_simulate', body)
    expect([answer.status, answer.json.error.type, answer.json.error.reason]).toEqual([
      400,
      type,
      reason,
    ])
  })

  it('foreach leaves a trace in _ingest', async () => {
    const foreach = { field: 'a', processor: { uppercase: { field: '_ingest._value' } } }
    const { json } = await simulate([{ foreach }], docs({ a: ['x'] }))
    expect(json.docs[0].doc._ingest).toEqual({ timestamp, _value: null })
  })

  it('tells which expression of grok matched', async () => {
    const grok = {
      field: 'f',
      patterns: ['%{ONE:one}', '%{TWO:two}'],
      pattern_definitions: { ONE: '1', TWO: '2' },
      trace_match: true,
    }
    const { json } = await simulate([{ grok }], docs({ f: 'abc2xyz' }))
    expect(json.docs[0].doc).toMatchObject({
      _source: { f: 'abc2xyz', two: '2' },
      _ingest: { timestamp, _grok_match_index: '1' },
    })
  })
})

describe('a verbose simulation', () => {
  it('shows the document behind each processor', async () => {
    const processors = [
      { set: { field: 'a', value: 1, tag: 't', description: 'd' } },
      { fail: { message: 'no', ignore_failure: true } },
      { rename: { field: 'x', target_field: 'y' } },
      { set: { field: 'never', value: 1 } },
    ]
    const { json } = await simulate(processors, docs({}), '?verbose=true')
    const _ingest = { timestamp, pipeline: '_simulate_pipeline' }
    const doc = { _index: '_index', _id: '_id', _source: { a: 1 }, _ingest }
    const error = (type: string, reason: string): object => ({
      root_cause: [{ type, reason }],
      type,
      reason,
    })
    expect(json.docs[0].processor_results).toEqual([
      { processor_type: 'set', status: 'success', description: 'd', tag: 't', doc },
      {
        processor_type: 'fail',
        status: 'error_ignored',
        ignored_error: { error: error('fail_processor_exception', 'no') },
        doc,
      },
      {
        processor_type: 'rename',
        status: 'error',
        error: error('illegal_argument_exception', "field [x] doesn't exist"),
      },
    ])
  })

  it('shows handlers, and where a document was dropped', async () => {
    const processors = [
      { fail: { message: 'no', on_failure: [{ set: { field: 'a', value: 1 } }, { drop: {} }] } },
      { trim: { field: 'a' } },
    ]
    const { json } = await simulate(processors, docs({}), '?verbose')
    expect(json.docs[0].processor_results).toMatchObject([
      { processor_type: 'fail', status: 'error' },
      { processor_type: 'set', status: 'success', doc: { _ingest: { on_failure_message: 'no' } } },
      { processor_type: 'drop', status: 'dropped' },
    ])
  })

  it('shows a pipeline within, and then its processors', async () => {
    await rest.call('PUT /_ingest/pipeline/inner', {
      processors: [{ set: { field: 'a', value: 1 } }],
    })
    const { json } = await simulate([{ pipeline: { name: 'inner' } }], docs({}), '?verbose')
    const [outer, inner] = json.docs[0].processor_results
    expect(outer).toEqual({ processor_type: 'pipeline', status: 'success' })
    expect(inner).toMatchObject({ processor_type: 'set', doc: { _ingest: { pipeline: 'inner' } } })
  })

  it('shows one error where pipelines lead back to themselves', async () => {
    await rest.call('PUT /_ingest/pipeline/outer', { processors: [{ pipeline: { name: 'back' } }] })
    await rest.call('PUT /_ingest/pipeline/back', { processors: [{ pipeline: { name: 'outer' } }] })
    const { json } = await simulate([{ pipeline: { name: 'outer' } }], docs({}), '?verbose')
    expect(json.docs[0].processor_results).toMatchObject([
      {
        processor_type: 'pipeline',
        status: 'error',
        error: { type: 'illegal_state_exception', reason: 'Cycle detected for pipeline: outer' },
      },
    ])
  })

  it('shows a missing pipeline as an error', async () => {
    const { json } = await simulate([{ pipeline: { name: 'none' } }], docs({}), '?verbose')
    expect(json.docs[0].processor_results).toMatchObject([
      {
        status: 'error',
        error: { reason: 'Pipeline processor configured for non-existent pipeline [none]' },
      },
    ])
  })
})

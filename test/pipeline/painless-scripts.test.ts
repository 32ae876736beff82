import { describe, expect, it } from 'vitest'
import { ProcessorFailure } from '../../src/pipeline/processor-failure.ts'
import { EngineError } from '../../src/util/errors.ts'
import { pipelineOf, processed } from '../support/ingest-runs.ts'

const records = (action: () => unknown): unknown => {
  try {
    action()
  } catch (error) {
    if (error instanceof EngineError || error instanceof ProcessorFailure) return error.record
    throw error
  }
  return null
}

describe('the script processor', () => {
  it.each([
    ["ctx.n = ctx.n + params.by; ctx.t = ctx._index + '!'", '{"n":1}', '{"n":3,"t":"i!"}'],
    ['ctx.a.b = 1.0; ctx.a.c = ctx.a.b / 2', '{"a":{}}', '{"a":{"b":1.0,"c":0.5}}'],
    ['ctx.remove("n")', '{"n":1,"m":2}', '{"m":2}'],
  ])('%s makes of %s %s', (source, before, after) => {
    const script = { source, params: { by: 2 } }
    const withIndex = `${before.slice(0, -1)}${before === '{}' ? '' : ','}"_index":"i"}`
    const out = JSON.parse(processed([{ script }], withIndex))
    delete out._index
    expect(out).toEqual(JSON.parse(after))
  })

  it.each([
    [{ source: 'ctx.n = ' }, 'script_exception', 'compile error'],
    [
      { id: 'none' },
      'resource_not_found_exception',
      'unable to find script [none] in cluster state',
    ],
    [
      {},
      'illegal_argument_exception',
      'must specify either [source] for an inline script or [id] for a stored script',
    ],
    [
      { source: 'a', id: 'b' },
      'illegal_argument_exception',
      'must only use one of [source, id] when specifying a script',
    ],
  ])('refuses %j', (script, type, reason) => {
    expect(records(() => pipelineOf({ processors: [{ script }] }))).toMatchObject({ type, reason })
  })

  it('ends where its loop does not', () => {
    expect(
      records(() =>
        processed([{ script: 'while (true) { ctx.n = 1; if (ctx.m == 2) break }' }], {}),
      ),
    ).toMatchObject({ type: 'script_exception', causedBy: { type: 'painless_error' } })
  })
})

describe('conditions', () => {
  const mark = (condition: string): object => ({
    set: { field: 'seen', value: true, if: condition },
  })

  it.each([
    ["ctx.t == 'a'", true],
    ["ctx.t == 'b'", false],
    ['ctx.missing?.deep == 1', false],
    ['ctx.list.size() == 2 && ctx.o.x > 1', true],
  ])('%s: %s', (condition, holds) => {
    const source = { t: 'a', list: [1, 2], o: { x: 1.5 } }
    const out = JSON.parse(processed([mark(condition)], source))
    expect(out.seen ?? false).toBe(holds)
  })

  it.each([
    "ctx.t = 'b'; true",
    'ctx.o.x = 1; true',
    'ctx.list.add(1); true',
    'ctx.o.clear(); true',
  ])('cannot change the document: %s', condition => {
    expect(
      records(() => processed([mark(condition)], { t: 'a', list: [1], o: { x: 1 } })),
    ).toMatchObject({
      type: 'script_exception',
      causedBy: {
        type: 'unsupported_operation_exception',
        reason: 'Mutating ingest documents in conditionals is not supported',
      },
    })
  })
})

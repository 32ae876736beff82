import { describe, expect, it } from 'vitest'
import { compilePainless } from '../../src/script/painless/compile-painless.ts'
import { linkError } from '../../src/script/script-exception.ts'
import { EngineError, type ErrorRecord } from '../../src/util/errors.ts'
import { failure, freeRun, SETTINGS } from './painless/run-script.ts'

describe('script_exception', () => {
  it('shows 25 units around where a source does not compile', () => {
    const source = "_score * foo bar + doc['myParent.weight'].value"
    expect(failure(source)).toEqual({
      type: 'script_exception',
      reason: 'compile error',
      extra: {
        script_stack: ["_score * foo bar + doc['myParent.weigh ...", '             ^---- HERE'],
        script: source,
        lang: 'painless',
        position: { offset: 13, start: 0, end: 38 },
      },
      causedBy: {
        type: 'illegal_argument_exception',
        reason: "invalid sequence of tokens near ['bar'].",
      },
    })
  })

  it('marks what it leaves out ahead of an offset', () => {
    const source = `def abc = 12345; def defgh = 67890; return abc + foo`
    expect(failure(source).extra).toEqual({
      script_stack: ['... gh = 67890; return abc + foo', '                             ^---- HERE'],
      script: source,
      lang: 'painless',
      position: { offset: 49, start: 24, end: 52 },
    })
  })

  it('shows the statement that failed', () => {
    expect(failure('def x = 1; x += params.a.b; return x').extra).toMatchObject({
      script_stack: ['... x += params.a.b;  ...', '                 ^---- HERE'],
      position: { offset: 24, start: 11, end: 28 },
    })
    expect(
      failure('if (params.a == 1) { return 1 } else if (params.b.c) { return 2 } return 3').extra,
    ).toMatchObject({
      position: { offset: 49, start: 37, end: 55 },
    })
  })

  it('points into the function that failed', () => {
    expect(
      failure('def f(def x) { return x.y } def z = 1; return f(params.a)').extra,
    ).toMatchObject({
      script_stack: ['... return x.y }  ...', '            ^---- HERE'],
      position: { offset: 23, start: 15, end: 28 },
    })
  })

  it('points to the dot of a property that cannot be set', () => {
    expect(failure('params.that = 3', '[]').extra).toMatchObject({
      script_stack: ['params.that = 3', '      ^---- HERE'],
      position: { offset: 6, start: 0, end: 15 },
    })
  })

  it('shows what a script explains', () => {
    expect(failure('Debug.explain(params.a)', '{"a":[1]}')).toEqual({
      type: 'script_exception',
      reason: 'runtime error',
      extra: {
        painless_class: 'java.util.ArrayList',
        to_string: '[1]',
        java_class: 'java.util.ArrayList',
        script_stack: ['Debug.explain(params.a)', '     ^---- HERE'],
        script: 'Debug.explain(params.a)',
        lang: 'painless',
        position: { offset: 5, start: 0, end: 23 },
      },
      causedBy: { type: 'painless_explain_error', reason: 'null' },
    })
  })

  it('names a stored script by its id', () => {
    const record = recordOf(() =>
      compilePainless('x', { variables: [], returns: 'def' }, SETTINGS, 'my-script'),
    )
    expect(record.extra).toMatchObject({ script: 'my-script', script_stack: ['x', '^---- HERE'] })
    const script = compilePainless('1/0', { variables: [], returns: 'def' }, SETTINGS, 'my-script')
    expect(recordOf(() => script.execute([], freeRun())).extra).toMatchObject({
      script: 'my-script',
    })
  })

  it('says of a variable that does not bind where it stands', () => {
    const cause = { type: 'parse_exception', reason: 'Unknown variable [x]' } as const
    expect(linkError({ lang: 'expression', source: '1 + x', offset: 4, cause }).record).toEqual({
      type: 'script_exception',
      reason: 'link error',
      extra: {
        script_stack: ['1 + x', '    ^---- HERE'],
        script: '1 + x',
        lang: 'expression',
        position: { offset: 4, start: 0, end: 5 },
      },
      causedBy: cause,
    })
  })

  it('has no position where none is known', () => {
    const cause = { type: 'parse_exception', reason: 'no' } as const
    expect(linkError({ lang: 'expression', source: 'x', offset: -1, cause }).record.extra).toEqual({
      script_stack: [],
      script: 'x',
      lang: 'expression',
    })
  })
})

function recordOf(fails: () => unknown): ErrorRecord {
  try {
    fails()
  } catch (error) {
    if (error instanceof EngineError) return error.record
  }
  return expect.fail('did not fail')
}

import { describe, expect, it } from 'vitest'
import { readOnly } from '../../../src/script/value/read-only.ts'
import type { ScriptMap, ScriptValue } from '../../../src/script/value/script-value.ts'
import { UnmodifiableMap, unmodifiableList } from '../../../src/script/value/unmodifiable.ts'
import type { EngineError } from '../../../src/util/errors.ts'
import { cause, compile, failure, freeRun, run, valueFrom } from './run-script.ts'

type Cases = readonly (readonly [
  source: string,
  reason: string,
  params?: string,
  offset?: number,
])[]

const fails = (type: string, cases: Cases): void => {
  for (const [source, reason, params = '{}', offset] of cases)
    it(`${source}: ${reason}`, () => {
      const record = failure(source, params)
      expect(record.reason).toBe('runtime error')
      expect(record.causedBy).toEqual({ type, reason })
      if (offset !== undefined) expect(record.extra!['position']).toMatchObject({ offset })
    })
}

describe('members that are not there', () => {
  fails('illegal_argument_exception', [
    ['params.a.foo(1)', 'dynamic method [java.lang.Integer, foo/1] not found', '{"a":1}', 8],
    ['params.foo()', 'dynamic method [java.util.HashMap, foo/0] not found', '{}', 6],
    ['params.a.x', 'dynamic getter [java.lang.Integer, x] not found', '{"a":1}', 8],
    ['params.a.x', 'dynamic getter [java.util.ArrayList, x] not found', '{"a":[]}'],
    ['params.a.x = 5', 'dynamic setter [java.lang.Integer, x] not found', '{"a":1}', 8],
    ['params.a.x = 5', 'dynamic setter [java.lang.String, x] not found', '{"a":"s"}'],
    ['for (x in params.a) { x.y = 1 }', 'Cannot iterate over [java.lang.Integer]', '{"a":1}'],
    ['for (x in params) { x.y = 1 }', 'Cannot iterate over [java.util.HashMap]', '{"a":1}'],
    [
      'params.a[0]',
      'Attempting to address a non-array-like type [java.lang.Integer] as an array.',
      '{"a":5}',
      8,
    ],
    [
      'params.a[0] = 1',
      'Attempting to address a non-array-like type [java.lang.String] as an array.',
      '{"a":"x"}',
      8,
    ],
  ])
})

describe('nulls', () => {
  fails('null_pointer_exception', [
    ['params.a.b', 'cannot access method/field [b] from a null def reference', '{}', 8],
    ['params.a.b()', 'cannot access method/field [b] from a null def reference', '{}', 8],
    ['params.a.b = 1', 'cannot access method/field [b] from a null def reference', '{}', 8],
    [
      'String s = params.a; s.length()',
      'cannot access method/field [length] from a null def reference',
    ],
    ['int x = params.a; x', 'cannot cast a null def reference to a primitive type'],
    ['Integer i = null; i + 1', 'cannot cast a null reference to a primitive type'],
    [
      'params.a + 1',
      'Cannot apply [+] operation to types [null] and [java.lang.Integer].',
      '{}',
      0,
    ],
    ['-params.a', 'Cannot apply [-] operation to type [null].'],
    ['params.a > 1', 'Cannot apply [>] operation to types [null] and [java.lang.Integer].'],
    ['params.a =~ /a/', 'Cannot apply [=~] operation to a null reference'],
    [
      'for (x in params.a) { x.y = 1 }',
      'cannot access method/field [iterator] from a null def reference',
    ],
    ['Exception e = null; throw e', 'cannot throw a null reference'],
    ['params.a[0]', 'cannot access method/field [[]] from a null def reference'],
    ['int[] a = null; a[0]', 'cannot access method/field [[]] from a null def reference'],
    ['int[] a = null; a.length', 'cannot access method/field [length] from a null def reference'],
  ])
})

describe('classes that do not fit', () => {
  fails('class_cast_exception', [
    [
      'int x = params.a; x',
      'cannot implicitly cast def [java.lang.Double] to int',
      '{"a":5.5}',
      14,
    ],
    [
      'int x = params.a; x',
      'cannot implicitly cast def [java.lang.Long] to int',
      '{"a":5000000000}',
    ],
    ['long x = params.a; x', 'cannot implicitly cast def [java.lang.Double] to long', '{"a":5.5}'],
    [
      'float x = params.a; x',
      'cannot implicitly cast def [java.lang.Double] to float',
      '{"a":5.5}',
    ],
    [
      'double x = params.a; x',
      'cannot implicitly cast def [java.lang.String] to double',
      '{"a":"5"}',
    ],
    ['byte x = params.a; x', 'cannot implicitly cast def [java.lang.Integer] to byte', '{"a":500}'],
    ['char x = params.a; x', 'cannot implicitly cast def [java.lang.String] to char', '{"a":"5"}'],
    [
      'boolean x = params.a; x',
      'cannot implicitly cast def [java.lang.Integer] to boolean',
      '{"a":5}',
    ],
    [
      'String x = params.a; x',
      'cannot implicitly cast def [java.lang.Integer] to java.lang.String',
      '{"a":5}',
    ],
    [
      'List x = params.a; x',
      'cannot implicitly cast def [java.lang.Integer] to java.util.List',
      '{"a":5}',
    ],
    [
      'int[] x = params.a; x',
      'cannot implicitly cast def [java.util.ArrayList] to int[]',
      '{"a":[5]}',
    ],
    [
      '(Map) params.a',
      'cannot explicitly cast def [java.util.ArrayList] to java.util.Map',
      '{"a":[1]}',
    ],
    ['(int) params.a', 'cannot explicitly cast def [java.lang.String] to int', '{"a":"1"}'],
    [
      'if (params.a) { return 1 }',
      'cannot implicitly cast def [java.lang.Integer] to boolean',
      '{"a":1}',
    ],
    [
      "'abc'.substring(params.a)",
      'cannot implicitly cast def [java.lang.String] to int',
      '{"a":"1"}',
    ],
    [
      "params.a.substring('x')",
      'cannot implicitly cast def [java.lang.String] to int',
      '{"a":"1"}',
    ],
    [
      'def f(int x) { return x } f(params.a)',
      'cannot implicitly cast def [java.lang.String] to int',
      '{"a":"1"}',
    ],
    [
      'params.a[params.b]',
      'cannot implicitly cast def [java.lang.String] to int',
      '{"a":[1],"b":"x"}',
    ],
    ["def a = new int[2]; a[0] = 'x'", 'cannot implicitly cast def [java.lang.String] to int'],
    [
      'params.a + 1',
      'Cannot apply [+] operation to types [java.lang.Boolean] and [java.lang.Integer].',
      '{"a":true}',
    ],
    [
      'params.a - 1',
      'Cannot apply [-] operation to types [java.util.ArrayList] and [java.lang.Integer].',
      '{"a":[]}',
    ],
    [
      "params.a > 'b'",
      'Cannot apply [>] operation to types [java.lang.Double] and [java.lang.String].',
      '{"a":2.5}',
    ],
    [
      'params.a & 1',
      'Cannot apply [&] operation to types [java.lang.Double] and [java.lang.Integer].',
      '{"a":2.5}',
    ],
    [
      'params.a << 1.5',
      'Cannot apply [<<] operation to types [java.lang.Integer] and [java.lang.Double].',
      '{"a":2}',
    ],
    ['-params.a', 'Cannot apply [-] operation to type [java.lang.String].', '{"a":"x"}'],
    [
      "'a' =~ params.a",
      'cannot implicitly cast def [java.lang.String] to java.util.regex.Pattern',
      '{"a":"x"}',
    ],
    [
      'throw params.a',
      'cannot implicitly cast def [java.lang.Integer] to java.lang.Exception',
      '{"a":1}',
    ],
  ])
})

describe('exceptions of Java', () => {
  it.each([
    ['1/0', 'arithmetic_exception: / by zero'],
    ['1L%0', 'arithmetic_exception: / by zero'],
    ['params.a / 0', 'arithmetic_exception: / by zero'],
    ['int x = 0; 5 / x', 'arithmetic_exception: / by zero'],
    ['[1,2,3][5]', 'index_out_of_bounds_exception: Index 5 out of bounds for length 3'],
    ['[1,2,3][-4]', 'index_out_of_bounds_exception: Index -4 out of bounds for length 3'],
    ['[1,2,3].get(5)', 'index_out_of_bounds_exception: Index 5 out of bounds for length 3'],
    ['def l = [1]; l[1] = 2', 'index_out_of_bounds_exception: Index 1 out of bounds for length 1'],
    [
      'int[] a = new int[2]; a[5]',
      'array_index_out_of_bounds_exception: Index 5 out of bounds for length 2',
    ],
    [
      'def a = new int[2]; a[5] = 1',
      'array_index_out_of_bounds_exception: Index 5 out of bounds for length 2',
    ],
    ['new int[-1]', 'negative_array_size_exception: -1'],
    ["Integer.parseInt('x')", 'number_format_exception: For input string: "x"'],
    ["throw new IllegalArgumentException('oops')", 'illegal_argument_exception: oops'],
    ["throw new IllegalStateException('oops')", 'illegal_state_exception: oops'],
    ["throw new UnsupportedOperationException('oops')", 'unsupported_operation_exception: oops'],
    ["throw new RuntimeException('oops')", 'runtime_exception: oops'],
    ["throw new Exception('oops')", 'exception: oops'],
    [
      'def l = [1]; for (x in l) { l.add(x) }',
      'concurrent_modification_exception: the collection changed while it was walked over',
    ],
    ['def f(def n) { return f(n + 1) } f(1)', 'stack_overflow_error: nested too deep'],
    [
      'int x = 0; for (;;) { x++ }',
      'painless_error: The maximum number of statements that can be executed in a loop has been reached.',
    ],
  ])('%s: %s', (source, expected) => {
    expect(cause(source, '{"a":1}')).toBe(expected)
  })

  it('are not caught where they are errors', () => {
    const source = 'try { int x = 0; for (;;) { x++ } } catch (Exception e) { return 1 }'
    expect(cause(source)).toMatch('painless_error')
    expect(cause('def f() { return f() } try { f() } catch (Exception e) { return 1 }')).toMatch(
      'stack_overflow_error',
    )
  })
})

describe('a loop', () => {
  it('may run a million statements in a call, a round costing those in its body', () => {
    expect(run('int i = 0; while (i < 999999) { i++ } i')).toBe(999999)
    expect(cause('int i = 0; while (i < 1000000) { i++ } i')).toMatch('painless_error')
    expect(run('int i = 0; while (i < 499999) { i++; i += 0 } i')).toBe(499999)
    expect(cause('int i = 0; while (i < 500000) { i++; i += 0 } i')).toMatch('painless_error')
  })

  it('counts with the others of its function, and not with those of other calls', () => {
    expect(cause('int i = 0; while (i < 600000) { i++ } while (i > 0) { i-- } i')).toMatch(
      'painless_error',
    )
    expect(run('int f() { int i = 0; while (i < 600000) { i++ } return i } f() + f()')).toBe(
      1200000,
    )
    expect(cause('[1].each(x -> { for (;;) { x += 1 } })')).toMatch('painless_error')
  })
})

describe('what cannot be changed', () => {
  const failureOf = (fails: () => unknown): unknown => {
    try {
      return fails()
    } catch (error) {
      return (error as EngineError).record
    }
  }
  const refusal = (source: string, map: ScriptMap): unknown =>
    failureOf(() => compile(source).execute([map, new Map()], freeRun()))

  it.each([
    'params.x = 1',
    "params['x'] = 1",
    "params.put('x', 1)",
    'params.a += 1',
    "params.remove('a')",
    'params.clear()',
    'Map m = params; m.x = 1',
  ])('refuses %s', source => {
    const params = new UnmodifiableMap(valueFrom('{"a":1}') as ScriptMap)
    expect(refusal(source, params)).toMatchObject({
      type: 'script_exception',
      causedBy: { type: 'unsupported_operation_exception', reason: 'the map is unmodifiable' },
    })
    expect([...params]).toEqual([['a', 1]])
  })

  it.each([
    'params.a[0] = 1',
    'params.a.0 = 1',
    'params.a.add(1)',
    'List l = params.a; l[0] = 5',
    'List l = params.a; l.add(1)',
    'params.a.clear()',
    'params.a.sort(null)',
  ])('refuses %s', source => {
    const list = unmodifiableList([1, 2])
    expect(refusal(source, new Map<ScriptValue, ScriptValue>([['a', list]]))).toMatchObject({
      causedBy: { type: 'unsupported_operation_exception', reason: 'the list is unmodifiable' },
    })
    expect(list).toEqual([1, 2])
  })

  it.each([
    'ctx.x = 1',
    "ctx.remove('a')",
    'ctx.a.b = 1',
    'ctx.a.l[0] = 1',
    'ctx.a.l.add(1)',
    'ctx.a.l[1].c = 5',
    'List l = ctx.a.l; l.clear()',
    'ctx.a.clear()',
  ])('refuses %s in a condition', source => {
    const reason = 'Mutating ingest documents in conditionals is not supported'
    const ctx = readOnly(valueFrom('{"a":{"l":[1,{"c":2}]}}'), reason)
    expect(failureOf(() => compile(source).execute([null, ctx], freeRun()))).toMatchObject({
      causedBy: { type: 'unsupported_operation_exception', reason },
    })
    expect(compile('ctx.a.l[0] + ctx.a.l[1].c').execute([null, ctx], freeRun())).toBe(3)
  })

  it('can be read', () => {
    const params = new UnmodifiableMap(valueFrom('{"a":[1,2]}') as ScriptMap)
    expect(
      compile('params.a[0] + params.a.size() + params.size()').execute([params, null], freeRun()),
    ).toBe(4)
  })
})

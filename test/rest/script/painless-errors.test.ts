import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openRest, type Rest } from '../../support/rest-calls.ts'

let rest: Rest
let withoutRegexes: Rest
beforeAll(async () => {
  rest = await openRest()
  withoutRegexes = await openRest({ 'script.painless.regex.enabled': 'false' })
  await rest.call('PUT /i', { mappings: { properties: { rank: { type: 'long' } } } })
})
afterAll(async () => {
  await rest.close()
  await withoutRegexes.close()
})

const ILLEGAL = 'illegal_argument_exception'
const CAST = 'class_cast_exception'

const execute = (script: string | object, on = rest): ReturnType<Rest['call']> =>
  on.call('POST /_scripts/painless/_execute', { script })

/** Sources with the type and the reason of their cause; parameters where it takes any. */
type Cases = readonly (readonly [source: string, type: string, reason: string, params?: object])[]

const answers = (phase: string, status: number, cases: Cases): void => {
  it.each(
    cases.map(([source, type, reason, params = {}]) => [source, type, reason, params] as const),
  )('%s: %s: %s', async (source, type, reason, params) => {
    const answer = await execute({ source, params })
    expect([answer.status, answer.json.error.type, answer.json.error.reason]).toEqual([
      status,
      'script_exception',
      phase,
    ])
    expect(answer.json.error.caused_by).toEqual({ type, reason })
  })
}

describe('a source that does not compile', () => {
  answers('compile error', 400, [
    ['1 + x', ILLEGAL, 'cannot resolve symbol [x]'],
    ['int x = 1; int x = 2', ILLEGAL, 'variable [x] is already defined'],
    ['foo(1)', ILLEGAL, 'Unknown call [foo] with [1] arguments.'],
    [
      'int f(int x) { if (x > 1) { return 1 } } f(1)',
      ILLEGAL,
      'not all paths provide a return value for function [f] with [1] parameters',
    ],
    ["'abc'.foo()", ILLEGAL, 'method [java.lang.String, foo/0] not found'],
    ['Math.FOO', ILLEGAL, 'field [java.lang.Math, FOO] not found'],
    ['Foo x = 1', ILLEGAL, 'Not a type [Foo].'],
    ['1 2', ILLEGAL, "invalid sequence of tokens near ['2']."],
    ['1; return 2', ILLEGAL, 'not a statement: numeric constant [1] not used'],
    ['1 = 2', ILLEGAL, 'invalid assignment: cannot assign a value to numeric constant [1]'],
    ['params = 2', ILLEGAL, 'Variable [params] is read-only.'],
    ['if (true) { return 1 }', ILLEGAL, 'extraneous if block'],
    ['while (false) { return 1 }', ILLEGAL, 'extraneous while loop'],
    ['for (;false;) { return 1 }', ILLEGAL, 'extraneous for loop'],
    ['while (true) {}', ILLEGAL, 'no paths escape from while loop'],
    ['for (;;) {}', ILLEGAL, 'no paths escape from for loop'],
    ['return 1; return 2', ILLEGAL, 'invalid block: unreachable statement'],
    [
      '/a(/',
      ILLEGAL,
      'invalid regular expression: could not compile regex constant [a(] with flags []',
    ],
    [
      "'a' =~ /[/i",
      ILLEGAL,
      'invalid regular expression: could not compile regex constant [[] with flags [i]',
    ],
    ['int x = 1.5', CAST, 'Cannot cast from [double] to [int].'],
    ['1 + true', CAST, 'Cannot apply [+] operation to types [int] and [boolean].'],
    [
      "'a\\q'",
      ILLEGAL,
      "unexpected character ['a\\q]. The only valid escape sequences in strings starting with ['] are [\\\\] and [\\'].",
    ],
  ])

  it('shows where it stops to mean anything', async () => {
    const source = "_score * foo bar + doc['myParent.weight'].value"
    const { json } = await execute(source)
    const caused_by = { type: ILLEGAL, reason: "invalid sequence of tokens near ['bar']." }
    const error = {
      type: 'script_exception',
      reason: 'compile error',
      script_stack: ["_score * foo bar + doc['myParent.weigh ...", '             ^---- HERE'],
      script: source,
      lang: 'painless',
      position: { offset: 13, start: 0, end: 38 },
    }
    expect(json.error).toEqual({ root_cause: [error], ...error, caused_by })
    expect(Object.keys(json.error)).toEqual([
      'root_cause',
      'type',
      'reason',
      'script_stack',
      'script',
      'lang',
      'position',
      'caused_by',
    ])
  })

  it('has a regular expression where they are switched off', async () => {
    const { status, json } = await execute("'a' =~ /a/", withoutRegexes)
    expect([status, json.error.caused_by.type]).toEqual([400, 'illegal_state_exception'])
    expect(json.error.caused_by.reason).toContain(
      'Regexes are disabled. Set [script.painless.regex.enabled] to [true] in opensearch.yaml',
    )
  })
})

describe('a script that fails as it runs', () => {
  answers('runtime error', 400, [
    [
      'params.a.b',
      'null_pointer_exception',
      'cannot access method/field [b] from a null def reference',
    ],
    ['params.a.foo(1)', ILLEGAL, 'dynamic method [java.lang.Integer, foo/1] not found', { a: 1 }],
    [
      'for (x in params.a) { x.y = 1 } return 1',
      ILLEGAL,
      'Cannot iterate over [java.lang.Integer]',
      { a: 1 },
    ],
    [
      'params.a[0]',
      ILLEGAL,
      'Attempting to address a non-array-like type [java.lang.Integer] as an array.',
      { a: 5 },
    ],
    [
      'int x = params.a; x',
      CAST,
      'cannot implicitly cast def [java.lang.Double] to int',
      { a: 5.5 },
    ],
    ['1 / params.a', 'arithmetic_exception', '/ by zero', { a: 0 }],
    ['[1,2,3][5]', 'index_out_of_bounds_exception', 'Index 5 out of bounds for length 3'],
    [
      'int[] a = new int[3]; a[5]',
      'array_index_out_of_bounds_exception',
      'Index 5 out of bounds for length 3',
    ],
    ["Integer.parseInt('x')", 'number_format_exception', 'For input string: "x"'],
    [
      // A round costs the statements that it might run, so that few rounds are enough.
      `int x = 0; for (;;) { if (x < 0) { ${'x++; '.repeat(500)} } }`,
      'painless_error',
      'The maximum number of statements that can be executed in a loop has been reached.',
    ],
    ['def f(def n) { return f(n + 1) } f(1)', 'stack_overflow_error', 'nested too deep'],
    ["throw new IllegalStateException('oops')", 'illegal_state_exception', 'oops'],
    [
      "ZonedDateTime.parse('x')",
      'date_time_parse_exception',
      "Text 'x' could not be parsed at index 0",
    ],
    ['params.x = 1', 'unsupported_operation_exception', 'the map is unmodifiable'],
  ])

  it('is stopped where a pattern looks at too many characters', async () => {
    const source = `'${'a'.repeat(60)}' ==~ /(a*)*(a*)*\\1b/`
    const { status, json } = await execute(source)
    expect([status, json.error.type]).toEqual([429, 'circuit_breaking_exception'])
    expect(json.error.reason).toContain(
      '[scripting] Regular expression considered too many characters, pattern: [(a*)*(a*)*\\1b], limit factor: [6], char limit: [360], count: [361], wrapped: [aaa',
    )
  })
})

describe('what scripts make of numbers and nulls', () => {
  it.each([
    ['def a = 1; def b = 2; return a / b', '0'],
    ['1.0 / 2', '0.5'],
    ['int x = Integer.MAX_VALUE; x + 1', '-2147483648'],
    ['1L << 63', '-9223372036854775808'],
    ["'a' + null + 1.0", 'anull1.0'],
    ['def l = [1, 2, 3]; l.remove(0); l', '[2, 3]'],
    ['params.missing?.length()', 'null'],
    ['1 == 1.0', 'true'],
  ])('%s is %s', async (source, result) => {
    expect((await execute(source)).json).toEqual({ result })
  })
})

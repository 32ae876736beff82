import { describe, expect, it } from 'vitest'
import { compilePainless } from '../../../src/script/painless/compile-painless.ts'
import type { EngineError } from '../../../src/util/errors.ts'
import { cause, failure, SETTINGS } from './run-script.ts'

/** Sources with the reason why they do not compile, and the offset that it points to. */
type Cases = readonly (readonly [
  source: string,
  reason: string,
  offset?: number,
  returns?: string,
])[]

const refuses = (type: string, cases: Cases): void => {
  for (const [source, reason, offset, returns = 'def'] of cases)
    it(`${source}: ${reason}`, () => {
      const record = failure(source, '{}', '{}', returns)
      expect(record.reason).toBe('compile error')
      expect(record.causedBy).toEqual({ type, reason })
      if (offset !== undefined) expect(record.extra!['position']).toMatchObject({ offset })
    })
}

describe('names that mean nothing', () => {
  refuses('illegal_argument_exception', [
    ['x', 'cannot resolve symbol [x]', 0],
    ['1 + x', 'cannot resolve symbol [x]', 4],
    ['Foo.bar()', 'cannot resolve symbol [Foo]', 0],
    ['int x = 1; int x = 2', 'variable [x] is already defined', 15],
    ['int ctx = 1', 'variable [ctx] is already defined', 4],
    ['def f(int a, int a) { return 1 } f(1, 2)', 'variable [a] is already defined'],
    ['int x = 1; Function f = x -> x; 1', 'variable [x] is already defined'],
    ['foo(1)', 'Unknown call [foo] with [1] arguments.', 0],
    ["'abc'.foo()", 'method [java.lang.String, foo/0] not found', 5],
    ["'abc'.length(1)", 'method [java.lang.String, length/1] not found', 5],
    ['List l = []; l.foo(1, 2)', 'method [java.util.List, foo/2] not found', 14],
    ['Math.foo(1)', 'method [java.lang.Math, foo/1] not found', 4],
    ["'abc'.foo", 'field [java.lang.String, foo] not found', 5],
    ['Math.FOO', 'field [java.lang.Math, FOO] not found', 4],
    ['new int[1].size', 'field [int[], size] not found', 10],
    ['1.foo', 'field [int, foo] not found', 1],
    [
      'StringBuilder b = new StringBuilder(); b.length += 1',
      'field [java.lang.StringBuilder, length] not found',
      40,
    ],
    ['Foo x = 1', 'Not a type [Foo].', 0],
    ['foo.Bar x = 1', 'Not a type [foo.Bar].', 0],
    ['(foo) 1', 'Not a type [foo].', 1],
    ['params instanceof foo', 'Not a type [foo].', 18],
    ['new Foo()', 'Not a type [Foo].', 4],
    ['void x', 'Not a type [void].', 0],
    ['new ArrayList(1, 2, 3)', 'constructor [java.util.ArrayList, <init>/3] not found', 0],
    ['new List()', 'constructor [java.util.List, <init>/0] not found', 0],
    ['int f() { return 5 } int f() { return 6 } f()', 'Duplicate functions with name [f].', 21],
  ])
})

describe('sources that break the grammar', () => {
  refuses('illegal_argument_exception', [
    ['_score * foo bar', "invalid sequence of tokens near ['bar'].", 13],
    ['1 2', "invalid sequence of tokens near ['2'].", 2],
    [')', "invalid sequence of tokens near [')'].", 0],
    [';', "invalid sequence of tokens near [';'].", 0],
    ['{ int x = 1 }', "invalid sequence of tokens near ['{'].", 0],
    ['int if = 5', "invalid sequence of tokens near ['int'].", 0],
    ["'a' 'b'", "invalid sequence of tokens near ['b'].", 4],
    ['params..a', "invalid sequence of tokens near ['.'].", 7],
    ['try { return 1 }', 'unexpected end of script.', 16],
    ['1 +', 'unexpected end of script.', 3],
    ['if (params.a', 'unexpected end of script.', 12],
    ['#', 'unexpected character [#].', 0],
    ['1 + \\', 'unexpected character [\\].', 4],
    ["'abc", "unexpected character ['abc].", 0],
    [
      "'a\\qb'",
      "unexpected character ['a\\q]. The only valid escape sequences in strings starting with ['] are [\\\\] and [\\'].",
    ],
    [
      '"a\\n"',
      'unexpected character ["a\\n]. The only valid escape sequences in strings starting with ["] are [\\\\] and [\\"].',
    ],
    [
      '9999999999',
      'Invalid int constant [9999999999]. If you want a long constant then change it to [9999999999L].',
    ],
    ['99999999999999999999', 'Invalid int constant [99999999999999999999].'],
    ['99999999999999999999L', 'Invalid long constant [99999999999999999999L].'],
    ['1e400', 'Invalid double constant [1e400].'],
    ['1e40f', 'Invalid float constant [1e40f].'],
    ['/a(/', 'invalid regular expression: could not compile regex constant [a(] with flags []'],
    [
      "'a' =~ /[/i",
      'invalid regular expression: could not compile regex constant [[] with flags [i]',
    ],
  ])
})

describe('statements without a sense', () => {
  refuses('illegal_argument_exception', [
    ['1; return 2', 'not a statement: numeric constant [1] not used', 0],
    ["'a'; return 2", 'not a statement: string constant [a] not used', 0],
    ['params.a; return 2', 'not a statement: dot operation [.] not used', 6],
    ['1 + 2; return 3', 'not a statement: addition operation [+] not used', 0],
    ['params; return 3', 'not a statement: symbol [params] not used', 0],
    ['[1]; return 3', 'not a statement: list initializer not used', 0],
    ['!true; return 3', 'not a statement: boolean not operation [!] not used', 0],
    ['1', 'not a statement: numeric constant [1] not used', 0, 'void'],
    ['1 = 2', 'invalid assignment: cannot assign a value to numeric constant [1]', 0],
    ['1 + 2 = 3', 'invalid assignment: cannot assign a value to addition operation [+]', 0],
    ['[].size() = 3', 'invalid assignment: cannot assign a value to method call [size/0]', 2],
    ['[].size()++', 'invalid assignment: cannot assign a value to method call [size/0]', 2],
    ['params?.a = 3', 'invalid assignment: cannot assign a value to a null safe operation [?.]', 6],
    [
      'Math.PI = 3',
      'invalid assignment: cannot assign a value to read-only field [PI] for type [java.lang.Math]',
      4,
    ],
    [
      'new int[1].length = 3',
      'invalid assignment: cannot assign a value to read-only field [length] for type [int[]]',
      10,
    ],
    ['params = 2', 'Variable [params] is read-only.', 0],
    ['ctx += 2', 'Variable [ctx] is read-only.', 0],
    ['int z = 1; Function f = y -> { z = 2; return y }; 1', 'Variable [z] is read-only.', 31],
    ['if (true) { return 1 }', 'extraneous if block', 0],
    ['if (params.a == 1) {}', 'extraneous if block', 0],
    ['if (params.a == 1) { return 1 } else {}', 'extraneous else block', 0],
    ['while (false) { return 1 }', 'extraneous while loop', 0],
    ['while (params.a) { return 1 }', 'extraneous while loop', 0],
    ['while (true) {}', 'no paths escape from while loop', 0],
    ['while (true);', 'no paths escape from while loop', 0],
    ['for (;;) {}', 'no paths escape from for loop', 0],
    ['for (;false;) { return 1 }', 'extraneous for loop', 0],
    ['for (;;) { return 1 }', 'extraneous for loop', 0],
    ['do {} while (params.a)', 'extraneous do-while loop', 0],
    ['do { return 1 } while (params.a)', 'extraneous do-while loop', 0],
    ['for (x in [1]) { return x }', 'extraneous for each loop', 0],
    ['for (x in [1]) {}', 'extraneous for each loop', 0],
    ['for (x in 1) { ctx.a = x }', 'Illegal for each type [int].', 10],
    ['return 1; return 2', 'invalid block: unreachable statement', 10],
    ["throw new Exception('a'); return 1", 'invalid block: unreachable statement', 26],
    ['while (true) { ctx.a = 1 } return 1', 'invalid block: unreachable statement', 27],
    [
      'for (x in [1]) { if (x) { break } else { continue } ctx.a = 1 }',
      'invalid block: unreachable statement',
      52,
    ],
    ['try {} catch (Exception e) {}', 'extraneous try statement', 0],
    ['break', 'Break statement outside of a loop.', 0],
    ['continue', 'Continue statement outside of a loop.', 0],
    ['for (x in [1]) { [1].each(y -> { break; }) }', 'Break statement outside of a loop.', 33],
    [
      'int f(int x) { if (x > 1) { return 1 } } f(1)',
      'not all paths provide a return value for function [f] with [1] parameters',
      0,
    ],
    [
      'void f() {} f()',
      'invalid function definition: found no statements for function [f] with [0] parameters',
      0,
    ],
    ['null ?: 5', 'Extraneous elvis operator. LHS is null.', 0],
    ['1 ?: 5', 'Extraneous elvis operator. LHS is a constant.', 0],
    ['params.x ?: null', 'Extraneous elvis operator. RHS is null.', 0],
    ['int x = 1; x ?: 2', 'Extraneous elvis operator. LHS is a primitive.', 11],
    ["'a'?.length()", 'Result of null safe operator must be nullable', 3],
    ['5[1]', 'Attempting to address a non-array-like type [int] as an array.', 1],
  ])
})

describe('types that do not fit', () => {
  refuses('class_cast_exception', [
    ['int x = 1.5', 'Cannot cast from [double] to [int].', 8],
    ['float f = 1.5', 'Cannot cast from [double] to [float].', 10],
    ['byte b = 300', 'Cannot cast from [int] to [byte].', 9],
    ['String s = 1', 'Cannot cast from [int] to [java.lang.String].', 11],
    ["int i = 'a'", 'Cannot cast from [java.lang.String] to [int].', 8],
    ["char c = 'a'", 'Cannot cast from [java.lang.String] to [char].', 9],
    ['boolean b = 1', 'Cannot cast from [int] to [boolean].', 12],
    ['(boolean) 1', 'Cannot cast from [int] to [boolean].', 0],
    ['Integer i = 5L', 'Cannot cast from [long] to [java.lang.Integer].', 12],
    ['List l = [:]', 'Cannot cast from [java.util.HashMap] to [java.util.List].', 9],
    ['int[] a = new int[2]; a[0] = 1.5', 'Cannot cast from [double] to [int].', 29],
    ['int[] a = new long[2]', 'Cannot cast from [long[]] to [int[]].', 10],
    ["if ('a') { return 1 }", 'Cannot cast from [java.lang.String] to [boolean].', 4],
    ["'a'.substring(1.5)", 'Cannot cast from [double] to [int].', 14],
    ['String f() { return 5 } f()', 'Cannot cast from [int] to [java.lang.String].', 20],
    ["'x'", 'Cannot cast from [java.lang.String] to [double].', 0, 'double'],
    ['return 1', 'Cannot cast from [int] to [void].', 7, 'void'],
    ["throw 'x'", 'Cannot cast from [java.lang.String] to [java.lang.Exception].', 0],
    ["(char) 'xy'", 'cannot cast java.lang.String with length not equal to one to char', 0],
    ['1 + true', 'Cannot apply [+] operation to types [int] and [boolean].', 0],
    ["'a' - 1", 'Cannot apply [-] operation to types [java.lang.String] and [int].', 0],
    ['1.0 & 1', 'Cannot apply [&] operation to types [double] and [int].', 0],
    ['1 << 1.0', 'Cannot apply [<<] operation to types [int] and [double].', 0],
    ['[] * 2', 'Cannot apply [*] operation to types [java.util.ArrayList] and [int].', 0],
    [
      "'a' < 'b'",
      'Cannot apply [<] operation to types [java.lang.String] and [java.lang.String].',
      0,
    ],
    ["1 == 'a'", 'Cannot apply [==] operation to types [int] and [java.lang.String].', 0],
    ['1 == true', 'Cannot apply [==] operation to types [int] and [boolean].', 0],
    ["-'a'", 'cannot apply the unary minus operator [-] to the type [java.lang.String]', 0],
    ['~1.5', 'cannot apply the bitwise not operator [~] to the type [double]', 0],
  ])
})

describe('regular expressions that are switched off', () => {
  it('do not compile', () => {
    try {
      compilePainless(
        "'a' =~ /a/",
        { variables: [], returns: 'def' },
        { ...SETTINGS, regex: 'false' },
      )
      expect.fail('compiled')
    } catch (error) {
      expect((error as EngineError).record.causedBy).toEqual({
        type: 'illegal_state_exception',
        reason:
          'Regexes are disabled. Set [script.painless.regex.enabled] to [true] in opensearch.yaml to allow ' +
          "them. Be careful though, regexes break out of Painless's protection against deep recursion and " +
          'long loops.',
      })
    }
  })

  it('fail with any setting where Java has a flag that we have not', () => {
    expect(cause("'a' =~ /a/c")).toBe(
      'illegal_argument_exception: invalid regular expression: could not compile regex constant [a] with flags [c]',
    )
  })
})

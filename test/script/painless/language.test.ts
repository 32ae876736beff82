import { describe, expect, it } from 'vitest'
import {
  compilePainless,
  type PainlessScript,
} from '../../../src/script/painless/compile-painless.ts'
import {
  changed,
  compile,
  constantFunction,
  freeRun,
  run,
  SETTINGS,
  text,
  valueFrom,
} from './run-script.ts'

/** Sources with what they give back, as Java prints it. */
type Cases = readonly (readonly [source: string, expected: string, params?: string])[]

const holds = (cases: Cases): void => {
  for (const [source, expected, params = '{}'] of cases)
    it(`${source} gives ${expected}`, () => {
      expect(text(source, params)).toBe(expected)
    })
}

describe('numbers', () => {
  holds([
    ['1 + 1L', '2'],
    ['1.5f + 1', '2.5'],
    ['(float)1/3', '0.33333334'],
    ['1.0/0', 'Infinity'],
    ['-7/2', '-3'],
    ['-7%3', '-1'],
    ['5 >>> 1', '2'],
    ['-5 >>> 28', '15'],
    ['-5L >>> 60', '15'],
    ['1 << 33', '2'],
    ['1L << 33', '8589934592'],
    ['1L << 63', '-9223372036854775808'],
    ['~5', '-6'],
    ['2147483647 + 1', '-2147483648'],
    ['int x = 2147483647; x++; x', '-2147483648'],
    ['def x = 2147483647; x += 1; x', '-2147483648'],
    ['long l = 9223372036854775807L; l++; l', '-9223372036854775808'],
    ['0777', '511'],
    ['0x1F', '31'],
    ['0xFFL', '255'],
    ['1e10', '1.0E10'],
    ['1.5d', '1.5'],
    ['1f', '1.0'],
    ['(int) 3.7', '3'],
    ['(int) 1e20', '2147483647'],
    ['(int) 5000000000L', '705032704'],
    ['(long) 1e20', '9223372036854775807'],
    ['(byte) 300', '44'],
    ['(float) 1e40', 'Infinity'],
    ['-2147483648', '-2147483648'],
    ['1.toString()', '1'],
    ['params.a / params.b', '0', '{"a":1,"b":2}'],
    ['params.a / params.b', '0.5', '{"a":1.0,"b":2}'],
    ['def a=1; def b=2; return a/b', '0'],
    ['1.0/2', '0.5'],
    ['int a = 5; a += 2.7; a', '7'],
    ['byte b = 127; b++; b', '-128'],
    ['short s = 32767; s++; s', '-32768'],
    ['char c = 65535; c++; (int) c', '0'],
    ['byte b = 100; b', '100'],
    ['int i = 5; int j = i++ + ++i; j', '12'],
    ['int x = 5; x---1', '4'],
    ['5 - - 5', '10'],
    ['def x = 5L; ~x', '-6'],
    ['def x = 5.5; -x', '-5.5'],
  ])
})

describe('equality', () => {
  holds([
    ['1 == 1.0', 'true'],
    ['def a = 1; def b = 1.0; a == b', 'true'],
    ['def a = 1; def b = 1.0; a === b', 'false'],
    ["def a = 'x'; a == 'x'", 'true'],
    ['null == null', 'true'],
    ['def x = null; x == 1', 'false'],
    ['def x = null; x != 1', 'true'],
    ['[1, [2]] == [1, [2]]', 'true'],
    ['def a = [1]; def b = [1]; a === b', 'false'],
    ['Integer i = 5; Integer j = 5; i == j', 'true'],
    ['Long l = 5L; def j = 5; l == j', 'true'],
    ["params.a == 1 || params.a == 'a'", 'true', '{"a":"a"}'],
    ['def x = 5; x == 5 === true', 'true'],
  ])
})

describe('texts', () => {
  holds([
    ["'a' + null + 1.0", 'anull1.0'],
    ["'a' + 1 + 2", 'a12'],
    ["1 + 2 + 'a'", '3a'],
    ["1 + (2 + 'a')", '12a'],
    ["'x' + [1, 2.0, null] + ['a': 5L]", 'x[1, 2.0, null]{a=5}'],
    ["'x' + 'abc'.charAt(1)", 'xb'],
    ["'abc'.charAt(1) + 1", '99'],
    ["StringBuilder b = new StringBuilder('abc'); b.length = 1; b", 'a'],
    ["def b = new StringBuilder('abc'); b.length = 1; b", 'a'],
    ["String s = 'a'; s += 1; s += null; s += 1.0f; s", 'a1null1.0'],
    ["def s = 2; s += 'a'; s", '2a'],
    ['2 + params.a', '2x', '{"a":"x"}'],
    ['params.a + 2', 'x2', '{"a":"x"}'],
    ["'a\\\\b'", 'a\\b'],
    ['"it\'s"', "it's"],
    ["'it\\'s'", "it's"],
    ["'two\nlines'.length()", '9'],
    ["(char) 'a' + 1", '98'],
    ["char c = (char)'a'; c++; c", 'b'],
    ['char c = 97; c', 'a'],
  ])
})

describe('precedence', () => {
  holds([
    ['1 + 2 * 3 - 4 / 2 % 3', '5'],
    ['1 | 2 ^ 3 & 4', '3'],
    ['true || false && false', 'true'],
    ['1 << 2 + 1', '8'],
    ['1 < 2 == true', 'true'],
    ['true ? false ? 1 : 2 : 3', '2'],
    ['params.a ?: params.b ?: 5', '6', '{"b":6}'],
    ['(params.a) - 1', '0', '{"a":1}'],
    ['(int) -5.5', '-5'],
    ['-(int) 5.5', '-5'],
    ['(long) (int) 5.5', '5'],
    ["'a' instanceof String == true", 'true'],
    ['!params.a && true', 'true', '{"a":false}'],
    ["'ab' =~ /b/ == true", 'true'],
  ])
})

describe('lists, maps and arrays', () => {
  holds([
    ["[1, 'a', null, 2.0, 3L]", '[1, a, null, 2.0, 3]'],
    ['[\'a\': 1, "b": 2.0]', '{a=1, b=2.0}'],
    ['[:]', '{}'],
    ['[]', '[]'],
    ['[1,2,3].remove(0)', '1'],
    ["def m = [:]; m.x = 3; m['y'] = m.x + 1; m", '{x=3, y=4}'],
    ["Map m = ['a':1]; m.b = 5; m['c'] = 6; m.a += 1; m", '{a=2, b=5, c=6}'],
    ['List m = [1,2]; m[0] = 5; m.1 = 7; m[-1] += 1; m', '[5, 8]'],
    ["def m = ['a': 1]; m.a++; m.a += 5; m['a'] *= 2; m", '{a=14}'],
    ["def m = ['a': 1]; m.a++ + ++m.a", '4'],
    ['def l = [1]; l[0]++; l[0] += 1L; l', '[3]'],
    ['params.a[-1]', '3', '{"a":[1,2,3]}'],
    ['params.a.0.1', '8', '{"a":[[7,8]]}'],
    ['params.a.if', '5', '{"a":{"if":5}}'],
    ['params.empty', 'false', '{"empty":5}'],
    ['params.isEmpty()', 'false', '{"empty":5}'],
    ["params['empty']", '5', '{"empty":5}'],
    ['def a = [1,2]; a.length + a.size()', '4'],
    ['int[] a = new int[3]; a[1] = 5; a[1] + a.length', '8'],
    ['new int[]{1,2}.length', '2'],
    ['int[][] a = new int[2][3]; a[1][2] = 4; a[1][2] + a[0].length', '7'],
    ['def a = new long[2]; a[-1] += 5; a[1]', '5'],
    ['String[] a = new String[]{"a"}; a[0].length()', '1'],
    ['int[] a = new int[]{1,2,3}; int s = 0; for (int i : a) { s += i } s', '6'],
    ['def a = new char[1]; a[0]', '\0'],
    ["def d = new HashMap(['a':1]); d", '{a=1}'],
    ['int[] a = new int[]{0}; int i = 0; a[i++] += 5; a[0] + i', '6'],
  ])
})

describe('statements', () => {
  holds([
    ['int s = 0; for (int i = 0; i < 10; i++) { s += i } s', '45'],
    ['int s = 0; for (int i = 0, j = 10; i < j; i++) { s++; j-- } s', '5'],
    ['int s = 0; for (int i = 0; i < 3; i++) for (int j = 0; j < 3; j++) s++; s', '9'],
    [
      'int s = 0; for (int i = 0; i < 3; i++) { for (int j = 0; j < 3; j++) { if (j == 1) break; s++ } } s',
      '3',
    ],
    ['int i=0; int s=0; while (i < 5) { i++; if (i == 3) { continue } s += i } s', '12'],
    ['int i=0; do { i++ } while (i < 5); i', '5'],
    ['int i=0; for (;;) { if (i++ > 4) { break } } i', '6'],
    ['def s = 0; for (x in [1,2,3]) { s += x } return s', '6'],
    ['int s = 0; for (int x : [1,2,3]) { s += x } return s', '6'],
    [
      "Map m = ['a':1]; String s = ''; for (Map.Entry e : m.entrySet()) { s += e.getKey() + e.value } s",
      'a1',
    ],
    ['for (int i = 0; i < 3; i++); return 1', '1'],
    ['if (params.a == 1) { 1 } else if (params.a == 2) { 7 } else { 3 }', '7', '{"a":2}'],
    ['if (params.a == 1) return 1; else return 2', '2'],
    ['if (params.a == 1) { 1 }', 'null'],
    ['int x = 5; int f = x; if (x > 1) { int y = 2; f += y } int y = 3; f + y', '10'],
    ['int i; i', '0'],
    ['String s; s', 'null'],
    ['def x = 1, y = 2; x + y', '3'],
    ['int x = 0; int y = x = 5; x + y', '10'],
    ['// comment\n5 /* and /* another */', '5'],
    ['', 'null'],
    ['java.util.List l = [1]; l', '[1]'],
    ['Map.Entry e = null; e', 'null'],
  ])
})

describe('null safety', () => {
  holds([
    ['params.x?.length() ?: 7', '7'],
    ['params.x?.y?.z', 'null'],
    ["def a = 'abc'; a?.length() + 1", '4'],
    ["params.b == null ? 'none' : params.b", 'none'],
    ['true ? null : 1', 'null'],
  ])

  it('writes null where a null-safe call finds none', () => {
    expect(changed('ctx._source.n = ctx._source.missing?.length()', '{"_source":{}}')).toEqual(
      new Map([['_source', new Map([['n', null]])]]),
    )
  })
})

describe('exceptions', () => {
  holds([
    ['try { def x = null; return x.foo } catch (NullPointerException e) { return 5 }', '5'],
    [
      "try { throw new IllegalArgumentException('hm') } catch (Exception e) { e.getMessage() }",
      'hm',
    ],
    ['try { return 1 / 0 } catch (ArithmeticException e) { return e.getMessage() }', '/ by zero'],
    [
      "try { throw new IllegalStateException('x') } catch (IllegalArgumentException e) { return 1 } catch (RuntimeException e) { return 2 }",
      '2',
    ],
    [
      "try { Integer.parseInt('x') } catch (IllegalArgumentException e) { return e.toString() } return 1",
      'java.lang.NumberFormatException: For input string: "x"',
    ],
    [
      'try { [1][5] } catch (Exception e) { return e instanceof IndexOutOfBoundsException }',
      'true',
    ],
    [
      "int f() { throw new Exception('a') } try { f() } catch (Exception e) { return e.message }",
      'a',
    ],
  ])
})

describe('casts', () => {
  holds([
    ["Object o = 'a'; o.toString()", 'a'],
    ['Object o = 1; (int) o', '1'],
    ['Object o = 1; o instanceof Integer', 'true'],
    ['def o = 1; o instanceof Number', 'true'],
    ['def o = [:]; o instanceof List', 'false'],
    ['def o = 1; o instanceof int', 'true'],
    ['new int[1] instanceof int[]', 'true'],
    ['null instanceof Map', 'false'],
    ['Integer i = 5; i + 1', '6'],
    ['Long l = 5; l instanceof Long', 'true'],
    ['Double d = 5; d', '5.0'],
    ['Long l = params.a; l instanceof Long', 'true', '{"a":5}'],
    ['Double d = params.a; d', '5.0', '{"a":5}'],
    ['Double d = params.a; d', 'null'],
    ['Integer i = (Integer) params.a; i', '5', '{"a":5.5}'],
    ['Double d = 1.5; d * 2', '3.0'],
    ['(char) params.a', 'x', '{"a":"x"}'],
    ['(int) params.a', '1', '{"a":1.9}'],
    ['double x = params.a; x', '5.0', '{"a":5}'],
    ['long x = params.a; x', '5000000000', '{"a":5000000000}'],
    ['(ArrayList) params.a', '[1]', '{"a":[1]}'],
    ['boolean b = params.a; b', 'true', '{"a":true}'],
  ])
})

describe('regular expressions', () => {
  holds([
    ["'foobar' =~ /o+b/", 'true'],
    ["'foobar' ==~ /o+b/", 'false'],
    ["'aB' ==~ /ab/i", 'true'],
    ["def p = /b/; 'abc' =~ p", 'true'],
    ['def r = 8 / 2 / 2; r', '2'],
    ['def l = [8]; l[0] / 2 / 2', '2'],
    ["'a\nb' ==~ /a.b/s", 'true'],
    ["new StringBuilder('abc') =~ /b/", 'true'],
  ])
})

describe('a script', () => {
  it('gives back the type of its context', () => {
    expect(run('1', '{}', 'double')).toBe(1)
    expect(run('params.a', '{"a":5}', 'double')).toBe(5)
    expect(run('params.a', '{"a":7}', 'long')).toBe(7)
    expect(run('params.a == 1', '{"a":1}', 'boolean')).toBe(true)
    expect(run('if (params.a == 1) return 5', '{}', 'double')).toBe(0)
    expect(run('if (params.a == 1) return true', '{}', 'boolean')).toBe(false)
    expect(run('List l = []; l.add(1)', '{}', 'void')).toBeNull()
  })

  it('tells which variables it reads', () => {
    expect([...compile('params.a + 1').uses]).toEqual(['params'])
    expect([...compile('1').uses]).toEqual([])
    expect([...compile("def f = [1].collect(x -> ctx.a); 'params'").uses]).toEqual(['ctx'])
  })

  it('may begin within an execution of itself', () => {
    const depths: number[] = []
    const again = {
      receiver: null,
      member: constantFunction('int', (n: number): number => {
        depths.push(n)
        return n === 0 ? 0 : (script.execute([new Map([['n', n - 1]])], freeRun()) as number)
      }),
    }
    const script: PainlessScript = compilePainless(
      'int before = params.n; int inner = again(before); return inner + before',
      { variables: [{ name: 'params', type: 'Map' }], returns: 'int' },
      { ...SETTINGS, functions: new Map([['again/1', again]]) },
    )
    expect(script.execute([new Map([['n', 3]])], freeRun())).toBe(6)
    expect(depths).toEqual([3, 2, 1, 0])
  })

  it('starts anew with each execution', () => {
    const script = compile('int n; n += params.a; n')
    const variables = [valueFrom('{"a":2}'), valueFrom('{}')]
    expect(script.execute(variables, freeRun())).toBe(2)
    expect(script.execute(variables, freeRun())).toBe(2)
  })

  it('keeps ints and doubles apart where it changes a document', () => {
    expect(
      changed('ctx.a += 1; ctx.b = 1.0; ctx.c = 5L / 2; ctx.d = ctx.e * 2', '{"a":1,"e":1.5}'),
    ).toEqual(
      changed(
        "ctx.a = 2; ctx.remove('e'); ctx.e = 1.5; ctx.b = 2.0 / 2; ctx.c = 2L; ctx.d = 3.0",
        '{"a":1,"e":1.5}',
      ),
    )
  })
})

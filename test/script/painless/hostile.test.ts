import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compilePainless } from '../../../src/script/painless/compile-painless.ts'
import { ScriptRun } from '../../../src/script/script-run.ts'
import { EngineError } from '../../../src/util/errors.ts'
import { cause, compile, freeRun, SETTINGS, text } from './run-script.ts'

const TOO_DEEP = 'stack_overflow_error: the script nests too deep'

describe('sources of 64 KiB', () => {
  it.each([
    ['parentheses', `${'('.repeat(10_000)}1${')'.repeat(10_000)}`],
    ['lists', `${'['.repeat(10_000)}${']'.repeat(10_000)}`],
    ['operators before an operand', `${'!'.repeat(60_000)}true`],
    ['sums', `1${'+1'.repeat(32_000)}`],
    ['properties', `params${'.a'.repeat(30_000)}`],
    ['conditionals', `${'true?1:'.repeat(9000)}1`],
    ['elvis', `${'params?:'.repeat(8000)}1`],
    ['assignments', `int x=0; ${'x='.repeat(20_000)}1`],
    ['blocks', `${'if(params.a){'.repeat(5000)}${'}'.repeat(5000)}`],
    ['branches', `${'if (params.a==1) {return 1} else { '.repeat(1500)}`],
    ['lambdas', `${'x->'.repeat(10_000)}1`],
    ['calls', 'f('.repeat(10_000)],
    ['loops', `${'for(;;)'.repeat(5000)}{int x=1}`],
    ['exceptions', 'try{'.repeat(3000)],
  ])('of nested %s are refused', (_, source) => {
    expect(cause(source)).toBe(TOO_DEEP)
  })

  it.each([
    ['minus signs', `${'-'.repeat(30_001)}1`],
    ['braces', '{'.repeat(30_000)],
    ['quotes', "'".repeat(65_001)],
    ['digits', '1'.repeat(60_000)],
    ['types', `int${'[]'.repeat(30_000)}`],
    ['names', 'a'.repeat(60_000)],
    ['constructors', 'new '.repeat(10_000)],
    ['open parentheses with a name', '(a,'.repeat(10_000)],
    ['comments that do not end', '/* '.repeat(20_000)],
  ])('of %s fail as short ones do', (_, source) => {
    expect(cause(source)).toMatch(/^(illegal_argument_exception|stack_overflow_error): /)
  })

  it('run where they are long and not deep', () => {
    expect(text(`def s = 0; ${'s += 1;'.repeat(8000)} s`)).toBe('8000')
    expect(text(`1${'+1'.repeat(990)}`)).toBe('991')
    expect(
      text(`if (params.a == 0) { 1 } ${'else if (params.a == 1) { 2 } '.repeat(1500)} else { 3 }`),
    ).toBe('3')
    expect(text(`[${'1,'.repeat(30_000)}1].size()`)).toBe('30001')
    expect(text(`${'('.repeat(250)}1${')'.repeat(250)}`)).toBe('1')
  })
})

describe('scripts without an end', () => {
  it.each([
    ['while (true) { int x = 1 }', 'painless_error'],
    ['for (;;) { params.a }', 'illegal_argument_exception'],
    ['def f(def x) { return [x].collect(y -> f(y)) } f(1)', 'stack_overflow_error'],
    ['def f() { return g() } def g() { return f() } f()', 'stack_overflow_error'],
    [
      "String s = 'a'; while (true) { s += s }",
      'circuit_breaking_exception: [script] string length limit of [1048576] exceeded',
    ],
    [
      "def l = []; String s = 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa'; while (true) { l.add(s + l.size()) }",
      'circuit_breaking_exception: [script] memory limit of [33554432] exceeded',
    ],
    [
      'def l = [1]; while (true) { l.addAll(l) }',
      'circuit_breaking_exception: [script] list size limit of [1048576] exceeded',
    ],
    [
      'def m = [:]; int i = 0; while (true) { m[i++] = 1 }',
      'circuit_breaking_exception: [script] memory limit of [33554432] exceeded',
    ],
    [
      'def l = []; while (true) { l.add([:]) }',
      'circuit_breaking_exception: [script] memory limit of [33554432] exceeded',
    ],
    [
      'def l = []; while (true) { l.add(new ArrayList()) }',
      'circuit_breaking_exception: [script] memory limit of [33554432] exceeded',
    ],
    [
      'def l = []; while (true) { Supplier s = () -> 1; l.add(s) }',
      'circuit_breaking_exception: [script] memory limit of [33554432] exceeded',
    ],
    [
      'int[] a = new int[2000000000]; 1',
      'circuit_breaking_exception: [script] list size limit of [1048576] exceeded',
    ],
    [
      'new int[100][100][100][100]',
      'circuit_breaking_exception: [script] memory limit of [33554432] exceeded',
    ],
  ])('%s: %s', (source, expected) => {
    expect(cause(source).slice(0, expected.length)).toBe(expected)
  })

  it('end at their deadline, and when they are cancelled', () => {
    const source =
      'int f() { int i = 0; while (i < 900000) { i++ } return i } while (params != null) { f() } 1'
    const late = new ScriptRun({ deadline: 0, maxBytes: 1e9, isCancelled: () => false })
    expect(() => compile(source).execute([new Map(), null], late)).toThrow(
      '[script] time limit of [1000] exceeded',
    )
    const cancelled = new ScriptRun({ deadline: Infinity, maxBytes: 1e9, isCancelled: () => true })
    expect(() => compile(source).execute([new Map(), null], cancelled)).toThrow(
      'The task is cancelled.',
    )
  })

  it('work again after they failed', () => {
    const script = compile(
      'def f(def n, def max) { return n > max ? 1 : f(n + 1, max) } f(0, params.n)',
    )
    const of = (n: number): unknown => script.execute([new Map([['n', n]]), null], freeRun())
    expect(() => of(1000)).toThrow('runtime error')
    expect(of(10)).toBe(1)
  })
})

describe('patterns that Java would not come to an end with', () => {
  it('take linear time, or stop', () => {
    expect(text(`'${'a'.repeat(5000)}' ==~ /(a+)+b/`)).toBe('false')
    expect(cause(`'${'a'.repeat(60)}' ==~ /(a*)*(a*)*\\1b/`)).toMatch(
      'circuit_breaking_exception: [scripting] Regular expression considered too many characters, ' +
        'pattern: [(a*)*(a*)*\\1b], limit factor: [6], char limit: [360], count: [361], wrapped: [aaa',
    )
  })
})

describe('names of the engine underneath', () => {
  it.each([
    ['params.__proto__', 'null'],
    ['params.constructor', 'null'],
    ['params.hasOwnProperty', 'null'],
    ['params.__proto__ = 1; params.__proto__ + 1', '2'],
    ["def m = ['__proto__': 1]; m.__proto__ + m['__proto__']", '2'],
    ["def m = [:]; m.get('constructor')", 'null'],
    ['def __proto__ = 1; __proto__ + 1', '2'],
    ['def constructor(def x) { return x } constructor(5)', '5'],
  ])('%s gives %s', (source, expected) => {
    expect(text(source)).toBe(expected)
  })

  it.each([
    ["params.constructor('x')", 'dynamic method [java.util.HashMap, constructor/1] not found'],
    [
      "params.hasOwnProperty('x')",
      'dynamic method [java.util.HashMap, hasOwnProperty/1] not found',
    ],
    ["'a'.constructor", 'field [java.lang.String, constructor] not found'],
    ["'a'.__proto__", 'field [java.lang.String, __proto__] not found'],
    ["'a'.toString.constructor", 'field [java.lang.String, toString] not found'],
    ['def s = "a"; s.__proto__', 'dynamic getter [java.lang.String, __proto__] not found'],
    ['def s = "a"; s.__proto__ = 1', 'dynamic setter [java.lang.String, __proto__] not found'],
    ['def l = []; l.constructor', 'dynamic getter [java.util.ArrayList, constructor] not found'],
    ['def l = []; l.map(x -> x)', 'dynamic method [java.util.ArrayList, map/1] not found'],
    ['def f = x -> x; f.call(1)', 'dynamic method [Lambda, call/1] not found'],
    ['Math.constructor', 'field [java.lang.Math, constructor] not found'],
    ['Math.__proto__(1)', 'method [java.lang.Math, __proto__/1] not found'],
    ['new constructor()', 'Not a type [constructor].'],
    ['__proto__ x = 1', 'Not a type [__proto__].'],
    ['(constructor) params', 'Not a type [constructor].'],
    ['params instanceof __proto__', 'Not a type [__proto__].'],
    ['toString()', 'Unknown call [toString] with [0] arguments.'],
    ['constructor', 'cannot resolve symbol [constructor]'],
    ['Function f = String::constructor; 1', 'method [java.lang.String, constructor/1] not found'],
  ])('%s: %s', (source, reason) => {
    expect(cause(source)).toBe(`illegal_argument_exception: ${reason}`)
  })
})

describe('any text', () => {
  const words = fc.constantFrom(
    ...'( ) [ ] { } . ?. , ; : ? ?: -> :: ! ~ + - * / % << >>> & | ^ == === < >= = += ++ -- =~ ==~'.split(
      ' ',
    ),
    ...'if else while do for in continue break return new try catch throw this instanceof null true'.split(
      ' ',
    ),
    ...'def int long double boolean String List Map Math Exception params ctx x y f 0 1 1.5 2L 07'.split(
      ' ',
    ),
    "'a'",
    '/a/',
    '__proto__',
    'constructor',
    '// c\n',
  )
  const sources = fc.oneof(
    fc.array(words, { maxLength: 30 }).map(list => list.join(' ')),
    fc.string({ maxLength: 50 }),
    fc.string({ unit: 'binary', maxLength: 50 }),
  )

  it('compiles, or fails with a script_exception whose position is in it', () => {
    fc.assert(
      fc.property(sources, source => {
        const context = { variables: [{ name: 'params', type: 'Map' }], returns: 'def' }
        const run = new ScriptRun({
          deadline: Infinity,
          maxBytes: 1 << 20,
          isCancelled: () => false,
        })
        try {
          compilePainless(source, context, SETTINGS).execute([new Map()], run)
        } catch (error) {
          expect(error).toBeInstanceOf(EngineError)
          const { type, extra } = (error as EngineError).record
          if (type === 'circuit_breaking_exception') return
          expect(type).toBe('script_exception')
          const { offset, start, end } = extra!['position'] as Record<string, number>
          expect(start).toBeLessThanOrEqual(offset!)
          expect(offset).toBeLessThanOrEqual(end!)
          expect(end).toBeLessThanOrEqual(source.length)
        }
      }),
      { numRuns: 3000 },
    )
  })
})

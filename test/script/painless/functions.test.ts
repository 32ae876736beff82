import { describe, expect, it } from 'vitest'
import { compilePainless } from '../../../src/script/painless/compile-painless.ts'
import { classOf, staticClass } from '../../../src/script/painless/library/class-of.ts'
import type { ClassType } from '../../../src/script/painless/library/class-type.ts'
import { members } from '../../../src/script/painless/library/members.ts'
import { cause, constantFunction, freeRun, SETTINGS, text } from './run-script.ts'

describe('functions', () => {
  it.each([
    ['int f(int n) { return n < 2 ? 1 : n * f(n - 1) } f(10)', '3628800'],
    ['double f(double x) { return x * 2 } f(3)', '6.0'],
    ['def f(def a) { return 1 } def f(def a, def b) { return 2 } f(0, 0)', '2'],
    ['void f(List l) { l.add(1) } List x = []; f(x); x', '[1]'],
    ['boolean f(Supplier s, def v) { return s.get() == v; } f(() -> { return 5 }, 5)', 'true'],
    ['def f(def n) { return n == 0 ? 0 : f(n - 1) } f(200)', '0'],
    ['def constructor(def x) { return x } constructor(5)', '5'],
  ])('%s gives %s', (source, expected) => {
    expect(text(source)).toBe(expected)
  })

  it('do not see the variables of the script', () => {
    expect(cause('def f() { return params.a } f()')).toBe(
      'illegal_argument_exception: cannot resolve symbol [params]',
    )
  })

  it('are offered by a context beside its own', () => {
    const functions = new Map([
      ['twice/1', { receiver: null, member: constantFunction('double', (x: number) => 2 * x) }],
      ['first/1', { receiver: 'params', member: constantFunction('def', () => 'got') }],
    ])
    const context = { variables: [{ name: 'params', type: 'Map' }], returns: 'def' }
    const of = (source: string): unknown =>
      compilePainless(source, context, { ...SETTINGS, functions }).execute([new Map()], freeRun())
    expect(of("'' + twice(1.5)")).toBe('3.0')
    expect(of('first(1)')).toBe('got')
    expect(of('double twice(double x) { return 0.5 } twice(3)')).toBe(0.5)
    const { uses } = compilePainless('first(1)', context, { ...SETTINGS, functions })
    expect([...uses]).toEqual(['params'])
  })
})

describe('classes of a context', () => {
  it('stand beside the allow-list there alone', () => {
    const doubled = {
      ...staticClass('Doubles', 'org.example.Doubles'),
      statics: { 'twice/1': constantFunction('double', (x: number) => 2 * x) },
    }
    const context = { variables: [], returns: 'double' }
    const settings = { ...SETTINGS, classes: [doubled] }
    expect(compilePainless('Doubles.twice(4)', context, settings).execute([], freeRun())).toBe(8)
    expect(cause('Doubles.twice(4)')).toBe(
      'illegal_argument_exception: cannot resolve symbol [Doubles]',
    )
  })
})

describe('a variable named doc', () => {
  it('is of its own class where the context says so', () => {
    const documents: ClassType = {
      ...classOf('SimilarityDoc', 'org.example.Doc', () => true),
      methods: members({ 'float getFreq()': (_run, doc: Map<string, number>) => doc.get('freq')! }),
    }
    const context = { variables: [{ name: 'doc', type: 'SimilarityDoc' }], returns: 'double' }
    const script = compilePainless('doc.freq * 2', context, { ...SETTINGS, classes: [documents] })
    expect(script.execute([new Map([['freq', 1.5]])], freeRun())).toBe(3)
  })
})

describe('lambdas', () => {
  it.each([
    ['Function f = x -> x + 1; f.apply(3)', '4'],
    ['int z = 4; Supplier s = () -> z; z = 5; s.get()', '4'],
    ['def l = [3,1,2]; l.sort((a, b) -> b - a); l', '[3, 2, 1]'],
    ['List l = [3,1,2]; l.sort((int a, int b) -> b - a); l', '[3, 2, 1]'],
    ['List l = [1,2,3]; l.removeIf(x -> { if (x > 1) { return true } }); l', '[1]'],
    ['def s = []; [1,2].each(x -> s.add(x * 2)); s', '[2, 4]'],
    ['[1,2,3].each(x -> x); 5', '5'],
    ['[[1,2],[3]].collect(x -> x.collect(y -> y + x.size()))', '[[3, 4], [4]]'],
    ['def f = params.a == null ? (x -> x + 1) : (x -> x); [1].collect(f)', '[2]'],
  ])('%s gives %s', (source, expected) => {
    expect(text(source)).toBe(expected)
  })

  it('may change their parameters, and nothing around them', () => {
    expect(text('Function f = x -> { x += 1; return x }; f.apply(1)')).toBe('2')
    expect(cause('int z = 1; Function f = y -> { z = 2; return y }; 1')).toBe(
      'illegal_argument_exception: Variable [z] is read-only.',
    )
  })

  it('have as many parameters as their place wants', () => {
    expect(cause('List l = [3,1,2]; l.sort((a) -> 1)')).toBe(
      'illegal_argument_exception: Incorrect number of parameters for [java.util.Comparator]: expected [2] but found [1]',
    )
    expect(cause('def l = [3,1,2]; l.sort((a) -> 1)')).toBe(
      'illegal_argument_exception: Incorrect number of parameters for lambda: expected [2] but found [1]',
    )
  })

  it('stand where a function is wanted alone', () => {
    expect(cause('List l = x -> x')).toBe(
      'illegal_argument_exception: Cannot convert function reference [lambda] to [java.util.List], not a functional interface',
    )
  })
})

describe('method references', () => {
  it.each([
    ['def l = [3,1,2]; l.sort(Integer::compare); l', '[1, 2, 3]'],
    ['int cmp(def a, def b) { return b - a } def l = [3,1,2]; l.sort(this::cmp); l', '[3, 2, 1]'],
    ['int cmp(def a, def b) { return b - a } List l = [3,1,2]; l.sort(this::cmp); l', '[3, 2, 1]'],
    ['Supplier s = ArrayList::new; s.get()', '[]'],
    ["Function f = String::length; f.apply('abc')", '3'],
    ['Function f = Integer::toString; f.apply(5)', '5'],
    ["def s = 'abc'; Supplier f = s::length; f.get()", '3'],
    ['IntFunction f = int[]::new; f.apply(4).length', '4'],
    ['[1].collect(String::valueOf)', '[1]'],
  ])('%s gives %s', (source, expected) => {
    expect(text(source)).toBe(expected)
  })

  it.each([
    ['Function f = String::foo; 1', 'method [java.lang.String, foo/1] not found'],
    ['Supplier f = List::new; 1', 'constructor [java.util.List, <init>/0] not found'],
    ['Supplier f = this::g; 1', 'Unknown call [g] with [0] arguments.'],
  ])('%s does not compile', (source, reason) => {
    expect(cause(source)).toBe(`illegal_argument_exception: ${reason}`)
  })
})

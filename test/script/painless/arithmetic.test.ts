import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { doubleText, floatText } from '../../../src/util/json/float-text.ts'
import { cause, text } from './run-script.ts'

/** A number of Java's, in the model: integers as bigint, the others as number. */
type Model =
  | { readonly kind: 'int' | 'long'; readonly value: bigint }
  | { readonly kind: 'float' | 'double'; readonly value: number }

type Kind = Model['kind']

/** An expression as source, and what it is. Null: it divides by zero. */
interface Sample {
  readonly source: string
  readonly model: Model | null
}

const KINDS: readonly Kind[] = ['int', 'long', 'float', 'double']
const BITS = { int: 32, long: 64 } as const

const ints = fc.oneof(
  fc.integer(),
  fc.constantFrom(0, 1, -1, 2147483647, -2147483648, 31, 32, 33, 65535, 16777217),
)
const longs = fc.oneof(
  fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
  fc.bigInt({ min: -(2n ** 54n), max: 2n ** 54n }),
  fc.constantFrom(
    0n,
    1n,
    -1n,
    2n ** 53n,
    2n ** 53n - 1n,
    -(2n ** 53n),
    2n ** 63n - 1n,
    -(2n ** 63n),
    63n,
  ),
)
const doubles = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.integer().map(Number),
  fc.constantFrom(0.5, 1, -1.5, 1e300, 1e-300, 3, 16777216, 2 ** 53),
)

const leaf: fc.Arbitrary<Sample> = fc.oneof(
  ints.map(value => sample(literal(String(value)), 'int', BigInt(value))),
  longs.map(value => sample(literal(`${value}L`), 'long', value)),
  doubles.map(value => sample(literal(`${decimal(value)}d`), 'double', value)),
  doubles
    .map(Math.fround)
    .filter(Number.isFinite)
    .map(value => sample(literal(`${decimal(value)}f`), 'float', value)),
)

const tree: fc.Arbitrary<Sample> = fc.letrec<{ tree: Sample }>(tie => ({
  tree: fc.oneof(
    { maxDepth: 5, withCrossShrink: true },
    leaf,
    fc
      .tuple(
        fc.constantFrom('+', '-', '*', '/', '%', '&', '|', '^', '<<', '>>', '>>>'),
        tie('tree'),
        tie('tree'),
      )
      .map(([sign, a, b]) => binary(sign, a, b)),
    fc.tuple(fc.constantFrom('-', '~'), tie('tree')).map(([sign, a]) => unary(sign, a)),
    fc.tuple(fc.constantFrom(...KINDS), tie('tree')).map(([kind, a]) => cast(kind, a)),
  ),
})).tree

describe('arithmetic', () => {
  it('gives for literals and casts what Java gives', () => {
    fc.assert(
      fc.property(tree, ({ source, model }) => {
        expect(outcome(source)).toBe(shown(model))
      }),
      { numRuns: 1500 },
    )
  })

  it('gives for variables of any type what it gives for literals', () => {
    fc.assert(
      fc.property(
        leaf,
        leaf,
        fc.constantFrom('+', '-', '*', '/', '%', '&', '|', '^', '<<', '>>', '>>>'),
        (a, b, sign) => {
          const expected = shown(binary(sign, a, b).model)
          const typed = `${a.model!.kind} a = ${a.source}; ${b.model!.kind} b = ${b.source}; a ${sign} b`
          expect(outcome(typed)).toBe(expected)
          const dynamic = outcome(`def a = ${a.source}; def b = ${b.source}; return a ${sign} b`)
          expect(dynamic).toBe(expected)
          expect(outcome(`def a = ${a.source}; return a ${sign} ${b.source}`)).toBe(expected)
          expect(outcome(`def b = ${b.source}; return ${a.source} ${sign} b`)).toBe(expected)
        },
      ),
      { numRuns: 1500 },
    )
  })

  it('compares numbers by value, whatever their kinds', () => {
    fc.assert(
      fc.property(leaf, leaf, fc.constantFrom('==', '!=', '<', '<=', '>', '>='), (a, b, sign) => {
        const expected = String(compared(sign, a.model!, b.model!))
        expect(text(`${a.source} ${sign} ${b.source}`)).toBe(expected)
        expect(text(`def a = ${a.source}; def b = ${b.source}; a ${sign} b`)).toBe(expected)
      }),
      { numRuns: 1000 },
    )
  })

  it('narrows what a compound assignment writes', () => {
    fc.assert(
      fc.property(leaf, leaf, fc.constantFrom('+', '-', '*'), (a, b, sign) => {
        const { kind } = a.model!
        const expected = shown(cast(kind, binary(sign, a, b)).model)
        expect(outcome(`${kind} a = ${a.source}; a ${sign}= ${b.source}; a`)).toBe(expected)
      }),
      { numRuns: 500 },
    )
  })
})

/** The text that a source prints; null where it divides by zero or has no such operator. */
function outcome(source: string): string | null {
  try {
    return text(source)
  } catch {
    const reason = cause(source)
    expect(reason).toMatch(/\/ by zero|Cannot apply|cannot apply/)
    return null
  }
}

function shown(model: Model | null): string | null {
  if (model === null) return null
  if (model.kind === 'double') return doubleText(model.value)
  return model.kind === 'float' ? floatText(model.value) : String(model.value)
}

function sample(source: string, kind: Kind, value: bigint | number): Sample {
  return { source, model: { kind, value } as Model }
}

function literal(source: string): string {
  return `(${source})`
}

function decimal(value: number): string {
  return Object.is(value, -0) ? '-0' : String(value)
}

function binary(sign: string, a: Sample, b: Sample): Sample {
  const source = `(${a.source} ${sign} ${b.source})`
  return { source, model: a.model && b.model && operate(sign, a.model, b.model) }
}

function operate(sign: string, a: Model, b: Model): Model | null {
  const isShift = /^[<>]/.test(sign)
  const kind = isShift ? a.kind : KINDS[Math.max(KINDS.indexOf(a.kind), KINDS.indexOf(b.kind))]!
  if (kind === 'float' || kind === 'double') {
    const [x, y] = [Number(as(kind, a)), Number(as(kind, b))]
    const value = { '+': x + y, '-': x - y, '*': x * y, '/': x / y, '%': x % y }[sign]
    if (value === undefined) return null
    return { kind, value: kind === 'float' ? Math.fround(value) : value }
  }
  if (typeof b.value === 'number') return null
  const bits = BITS[kind]
  const [x, y] = [a.value as bigint, b.value]
  const distance = BigInt.asUintN(bits === 32 ? 5 : 6, y)
  if ((sign === '/' || sign === '%') && y === 0n) return null
  const value = {
    '+': () => x + y,
    '-': () => x - y,
    '*': () => x * y,
    '/': () => x / y,
    '%': () => x % y,
    '&': () => x & y,
    '|': () => x | y,
    '^': () => x ^ y,
    '<<': () => x << distance,
    '>>': () => x >> distance,
    '>>>': () => BigInt.asUintN(bits, x) >> distance,
  }[sign]!()
  return { kind, value: BigInt.asIntN(bits, value) }
}

function unary(sign: string, { source, model }: Sample): Sample {
  const made = `(${sign} ${source})`
  if (model === null) return { source: made, model }
  if (typeof model.value === 'number')
    return sign === '-' ? sample(made, model.kind, -model.value) : { source: made, model: null }
  const bits = BITS[model.kind as 'int' | 'long']
  return sample(made, model.kind, BigInt.asIntN(bits, sign === '-' ? -model.value : ~model.value))
}

function cast(kind: Kind, { source, model }: Sample): Sample {
  const made = `((${kind}) ${source})`
  return model === null ? { source: made, model } : sample(made, kind, as(kind, model))
}

/** A number converted as Java's casts do. */
function as(kind: Kind, model: Model): bigint | number {
  const { value } = model
  if (kind === 'double') return Number(value)
  if (kind === 'float') return typeof value === 'bigint' ? floatOf(value) : Math.fround(value)
  const bits = BITS[kind]
  if (typeof value === 'bigint') return BigInt.asIntN(bits, value)
  if (Number.isNaN(value)) return 0n
  const max = 2n ** BigInt(bits - 1) - 1n
  if (value >= Number(max)) return max
  return value <= -Number(max) - 1 ? -max - 1n : BigInt(Math.trunc(value))
}

/** The float next to an integer, by trying its neighbours. */
function floatOf(value: bigint): number {
  const near = Math.fround(Number(value))
  if (!Number.isFinite(near)) return near
  const step = 2 ** Math.max(0, Math.floor(Math.log2(Math.abs(near) || 1)) - 24)
  const all = [
    near,
    Math.fround(near - step),
    Math.fround(near + step),
    Math.fround(near + 2 * step),
    Math.fround(near - 2 * step),
  ]
  const far = (each: number): bigint => {
    const distance = BigInt(each) - value
    return distance < 0n ? -distance : distance
  }
  const isEven = (each: number): boolean =>
    new Uint32Array(new Float32Array([each]).buffer)[0]! % 2 === 0
  return all.reduce((best, each) =>
    far(each) < far(best) || (far(each) === far(best) && isEven(each)) ? each : best,
  )
}

function compared(sign: string, a: Model, b: Model): boolean {
  const kind = KINDS[Math.max(KINDS.indexOf(a.kind), KINDS.indexOf(b.kind))]!
  const [x, y] = [as(kind, a), as(kind, b)]
  switch (sign) {
    case '==':
      return x === y
    case '!=':
      return x !== y
    case '<':
      return x < y
    case '<=':
      return x <= y
    case '>':
      return x > y
    default:
      return x >= y
  }
}

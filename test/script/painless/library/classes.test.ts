import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ClassType, Member } from '../../../../src/script/painless/library/class-type.ts'
import { CLASSES } from '../../../../src/script/painless/library/classes.ts'
import { NativeFunction } from '../../../../src/script/painless/library/native-function.ts'
import { ScriptFault } from '../../../../src/script/script-fault.ts'
import { ScriptRun } from '../../../../src/script/script-run.ts'
import { BigIntegerValue } from '../../../../src/script/value/big-integer.ts'
import { boxed } from '../../../../src/script/value/boxing.ts'
import { DocDateValue } from '../../../../src/script/value/date/zoned-date-time.ts'
import { MapEntry } from '../../../../src/script/value/map-entry.ts'
import { PatternValue } from '../../../../src/script/value/pattern-value.ts'
import { ScriptArray } from '../../../../src/script/value/script-array.ts'
import {
  classNameOf,
  ScriptObject,
  type ScriptValue,
} from '../../../../src/script/value/script-value.ts'
import {
  UnmodifiableMap,
  UnmodifiableSet,
  unmodifiableList,
} from '../../../../src/script/value/unmodifiable.ts'
import { EngineError } from '../../../../src/util/errors.ts'
import { Float32, Float64 } from '../../../../src/util/json/json-value.ts'
import { Random } from '../../../../src/util/random.ts'
import { classNamed, lineOf, methodOf } from './library-caller.ts'

const PRIMITIVES = new Set('boolean byte short char int long float double'.split(' '))
const NAMES = new Set(CLASSES.map(type => type.name))

interface Site {
  readonly type: ClassType
  readonly label: string
  readonly member: Member
  readonly hasReceiver: boolean
}

function sitesOf(type: ClassType): Site[] {
  const sites = (
    members: Readonly<Record<string, Member>>,
    hasReceiver: boolean,
    mark: string,
  ): Site[] =>
    Object.entries(members).map(([key, member]) => ({
      type,
      label: `${type.name}${mark}${key}`,
      member,
      hasReceiver,
    }))
  return [
    ...sites(type.methods, true, '#'),
    ...sites(type.statics, false, '.'),
    ...sites(type.constructors, false, ' new '),
  ]
}

/** Those first that need no receiver: what they give is a receiver of the others. */
const SITES: readonly Site[] = CLASSES.flatMap(sitesOf).sort(
  (a, b) => Number(a.hasReceiver) - Number(b.hasReceiver),
)

function isKnown(type: string): boolean {
  const bare = type.replace(/(\[\])+$/, '')
  return bare === 'def' || PRIMITIVES.has(bare) || NAMES.has(bare)
}

describe('the allow-list', () => {
  it('names each class once', () => {
    expect(NAMES.size).toBe(CLASSES.length)
    expect(new Set(CLASSES.map(type => type.javaName)).size).toBe(CLASSES.length)
  })

  it('names only types that exist', () => {
    const unknown: string[] = []
    for (const type of CLASSES) {
      for (const above of type.supers) if (!NAMES.has(above)) unknown.push(`${type.name}: ${above}`)
      for (const [name, { type: of }] of Object.entries(type.constants))
        if (!isKnown(of)) unknown.push(`${type.name}.${name}: ${of}`)
      const { functional } = type
      if (functional !== null)
        for (const of of [...functional.parameters, functional.returns])
          if (of !== 'void' && !isKnown(of)) unknown.push(`${type.name}: ${of}`)
    }
    for (const { label, member } of SITES)
      for (const of of [...member.parameters, member.returns])
        if (of !== 'void' && !isKnown(of)) unknown.push(`${label}: ${of}`)
    expect(unknown).toEqual([])
  })

  it('files each member under its name and number of arguments', () => {
    for (const type of CLASSES) {
      for (const members of [type.methods, type.statics])
        for (const [key, { parameters }] of Object.entries(members))
          expect(key, type.name).toMatch(new RegExp(`^[A-Za-z]\\w*/${parameters.length}$`))
      for (const [count, { parameters, returns }] of Object.entries(type.constructors)) {
        expect(parameters.length, type.name).toBe(Number(count))
        expect(returns, type.name).toBe(type.name)
      }
    }
  })

  it('ends every line of supers at Object', () => {
    for (const type of CLASSES) {
      if (type.name === 'Object') continue
      expect(methodOf(type, 'hashCode/0'), type.name).toBeDefined()
      expect(lineOf(type), type.name).toContain(classNamed('Object'))
    }
  })

  it('gives out plain values, never a function or an object of the host', () => {
    for (const type of CLASSES)
      for (const [name, { type: of, value }] of Object.entries(type.constants))
        expect(conforms(of, value), `${type.name}.${name}`).toBe(true)
  })
})

/** Whether a value has the form of a type (class-type.ts). */
function conforms(type: string, value: unknown): boolean {
  switch (type) {
    case 'void':
      return true
    case 'boolean':
      return typeof value === 'boolean'
    case 'byte':
      return isIntIn(value, -128, 127)
    case 'short':
      return isIntIn(value, -32768, 32767)
    case 'char':
      return isIntIn(value, 0, 65535)
    case 'int':
      return isIntIn(value, -2147483648, 2147483647)
    case 'long':
      return typeof value === 'number'
        ? Number.isSafeInteger(value)
        : typeof value === 'bigint' &&
            BigInt.asIntN(64, value) === value &&
            !Number.isSafeInteger(Number(value))
    case 'float':
      return typeof value === 'number' && Object.is(Math.fround(value), value)
    case 'double':
      return typeof value === 'number'
  }
  if (value === null) return true
  if (type.endsWith('[]'))
    return (
      value instanceof ScriptArray &&
      value.itemType === type.slice(0, -2) &&
      value.items.every(item => conforms(value.itemType, item))
    )
  return isValue(value) && (type === 'def' || classNamed(type).isInstance(value))
}

function isIntIn(value: unknown, min: number, max: number): boolean {
  return typeof value === 'number' && (value | 0) === value && value >= min && value <= max
}

function isValue(value: unknown): value is Exclude<ScriptValue, null> {
  switch (typeof value) {
    case 'boolean':
    case 'string':
      return true
    case 'number':
      return !Number.isInteger(value) || (Object.is(value, value | 0) as boolean)
    case 'bigint':
      return BigInt.asIntN(64, value) === value
    case 'object':
      return (
        value instanceof Float64 ||
        value instanceof Float32 ||
        value instanceof ScriptObject ||
        Array.isArray(value) ||
        value instanceof Map ||
        value instanceof Set
      )
    default:
      return false
  }
}

const TEXTS = [
  '1e9999',
  '-12.3400',
  '9'.repeat(9000),
  '',
  'a',
  'Abc',
  '10',
  '-7',
  '1.5',
  ' x ',
  '😀b',
  'a,b,c',
  '$1',
  '%5.2f|%s',
  '[a',
  '(a+)+b',
  'Europe/Paris',
  '2020-01-31T10:11:12Z',
  'PT1H',
  'P1D',
  'yyyy-MM-dd',
  '\ud800',
  'x'.repeat(300),
]
const INTS = [0, 1, -1, 2, 3, 7, 10, 16, 36, 97, 128, 1000, 65536, 2147483647, -2147483648]
const LONGS = [0, 1, -1, 5, 4294967296, 9007199254740991, 2n ** 63n - 1n, -(2n ** 63n), 2n ** 60n]
const DOUBLES = [0, -0, 1, -1, 0.5, 2.5, 1e10, -1e300, 5e-324, Number.NaN, Infinity, -Infinity]

/** Values of one class that calls add to the pool. */
const MAX_OF_A_CLASS = 8

/** Values as scripts hold them, to which calls add what they give. */
class Pool {
  readonly #counts = new Map<string, number>()
  readonly #values: ScriptValue[]
  readonly #random: () => number
  readonly #functions: (returns: string) => ScriptValue

  constructor(random: () => number) {
    this.#random = random
    const self: ScriptValue[] = [1]
    self.push(self)
    this.#values = [
      ...TEXTS,
      ...INTS,
      ...LONGS.map(BigInt),
      ...DOUBLES.map(value => boxed('double', value)),
      new Float32(1.5),
      new BigIntegerValue(2n ** 70n),
      new PatternValue('(?<x>a)(b)?', '', 6),
      new PatternValue('', 'CASE_INSENSITIVE', null),
      new ScriptArray('byte', [1, -2]),
      new ScriptArray('long', [1, 2n ** 60n]),
      new ScriptArray('double', [1, 0.5]),
      new MapEntry('a', 1, null),
      new DocDateValue(1_483_273_341_234),
      new UnmodifiableMap(new Map([['a', 1]])),
      new UnmodifiableSet([1, 'a']),
      unmodifiableList([1, 2]),
      true,
      false,
      [],
      [3, 1, 2],
      ['b', 'a', null],
      [1.5, 'x', new Float64(1)],
      self,
      new Map(),
      new Map<ScriptValue, ScriptValue>([
        ['a', 1],
        ['b', [1, 2]],
        [null, null],
      ]),
      new Map<ScriptValue, ScriptValue>([
        [new Float64(1), 'one'],
        [[1], 'list'],
      ]),
      new Set<ScriptValue>([1, 'a', null]),
      new ScriptArray('def', ['a', 1, null]),
      new ScriptArray('String', ['b', 'a']),
      new ScriptArray('int', [3, 1, 2]),
      new ScriptArray('char', [97, 98]),
    ]
    this.#functions = returns =>
      new NativeFunction('java.util.function.Function', () => {
        if (returns === 'void') return null
        const value = this.typed(returns)
        return value === undefined ? null : boxed(returns, value)
      })
  }

  /** Keeps a value, few of each class. */
  add(value: ScriptValue): void {
    if (value === null) return
    const name = classNameOf(value)
    const count = this.#counts.get(name) ?? 0
    if (count === MAX_OF_A_CLASS) return
    this.#counts.set(name, count + 1)
    this.#values.push(value)
  }

  pick<T>(values: readonly T[]): T {
    return values[Math.floor(this.#random() * values.length)]!
  }

  /** A value in the form of a type; undefined: there is none yet. */
  typed(type: string): ScriptValue | undefined {
    switch (type) {
      case 'boolean':
        return this.pick([true, false])
      case 'byte':
      case 'short':
        return this.pick([0, 1, -1, 100])
      case 'char':
        return this.pick([0, 32, 65, 97, 0xd800, 0xffff])
      case 'int':
        return this.pick(INTS)
      case 'long':
        return this.pick(LONGS)
      case 'float':
        return Math.fround(this.pick(DOUBLES))
      case 'double':
        return this.pick(DOUBLES)
      case 'def':
        return this.#random() < 0.1 ? null : this.pick(this.#values)
    }
    if (this.#random() < 0.05) return null
    if (type.endsWith('[]')) return this.#instance(value => conforms(type, value))
    const { functional, isInstance } = classNamed(type)
    if (functional !== null) return this.#functions(functional.returns)
    return this.#instance(isInstance)
  }

  /** An instance of a class, never null. */
  instance(type: ClassType): ScriptValue | undefined {
    if (type.functional !== null) return this.#functions(type.functional.returns)
    return this.#instance(type.isInstance)
  }

  #instance(fits: (value: Exclude<ScriptValue, null>) => boolean): ScriptValue | undefined {
    const fitting = this.#values.filter(value => value !== null && fits(value))
    return fitting.length === 0 ? undefined : this.pick(fitting)
  }
}

/** Limits that stop what does not end by itself. */
function shortRun(): ScriptRun {
  return new ScriptRun({
    deadline: performance.now() + 100,
    maxBytes: 1 << 20,
    isCancelled: () => false,
  })
}

function isCounted(error: unknown): boolean {
  return error instanceof ScriptFault || error instanceof EngineError
}

describe('any member with any inputs of its types', () => {
  it('answers a value of its type or throws a counted error', () => {
    const reached = new Set<string>()
    fc.assert(
      fc.property(fc.nat(), seed => {
        const random = new Random(seed)
        const pool = new Pool(() => random.next())
        for (const type of CLASSES)
          for (const { type: of, value } of Object.values(type.constants))
            pool.add(boxed(of, value))
        for (let round = 0; round < 3 * SITES.length; round++) {
          const { type, label, member, hasReceiver } = SITES[round % SITES.length]!
          const receiver = hasReceiver ? pool.instance(type) : null
          const inputs = member.parameters.map(parameter => pool.typed(parameter))
          if (receiver === undefined || inputs.includes(undefined)) continue
          const started = performance.now()
          reached.add(label)
          try {
            const result = member.call(shortRun(), receiver as never, ...(inputs as never[]))
            expect(conforms(member.returns, result), `${label} answered ${show(result)}`).toBe(true)
            if (member.returns !== 'void') pool.add(boxed(member.returns, result))
          } catch (error) {
            if (isCounted(error)) continue
            const shown = inputs.map(show).join(', ')
            throw new Error(`${label} on ${show(receiver)} (${shown})`, { cause: error })
          }
          expect(performance.now() - started, label).toBeLessThan(5000)
        }
      }),
      { numRuns: 25, endOnFailure: true },
    )
    const missed = SITES.map(({ label }) => label).filter(label => !reached.has(label))
    expect(missed).toEqual([])
  })
})

function show(value: unknown): string {
  if (typeof value === 'bigint') return `${value}n`
  if (typeof value === 'string') return JSON.stringify(value.slice(0, 40))
  if (value instanceof ScriptObject) return value.className
  if (value instanceof Float64 || value instanceof Float32) return `Float ${value.value}`
  return value !== null && typeof value === 'object' ? value.constructor.name : String(value)
}

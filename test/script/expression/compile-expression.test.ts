import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  bindExpression,
  bindToNumbers,
  readExpression,
} from '../../../src/script/expression/compile-expression.ts'
import type {
  ExpressionBindings,
  ExpressionField,
} from '../../../src/script/expression/expression-field.ts'
import type { ScriptValue } from '../../../src/script/value/script-value.ts'
import { EngineError, type ErrorRecord } from '../../../src/util/errors.ts'

function numbers(...values: number[]): ExpressionField {
  return fieldOf('number', values)
}

function fieldOf(kind: ExpressionField['kind'], values: readonly number[]): ExpressionField {
  return {
    kind,
    size: kind === 'geo_point' ? values.length / 2 : values.length,
    valueAt: index => values[index]!,
    latitude: () => values[0]!,
    longitude: () => values[1]!,
  }
}

const FIELDS: Readonly<Record<string, ExpressionField>> = {
  n: numbers(1, 2, 6, 7),
  odd: numbers(1, 5, 9),
  none: numbers(),
  "it's": numbers(3),
  date: fieldOf('date', [Date.UTC(2016, 1, 29, 13, 45, 6, 123)]),
  old: fieldOf('date', [Date.UTC(-44, 2, 15)]),
  never: fieldOf('date', []),
  place: fieldOf('geo_point', [48.5, 2.25]),
  nowhere: fieldOf('geo_point', []),
}

const BINDINGS: ExpressionBindings = {
  field: name => (name === 'text' ? 'unusable' : (FIELDS[name] ?? 'missing')),
  score: () => 2.5,
  value: () => 7,
}

function run(source: string, params: Readonly<Record<string, ScriptValue>> = {}): number {
  return bindExpression(readExpression(source), new Map(Object.entries(params)), BINDINGS)()
}

function failure(act: () => unknown): ErrorRecord {
  try {
    act()
  } catch (error) {
    if (error instanceof EngineError) return error.record
    throw error
  }
  throw new Error('nothing failed')
}

describe('operators and literals of expressions', () => {
  const rows: readonly [string, number][] = [
    ['1', 1],
    ['1.5e3', 1500],
    ['.5', 0.5],
    ['2.', 2],
    ['0x1F', 31],
    ['017', 15],
    ['0', 0],
    ['1 + 2 * 3', 7],
    ['(1 + 2) * 3', 9],
    ['7 - 2 - 1', 4],
    ['7 / 2', 3.5],
    ['7 % 4', 3],
    ['-7 % 4', -3],
    ['1 / 0', Infinity],
    ['-2 + +3', 1],
    ['!0', 1],
    ['!0.5', 0],
    ['~5', -6],
    ['~4294967296', -4294967297],
    ['6 & 3', 2],
    ['6 | 3', 7],
    ['6 ^ 3', 5],
    ['6.9 & 3.9', 2],
    ['1 << 40', 1099511627776],
    ['1 << 64', 1],
    ['-16 >> 2', -4],
    ['1099511627776 >> 30', 1024],
    ['-1 >>> 60', 15],
    ['4294967296 | 1', 4294967297],
    ['1 < 2', 1],
    ['2 <= 1', 0],
    ['2 > 1', 1],
    ['2 >= 3', 0],
    ['2 == 2.0', 1],
    ['2 != 2', 0],
    ['2 && 0', 0],
    ['0 || 3', 1],
    ['1 ? 2 : 3', 2],
    ['0 ? 2 : 0 ? 3 : 4', 4],
    ['1 || 0 && 0', 1],
    ['1 | 2 ^ 3 & 1', 3],
    ['1 + 1 == 2', 1],
    ['1 << 1 + 1', 4],
  ]
  for (const [source, expected] of rows) it(source, () => expect(run(source)).toBe(expected))
})

describe('functions of expressions', () => {
  const rows: readonly [string, number][] = [
    ['abs(-2)', 2],
    ['acos(1)', 0],
    ['acosh(1)', 0],
    ['asin(0)', 0],
    ['asinh(0)', 0],
    ['atan(1)', Math.PI / 4],
    ['atan2(1, 1)', Math.PI / 4],
    ['atanh(0)', 0],
    ['ceil(1.2)', 2],
    ['cos(0)', 1],
    ['cosh(0)', 1],
    ['exp(1)', Math.E],
    ['floor(1.8)', 1],
    ['ln(exp(2))', 2],
    ['log10(1000)', 3],
    ['logn(2, 8)', 3],
    ['max(1, 2)', 2],
    ['min(1, 2)', 1],
    ['pow(2, 10)', 1024],
    ['sin(0)', 0],
    ['sinh(0)', 0],
    ['sqrt(9)', 3],
    ['tan(0)', 0],
    ['tanh(0)', 0],
  ]
  for (const [source, expected] of rows)
    it(source, () => expect(run(source)).toBeCloseTo(expected, 12))

  it('haversin gives kilometers', () => {
    expect(run('haversin(48.8566, 2.3522, 51.5074, -0.1278)')).toBeCloseTo(343.556, 2)
  })
})

describe('variables of expressions', () => {
  const rows: readonly [string, number][] = [
    ['_score * 2', 5],
    ['_value', 7],
    ["doc['n']", 1],
    ['doc["n"].value', 1],
    [String.raw`doc['it\'s'].value`, 3],
    ["doc['n'].empty", 0],
    ["doc['none'].empty", 1],
    ["doc['n'].length", 4],
    ["doc['n'].min()", 1],
    ["doc['n'].max()", 7],
    ["doc['n'].median()", 4],
    ["doc['odd'].median()", 5],
    ["doc['n'].avg()", 4],
    ["doc['n'].sum()", 16],
    ["doc['n'].count()", 4],
    ["doc['n'].getValue()", 1],
    ["doc['n'].isEmpty()", 0],
    ["doc['n'].size()", 4],
    ["doc['none']", 0],
    ["doc['none'].avg() + doc['none'].median() + doc['none'].max()", 0],
    ["doc['date'].getYear()", 2016],
    ["doc['date'].getMonth()", 1],
    ["doc['date'].getDayOfMonth()", 29],
    ["doc['date'].getHourOfDay()", 13],
    ["doc['date'].getMinutes()", 45],
    ["doc['date'].getSeconds()", 6],
    ["doc['date'].value", 1456753506123],
    ["doc['date'].min()", 1456753506123],
    ["doc['date'].date.centuryOfEra", 20],
    ["doc['date'].date.dayOfMonth", 29],
    ["doc['date'].date.dayOfWeek", 1],
    ["doc['date'].date.dayOfYear", 60],
    ["doc['date'].date.era", 1],
    ["doc['old'].date.era", 0],
    ["doc['old'].date.yearOfEra", 45],
    ["doc['date'].date.hourOfDay", 13],
    ["doc['date'].date.millisOfDay", 49506123],
    ["doc['date'].date.millisOfSecond", 123],
    ["doc['date'].date.minuteOfDay", 825],
    ["doc['date'].date.minuteOfHour", 45],
    ["doc['date'].date.monthOfYear", 2],
    ["doc['date'].date.secondOfDay", 49506],
    ["doc['date'].date.secondOfMinute", 6],
    ["doc['date'].date.weekOfWeekyear", 9],
    ["doc['date'].date.weekyear", 2016],
    ["doc['date'].date.year", 2016],
    ["doc['date'].date.yearOfCentury", 16],
    ["doc['date'].date.getYear()", 2016],
    ["doc['never'].date.year", 1970],
    ["doc['place'].lat", 48.5],
    ["doc['place'].lon", 2.25],
    ["doc['place'].getLat()", 48.5],
    ["doc['place'].empty", 0],
    ["doc['nowhere'].empty", 1],
    ["doc['nowhere'].lon", 0],
  ]
  for (const [source, expected] of rows) it(source, () => expect(run(source)).toBe(expected))

  it('are parameters first', () => {
    expect(run('a + b.c', { a: 1, 'b.c': 2n })).toBe(3)
    expect(run('_score', { _score: 9 })).toBe(9)
  })

  it('are read anew for each document', () => {
    const values = [1]
    const field = fieldOf('number', values)
    const reader = bindExpression(readExpression("doc['f'].value * 2"), new Map(), {
      ...BINDINGS,
      field: () => field,
    })
    expect(reader()).toBe(2)
    values[0] = 5
    expect(reader()).toBe(10)
  })
})

describe('errors of expressions', () => {
  const causes: readonly [string, string][] = [
    ['a', 'Unknown variable [a]'],
    ['a.b', 'Unknown variable [a]'],
    ['doc', "Variable 'doc' must be used with a specific field like: doc['myfield']"],
    ['doc.f', "Variable 'doc' must be used with a specific field like: doc['myfield']"],
    ["doc['x'].value", 'Field [x] does not exist in mappings'],
    ["doc['text'].value", 'Field [text] must be numeric, date, or geopoint'],
    ['p', 'Parameter [p] must be a numeric type'],
  ]
  for (const [source, reason] of causes)
    it(`${source}: ${reason}`, () => {
      const record = failure(() => run(source, { p: 'text' }))
      expect(record).toMatchObject({
        type: 'script_exception',
        reason: 'link error',
        extra: { script: source, lang: 'expression' },
        causedBy: { type: 'parse_exception', reason },
      })
    })

  const members: readonly [string, string][] = [
    ["doc['n'].foo()", 'Member method [foo] does not exist for numeric field [n].'],
    ["doc['n'].foo", 'Member variable [foo] does not exist for numeric field [n].'],
    ["doc['n'].getYear()", 'Member method [getYear] does not exist for numeric field [n].'],
    ["doc['date'].foo()", 'Member method [foo] does not exist for date field [date].'],
    [
      "doc['date'].date.foo",
      'Member variable [foo] does not exist for date object on field [date].',
    ],
    ["doc['place'].value", 'Member variable [value] does not exist for geo field [place].'],
    [
      "doc['n'].a.b",
      "Variable [doc['n'].a.b] does not follow an allowed format of either doc['field'] or doc['field'].method()",
    ],
  ]
  for (const [source, reason] of members)
    it(`${source}: ${reason}`, () => {
      expect(failure(() => run(source))).toMatchObject({
        reason: 'link error',
        causedBy: { type: 'illegal_argument_exception', reason },
      })
    })

  const syntax: readonly [string, string, number][] = [
    ['', 'unexpected end of expression', 0],
    ['1 +', 'unexpected end of expression', 3],
    ['_score * foo bar', "unexpected token 'bar' on line (1) position (13)", 13],
    ['1\n+ )', "unexpected token ')' on line (2) position (2)", 4],
    ['1 # 2', "unexpected character '#' on line (1) position (2)", 2],
    ["doc['f", "unexpected character '[' on line (1) position (3)", 3],
    ['foo(1)', 'Unrecognized function call (foo).', 0],
    ['foo()', 'Unrecognized function call (foo).', 0],
    ["doc['n'].min(1)", "Unrecognized function call (doc['n'].min).", 0],
    ['abs(1, 2)', 'Expected (1) arguments for function call (abs), but found (2).', 0],
    ['a = 1', "unexpected character '=' on line (1) position (2)", 2],
  ]
  for (const [source, reason, offset] of syntax)
    it(`${JSON.stringify(source)}: ${reason}`, () => {
      const record = failure(() => readExpression(source))
      expect(record).toMatchObject({
        type: 'script_exception',
        reason: 'compile error',
        extra: { lang: 'expression', position: { offset } },
        causedBy: { type: 'parse_exception', reason },
      })
    })

  it('refuses what nests without end', () => {
    for (const source of [
      `${'('.repeat(50_000)}1`,
      '-'.repeat(50_000),
      `1${'+1'.repeat(50_000)}`,
      `${'1?'.repeat(50_000)}`,
      `${'abs('.repeat(50_000)}`,
    ])
      expect(failure(() => readExpression(source)).causedBy?.reason).toBe(
        'the expression nests too deep',
      )
  })

  it('reads any text or refuses it', () => {
    const part = fc.constantFrom(
      '1',
      '.',
      'doc',
      "['n']",
      '(',
      ')',
      '+',
      '-',
      '!',
      '?',
      ':',
      'abs',
      ',',
      ' ',
      '<<',
      '&&',
      '"',
      "'",
      '0x',
      'e',
      '.min()',
      '_score',
      '😀',
    )
    fc.assert(
      fc.property(fc.array(part, { maxLength: 12 }), parts => {
        try {
          expect(typeof run(parts.join(''))).toBe('number')
        } catch (error) {
          expect(error).toBeInstanceOf(EngineError)
        }
      }),
      { numRuns: 2000 },
    )
  })

  it('computes what JavaScript computes', () => {
    const leaf = fc.constantFrom('1', '2.5', '0', '-3', '7')
    const tree = fc.letrec<{ node: string }>(tie => ({
      node: fc.oneof(
        { maxDepth: 4 },
        leaf,
        fc
          .tuple(
            tie('node'),
            fc.constantFrom('+', '-', '*', '/', '%', '<', '>', '==', '!='),
            tie('node'),
          )
          .map(([a, operator, b]) => `(${a} ${operator} ${b})`),
        fc.tuple(tie('node'), tie('node'), tie('node')).map(([a, b, c]) => `(${a} ? ${b} : ${c})`),
      ),
    })).node
    fc.assert(
      fc.property(tree, source => {
        // NaN is true as a condition here, so that the oracle tells it from 0 by hand.
        const oracle = source.replaceAll(' ? ', ' != 0 ? ')
        expect(run(source)).toBe(Number(new Function(`return ${oracle}`)()))
      }),
    )
  })
})

describe('an expression over numbers of each run', () => {
  it('is given them by name', () => {
    const add = bindToNumbers(readExpression('a + b * 2'))
    expect(
      add(
        new Map([
          ['a', 1],
          ['b', 2],
        ]),
      ),
    ).toBe(5)
    expect(
      add(
        new Map<string, ScriptValue>([
          ['a', 2n],
          ['b', 0.5],
        ]),
      ),
    ).toBe(3)
  })

  it('refuses names and values that it has no use for', () => {
    const add = bindToNumbers(readExpression('a'))
    expect(failure(() => add(new Map([['c', 1]]))).reason).toBe(
      'Error using a. The variable [c] does not exist in the executable expressions script.',
    )
    expect(failure(() => add(new Map([['a', 'x']]))).reason).toBe(
      'Error using a. Executable expressions scripts can only process numbers.  The variable [a] is not a number.',
    )
  })
})

import { describe, expect, it } from 'vitest'
import { GeoPointValue } from '../../../../src/script/doc/geo-point-value.ts'
import {
  SCORE_FUNCTIONS,
  type ScoreDocument,
} from '../../../../src/script/painless/library/score-functions.ts'
import { DocDateValue } from '../../../../src/script/value/date/zoned-date-time.ts'
import type { ScriptValue } from '../../../../src/script/value/script-value.ts'
import { freeRun } from './library-caller.ts'

function documentOf(number: number, text = 'x'): ScoreDocument {
  return {
    number,
    salt: 42,
    firstValueText: () => text,
    termFreq: () => 2,
    tf: () => 0.5,
    totalTermFreq: () => 10,
    sumTotalTermFreq: () => 2n ** 60n,
  }
}

function score(name: string, inputs: readonly ScriptValue[], document = documentOf(7)): number {
  const member = SCORE_FUNCTIONS[`${name}/${inputs.length}`]!
  return member.call(freeRun(), document as never, ...(inputs as never[])) as number
}

describe('score functions', () => {
  it('saturate and bend', () => {
    expect(score('saturation', [2, 2])).toBe(0.5)
    expect(score('sigmoid', [2, 2, 1])).toBe(0.5)
  })

  const decay: readonly [string, number, number][] = [
    ['Linear', 25, 0.5],
    ['Exp', 25, 0.5],
    ['Gauss', 25, 0.5],
    ['Linear', 5, 1],
    ['Linear', 1000, 0],
    ['Gauss', 45, 0.0625],
  ]
  for (const [shape, value, expected] of decay)
    it(`decayNumeric${shape} at ${value}`, () => {
      expect(score(`decayNumeric${shape}`, [0, 20, 5, 0.5, value])).toBeCloseTo(expected, 12)
    })

  it('decay over dates', () => {
    const day = 86_400_000
    const at = (text: string, days: number): number =>
      score('decayDateExp', [text, '10d', '2d', 0.5, new DocDateValue(days * day)])
    expect(at('1970-01-01', 12)).toBeCloseTo(0.5, 12)
    expect(at('0', 1)).toBe(1)
    expect(() => at('never', 1)).toThrow('failed to parse date field [never]')
    expect(() => score('decayDateExp', ['0', '10', '0', 0.5, new DocDateValue(0)])).toThrow(
      'unit is missing',
    )
  })

  it('decay over places', () => {
    const at = (origin: string, scale: string): number =>
      score('decayGeoLinear', [origin, scale, '0', 0.5, new GeoPointValue(0, 1)])
    expect(at('0,0', '111195m')).toBeCloseTo(0.5, 4)
    expect(at('0, 1', '5km')).toBe(1)
    expect(() => at('0,0', '5 parsecs')).toThrow('failed to parse distance [5 parsecs]')
    expect(() => at('nowhere!', '5km')).toThrow('expected a place')
  })

  it('are random by seed and value', () => {
    const first = score('randomScore', [1])
    expect(score('randomScore', [1])).toBe(first)
    expect(score('randomScore', [2])).not.toBe(first)
    expect(score('randomScore', [1], documentOf(8))).not.toBe(first)
    expect(score('randomScore', [1, 'f'], documentOf(7, 'a'))).toBe(
      score('randomScore', [1, 'f'], documentOf(8, 'a')),
    )
    for (let i = 0; i < 100; i++) {
      const value = score('randomScore', [i])
      expect(value >= 0 && value < 1).toBe(true)
    }
  })

  it('ask the index', () => {
    expect(score('termFreq', ['f', 't'])).toBe(2)
    expect(score('tf', ['f', 't'])).toBe(0.5)
    expect(score('totalTermFreq', ['f', 't'])).toBe(10)
    expect(score('sumTotalTermFreq', ['f'])).toBe(2n ** 60n)
  })
})

import fc from 'fast-check'
import { expect, it } from 'vitest'
import { resolveDateMath } from '../../../src/engine/metadata/date-math-name.ts'
import { EngineError } from '../../../src/util/errors.ts'

const NOW = Date.UTC(2024, 2, 22, 12, 30)

it.each([
  ['logs', 'logs'],
  ['<logs>', 'logs'],
  ['<logs-{now/d}>', 'logs-2024.03.22'],
  ['<logs-{now/M}>', 'logs-2024.03.01'],
  ['<logs-{now/M{uuuu.MM}}>', 'logs-2024.03'],
  ['<logs-{now/M-1M{uuuu.MM}}>', 'logs-2024.02'],
  ['<logs-{now/d{uuuu.MM.dd|+12:00}}>', 'logs-2024.03.23'],
  ['<logs-{now/h{uuuu.MM.dd.HH|Europe/Paris}}>', 'logs-2024.03.22.13'],
  ['<a-{now/d}-b-{now+1d/d{MM-dd}}>', 'a-2024.03.22-b-03-23'],
  ['<e\\{x\\}-{now/d}>', 'e{x}-2024.03.22'],
])('resolves %s to %s', (name, wanted) => {
  expect(resolveDateMath(name, NOW)).toBe(wanted)
})

it.each([
  ['<logs-{now/d>', 'date math placeholder is open ended'],
  ['<logs-{now/d{uuuu}>', 'date math placeholder is open ended'],
  ['<logs-{now/d{uuuu}x}>', 'missing closing `}` for date math format'],
  ['<logs-{now/d{}}>', 'missing date format'],
  ['<logs-{now/d{uu{uu}}}>', 'invalid character in placeholder at position [14]'],
  [
    '<logs-}>',
    'invalid character at position [5]. `{` and `}` are reserved characters and should be escaped ' +
      'when used as part of the index name using `\\` (e.g. `\\{text\\}`)',
  ],
  ['<>', 'nothing captured'],
])('refuses %s', (name, reason) => {
  expect(() => resolveDateMath(name, NOW)).toThrow(
    `invalid dynamic name expression [${name.slice(1, -1)}]. ${reason}`,
  )
})

it('answers any text with a name or an error of the API', () => {
  const piece = fc.constantFrom('{', '}', '\\', 'now', '/d', '|', 'uuuu', '+1M', 'x', '+02:00')
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), pieces => {
      try {
        expect(typeof resolveDateMath(`<${pieces.join('')}>`, NOW)).toBe('string')
      } catch (error) {
        expect(error).toBeInstanceOf(EngineError)
      }
    }),
    { numRuns: 500 },
  )
})

import { expect, it } from 'vitest'
import { parseDistance } from '../../src/util/distance.ts'

it.each([
  ['5km', 5000],
  ['5', 5],
  [' 2.5 mi ', 4023.36],
  ['1e3m', 1000],
  ['3 nmi', 5556],
  ['10mm', 0.01],
  ['1yd', 0.9144],
  ['12in', 0.3048],
])('reads %s as metres', (text, metres) => {
  expect(parseDistance(text)).toBeCloseTo(metres, 9)
})

it.each(['', 'km', '5 parsecs', 'five', '1,5km'])('finds no distance in %s', text => {
  expect(parseDistance(text)).toBeNull()
})

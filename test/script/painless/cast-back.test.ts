import { expect, it } from 'vitest'
import { changed, text } from './run-script.ts'

it.each([
  ['def x = 1; x += 1.5; x', '2'],
  ['def x = 7; x /= 2.0; x', '3'],
  ['def x = 1; x += 5000000000L; x', '705032705'],
  ['def x = 1L; x += 2; x instanceof Long', 'true'],
  ['def x = 1L; x *= 2.9; x', '2'],
  ['def x = 1.5f; x -= 0.5; x instanceof Float', 'true'],
  ['def x = 1.5f; x -= 0.9; x', '0.6'],
  ['def x = 1.5; x += 1; x', '2.5'],
  ['def x = 1.5; x += 1f; x instanceof Double', 'true'],
  ["def x = 1; x += 'a'; x", '1a'],
  ["def x = 'a'; x += 1.5; x", 'a1.5'],
  ['def l = [1, 2]; l[0] += 0.9; l', '[1, 2]'],
  ['def x = 1; def y = (x += 1.5); y', '2'],
])('compound assignments keep the class of a number: %s', (source, expected) => {
  expect(text(source)).toBe(expected)
})

it('holds for items of maps', () => {
  expect(changed('ctx.a += 0.5; ctx.b += 0.5', '{"a":1,"b":1.0}')).toEqual(
    changed('ctx.b += 0.5', '{"a":1,"b":1.0}'),
  )
})

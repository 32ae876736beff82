import { expect, it } from 'vitest'
import { hashMapOrder } from '../../../src/engine/dsl/hash-map-order.ts'

it.each([
  [['first_name', 'last_name'], 'last_name first_name'],
  [
    ['first_name', 'first_name.edge', 'last_name', 'last_name.edge'],
    'last_name.edge last_name first_name first_name.edge',
  ],
  [['body', 'title'], 'body title'],
  [['title', 'body'], 'title body'],
])('lists %j by bucket', (texts, order) => {
  expect(hashMapOrder(texts).join(' ')).toBe(order)
})

it('has twice the buckets from the thirteenth on', () => {
  const letters = [...'abcdefghijklm']
  expect(hashMapOrder(letters.slice(0, 12)).join('')).toBe('abcdefghijkl')
  expect(hashMapOrder(['q', 'p', ...letters.slice(0, 10)]).join('')).toBe('pqabcdefghij')
  expect(hashMapOrder(['q', 'p', ...letters]).join('')).toBe('abcdefghijklmpq')
})

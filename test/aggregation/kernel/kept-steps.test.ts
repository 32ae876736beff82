import { expect, it } from 'vitest'
import { KeptSteps } from '../../../src/aggregation/kernel/kept-steps.ts'

it('keeps what was used last, and nothing that takes an eighth of the room', () => {
  const kept = new KeptSteps<{ readonly count: number }>(80)
  const of = (count: number): { readonly count: number } => ({ count })
  kept.keep('large', of(11))
  expect(kept.find('large')).toBeNull()
  for (let i = 0; i < 8; i++) kept.keep(String(i), of(10))
  expect(kept.find('0')).toEqual({ count: 10 })
  kept.keep('8', of(10))
  // The first was used since: the second makes place.
  expect(kept.find('1')).toBeNull()
  for (const name of ['0', '2', '3', '4', '5', '6', '7', '8'])
    expect(kept.find(name)).toEqual({ count: 10 })
  kept.keep('9', of(1))
  expect(kept.find('0')).toBeNull()
  expect(kept.find('9')).toEqual({ count: 1 })
})

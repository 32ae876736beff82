import { describe, expect, it } from 'vitest'
import { reasonOf, valueReader } from '../../support/one-field.ts'

describe('boolean', () => {
  it('takes true and false, also as text, and an empty text for false', () => {
    const read = valueReader({ type: 'boolean' })
    expect(read('[true, false, "true", "false", ""]')).toEqual([1n, 0n, 1n, 0n, 0n])
    expect(reasonOf(() => read('1'))).toBe(
      'Failed to parse value [1] as only [true] or [false] are allowed.',
    )
  })
})

import { describe, expect, it } from 'vitest'
import { reasonOf, valueReader } from '../../support/one-field.ts'

describe('date', () => {
  it('keeps milliseconds, of dates in its format and of numbers', () => {
    const read = valueReader({ type: 'date' })
    expect(read('["1970-01-02", 86400001, "1969-12-31T23:59:59.999Z"]')).toEqual([
      86_400_000n,
      86_400_001n,
      -1n,
    ])
    expect(reasonOf(() => read('true'))).toMatch(/^failed to parse date field \[true\]/)
    expect(reasonOf(() => read('" "'))).toBe('cannot parse empty date')
  })

  it('passes over a null value that is no date', () => {
    expect(valueReader({ type: 'date', null_value: 'x' })('null')).toEqual([])
    expect(valueReader({ type: 'date', null_value: '1970-01-01' })('null')).toEqual([0n])
  })
})

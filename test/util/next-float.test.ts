import { describe, expect, it } from 'vitest'
import { nextFloat } from '../../src/util/next-float.ts'

describe('nextFloat', () => {
  it('is the least float32 above', () => {
    for (const score of [0, 1, 0.1, 1e-40, 16777216].map(Math.fround)) {
      const next = nextFloat(score)
      expect(next).toBeGreaterThan(score)
      expect(Math.fround(next)).toBe(next)
      expect(
        Math.fround((score + next) / 2) === score || Math.fround((score + next) / 2) === next,
      ).toBe(true)
    }
  })
})

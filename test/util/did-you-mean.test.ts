import { describe, expect, it } from 'vitest'
import { didYouMean, findAlike } from '../../src/util/did-you-mean.ts'

describe('did you mean', () => {
  it('finds names that are alike, the best first', () => {
    expect(findAlike('pretti', ['human', 'pretty', 'prettiest', 'refresh'])).toEqual([
      'pretty',
      'prettiest',
    ])
  })

  it('finds nothing at the ratio itself or below', () => {
    expect(findAlike('ab', ['ax', 'yz'])).toEqual([])
    expect(findAlike('', ['', 'a'])).toEqual([])
  })

  it('words one and several suggestions', () => {
    expect(didYouMean([])).toBe('')
    expect(didYouMean(['a'])).toBe(' did you mean [a]?')
    expect(didYouMean(['a', 'b'], ' -> ')).toBe(' -> did you mean any of [a, b]?')
  })

  it('does not compare what is far too long', () => {
    expect(findAlike('a'.repeat(100_000), ['a'.repeat(99_999)])).toEqual([])
  })
})

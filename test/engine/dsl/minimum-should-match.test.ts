import { describe, expect, it } from 'vitest'
import { minimumShouldMatch } from '../../../src/engine/dsl/minimum-should-match.ts'

describe('minimumShouldMatch', () => {
  it.each([
    ['2', 4, 2],
    ['-1', 4, 3],
    ['75%', 4, 3],
    ['70%', 3, 2],
    ['-25%', 4, 3],
    ['-25%', 3, 3],
    ['3<90%', 3, 3],
    ['3<90%', 10, 9],
    ['2<-25% 9<-3', 2, 2],
    ['2<-25% 9<-3', 8, 6],
    ['2<-25% 9<-3', 12, 9],
    ['7', 3, 7],
    ['-9', 3, 0],
  ])('reads %s of %d clauses as %d', (spec, count, expected) => {
    expect(minimumShouldMatch(spec, count)).toBe(expected)
  })

  it('refuses what is no number', () => {
    expect(() => minimumShouldMatch('some', 3)).toThrow('For input string: "some"')
  })
})

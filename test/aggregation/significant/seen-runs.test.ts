import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { SeenRuns } from '../../../src/aggregation/significant/seen-runs.ts'

/** Six tokens in a row that lie in no text before, nor further ahead in this one. */
function fresh(texts: readonly (readonly string[])[]): readonly (readonly string[])[] {
  const seen = new Set<string>()
  return texts.map(tokens => {
    const repeated = new Set<number>()
    for (let end = 6; end <= tokens.length; end++) {
      const run = tokens.slice(end - 6, end).join(' ')
      if (seen.has(run)) for (let i = end - 6; i < end; i++) repeated.add(i)
      seen.add(run)
    }
    return tokens.filter((_, i) => !repeated.has(i))
  })
}

describe('seen runs', () => {
  it('leaves out runs of six tokens that an earlier text had', () => {
    const runs = new SeenRuns()
    const run = ['a', 'b', 'c', 'd', 'e', 'f']
    expect(runs.fresh(['x', ...run])).toEqual(['x', ...run])
    expect(runs.fresh(['y', ...run, 'z'])).toEqual(['y', 'z'])
    expect(runs.fresh(run.slice(1))).toEqual(run.slice(1))
    expect(new SeenRuns().fresh([...run, ...run])).toEqual(run)
  })

  it('agrees with lists of runs (seed 19)', () => {
    // Bytes of the hashes of these tokens differ.
    const text = fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 30 })
    fc.assert(
      fc.property(fc.array(text, { maxLength: 6 }), texts => {
        const runs = new SeenRuns()
        expect(texts.map(tokens => runs.fresh(tokens))).toEqual(fresh(texts))
      }),
      { seed: 19 },
    )
  })
})

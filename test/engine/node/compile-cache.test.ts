import { describe, expect, it } from 'vitest'
import { CompileCache } from '../../../src/engine/node/compile-cache.ts'

const LIMITS = {
  maxSize: 2,
  expireMillis: 0,
  rate: { count: 3, millis: 3000 },
  rateText: '3/3s',
  setting: 'script.context.update.max_compilations_rate',
}

describe('the cache of compiled scripts', () => {
  const made: string[] = []
  const get = (
    cache: CompileCache<string>,
    key: string,
    now: number,
    limits: Partial<typeof LIMITS> = {},
  ): string =>
    cache.get(key, { ...LIMITS, ...limits }, now, () => {
      made.push(key)
      return key
    })

  it('compiles a source once, and drops the least recently used', () => {
    const cache = new CompileCache<string>()
    for (const key of ['a', 'b', 'a', 'c', 'a']) get(cache, key, 0)
    expect(made.splice(0)).toEqual(['a', 'b', 'c'])
    expect(cache.counts).toEqual({ compilations: 3, evictions: 1, refused: 0 })
  })

  it('refuses compilations beyond the rate, never what it has, and allows more with time', () => {
    const cache = new CompileCache<string>()
    for (const key of ['a', 'b', 'c']) get(cache, key, 0)
    let record: unknown = null
    try {
      get(cache, 'd', 0)
    } catch (error) {
      record = (error as { record: unknown }).record
    }
    expect(record).toMatchObject({
      type: 'general_script_exception',
      status: 429,
      rootCause: [
        {
          type: 'circuit_breaking_exception',
          reason:
            '[script] Too many dynamic script compilations within, max: [3/3s]; please use indexed, or ' +
            'scripts with parameters instead; this limit can be changed by the ' +
            '[script.context.update.max_compilations_rate] setting',
        },
      ],
    })
    expect(get(cache, 'c', 0)).toBe('c')
    expect(get(cache, 'd', 1000)).toBe('d')
    expect(() => get(cache, 'e', 1001)).toThrow('too many compilations')
    expect(cache.counts.refused).toBe(2)
    made.length = 0
  })

  it('forgets what was not used for long, and keeps nothing where its size is 0', () => {
    const cache = new CompileCache<string>()
    get(cache, 'a', 0, { expireMillis: 100 })
    get(cache, 'a', 99, { expireMillis: 100 })
    get(cache, 'a', 199, { expireMillis: 100 })
    get(cache, 'b', 200, { maxSize: 0 })
    get(cache, 'b', 5000, { maxSize: 0 })
    expect(made.splice(0)).toEqual(['a', 'a', 'b', 'b'])
  })
})

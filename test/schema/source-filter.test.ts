import { describe, expect, it } from 'vitest'
import { filterSource } from '../../src/schema/source-filter.ts'
import { decodeUtf8, encodeUtf8 } from '../../src/util/bytes.ts'

const SOURCE =
  '{ "a": {"b": 1.0, "c": [1,2], "d": {"e": "é"}}, "ab": true, "list": [{"b": 1}, {"c": 2}], "__proto__": 1 }'

function filtered(includes: readonly string[], excludes: readonly string[]): string | null {
  const kept = filterSource(encodeUtf8(SOURCE), { enabled: true, includes, excludes })
  return kept === null ? null : decodeUtf8(kept)
}

describe('filterSource', () => {
  it('gives the same bytes back when nothing is filtered', () => {
    expect(filtered([], [])).toBe(SOURCE)
  })

  it('gives nothing when the source is not wanted', () => {
    expect(
      filterSource(encodeUtf8('{}'), { enabled: false, includes: [], excludes: [] }),
    ).toBeNull()
  })

  it.each([
    [['a'], [], '{"a":{"b":1.0,"c":[1,2],"d":{"e":"é"}}}'],
    [['a.b'], [], '{"a":{"b":1.0}}'],
    [['*.b'], [], '{"a":{"b":1.0},"list":[{"b":1},{}]}'],
    [['a'], ['a.c'], '{"a":{"b":1.0,"d":{"e":"é"}}}'],
    [[], ['a', 'list'], '{"ab":true,"__proto__":1}'],
    [['a*'], ['*.d'], '{"a":{"b":1.0,"c":[1,2]},"ab":true}'],
    [['a.d.*'], [], '{"a":{"d":{"e":"é"}}}'],
    [['nothing'], [], '{}'],
    [['__proto__'], [], '{"__proto__":1}'],
    [['a'], ['a.*'], '{"a":{}}'],
  ])('keeps %j without %j', (includes, excludes, expected) => {
    expect(filtered(includes, excludes)).toBe(expected)
  })

  it('takes time linear in the text for a pattern of many stars', () => {
    const kept = filterSource(encodeUtf8(`{"${'a'.repeat(5000)}":1}`), {
      enabled: true,
      includes: ['*a'.repeat(100)],
      excludes: [],
    })
    expect(kept?.length).toBeGreaterThan(5000)
  })
})

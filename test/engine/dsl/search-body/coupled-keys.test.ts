import { describe, expect, it } from 'vitest'
import {
  checkCoupled,
  checkResultWindow,
  newCoupledDraft,
  takeCoupledOptions,
} from '../../../../src/engine/dsl/search-body/coupled-keys.ts'
import { encodeUtf8 } from '../../../../src/util/bytes.ts'
import { parseJsonTree } from '../../../../src/util/json/json-tree.ts'

describe('coupled keys', () => {
  it('refuses a window past the limit of the index', () => {
    const request = { ...newCoupledDraft(), from: 9995 }
    expect(() => checkResultWindow(request, 10_005)).not.toThrow()
    expect(() => checkResultWindow(request, 10_000)).toThrow(
      'Result window is too large, from + size must be less than or equal to: [10000] but was [10005].',
    )
  })

  it('exclude each other where the URL gives one of two', () => {
    const value = parseJsonTree(encodeUtf8('1'))
    const keys = { ...newCoupledDraft(), searchAfter: [value] }
    expect(() => checkCoupled(keys)).not.toThrow()
    takeCoupledOptions(keys, { from: 3 })
    expect(() => checkCoupled(keys)).toThrow(
      '`from` parameter must be set to 0 when `search_after` is used.',
    )
  })

  it('count exactly where totals are plain numbers, unless a limit was asked for', () => {
    const counted = (trackTotalHits?: number | boolean): number => {
      const keys = newCoupledDraft()
      takeCoupledOptions(keys, {
        restTotalHitsAsInt: true,
        ...(trackTotalHits === undefined ? {} : { trackTotalHits }),
      })
      return keys.trackTotalHits
    }
    expect(counted()).toBe(Number.POSITIVE_INFINITY)
    expect(counted(false)).toBe(-1)
    expect(() => counted(10_000)).toThrow('is not accurate, got 10000')
  })
})

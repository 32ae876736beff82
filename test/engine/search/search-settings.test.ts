import { describe, expect, it } from 'vitest'
import {
  allowsPartial,
  deadlineOf,
  isConcurrent,
  sliceSettings,
} from '../../../src/engine/search/search-settings.ts'
import { Settings } from '../../../src/schema/settings.ts'
import { nowInNanos } from '../../../src/util/clock.ts'

const NONE = Settings.EMPTY
const KEY = 'search.concurrent_segment_search'

function settings(entries: Record<string, string>): Settings {
  return NONE.with(new Map(Object.entries(entries)))
}

describe('search settings', () => {
  it('search in slices unless somebody says otherwise, the index before the cluster', () => {
    expect(isConcurrent(0, NONE, NONE)).toBe(true)
    expect(isConcurrent(5, settings({ [`index.${KEY}.mode`]: 'all' }), NONE)).toBe(false)
    const off = settings({ [`${KEY}.mode`]: 'none' })
    expect(isConcurrent(0, NONE, off)).toBe(false)
    expect(isConcurrent(0, settings({ [`index.${KEY}.mode`]: 'all' }), off)).toBe(true)
    expect(isConcurrent(0, settings({ [`index.${KEY}.enabled`]: 'false' }), NONE)).toBe(false)
  })

  it('cut as many slices as there are threads, up to 4, unless settings or the call say', () => {
    expect(sliceSettings(NONE, NONE, 0, undefined).maxSliceCount).toBe(1)
    expect(sliceSettings(NONE, NONE, 9, undefined).maxSliceCount).toBe(4)
    const two = settings({ 'search.concurrent.max_slice_count': '2' })
    expect(sliceSettings(NONE, two, 9, undefined)).toEqual({
      maxSliceCount: 2,
      intraSegment: 'auto',
      intraSegmentMinDocs: 65_536,
    })
    expect(sliceSettings(NONE, two, 9, 7)).toEqual({
      maxSliceCount: 7,
      intraSegment: 'auto',
      intraSegmentMinDocs: 4096,
    })
  })

  it('give up after the time of the request, else that of the cluster, else never', () => {
    expect(deadlineOf(null, NONE)).toBe(0)
    const now = nowInNanos()
    expect(deadlineOf(1000, NONE)).toBeGreaterThanOrEqual(now + 1e9)
    const cluster = settings({ 'search.default_search_timeout': '1h' })
    expect(deadlineOf(null, cluster)).toBeGreaterThanOrEqual(now + 3600e9)
    expect(deadlineOf(1000, cluster)).toBeLessThan(now + 3600e9)
  })

  it('allow answers that lack shards unless the request or the cluster forbid them', () => {
    const cluster = settings({ 'search.default_allow_partial_results': 'false' })
    expect([undefined, true, false].map(asked => allowsPartial(asked, NONE))).toEqual([
      true,
      true,
      false,
    ])
    expect(allowsPartial(undefined, cluster)).toBe(false)
  })
})

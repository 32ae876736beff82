import { describe, expect, it } from 'vitest'
import { aggregationsOf } from '../../src/cli/aggregation-text.ts'

describe('aggregationsOf', () => {
  it('reads types with their fields, intervals of histograms and precisions of grids', () => {
    expect(
      aggregationsOf([
        'terms:tags',
        'histogram:price:10',
        'date_histogram:at:1d',
        'geohash_grid:p',
      ]),
    ).toEqual({
      'terms:tags': { terms: { field: 'tags' } },
      'histogram:price:10': { histogram: { field: 'price', interval: 10 } },
      'date_histogram:at:1d': { date_histogram: { field: 'at', calendar_interval: '1d' } },
      'geohash_grid:p': { geohash_grid: { field: 'p' } },
    })
    expect(aggregationsOf(['geotile_grid:p:9', 'geohash_grid:p:5km'])).toEqual({
      'geotile_grid:p:9': { geotile_grid: { field: 'p', precision: '9' } },
      'geohash_grid:p:5km': { geohash_grid: { field: 'p', precision: '5km' } },
    })
  })

  it('refuses what lacks a part or has one too many', () => {
    for (const text of ['terms', 'terms:', ':tags', 'terms:tags:1', 'geohash_grid::3'])
      expect(() => aggregationsOf([text])).toThrow(
        `--agg takes TYPE:FIELD, as in terms:tags, found [${text}]`,
      )
    expect(() => aggregationsOf(['histogram:price'])).toThrow(
      '--agg histogram takes histogram:FIELD:INTERVAL, found [histogram:price]',
    )
  })
})

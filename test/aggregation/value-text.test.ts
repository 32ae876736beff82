import { expect, it } from 'vitest'
import type { ValueFormat } from '../../src/aggregation/value-source.ts'
import { numberText } from '../../src/aggregation/value-text.ts'

const DAY_IN_MILLIS = 86_400_000

it('prints dates by their own pattern, locale and zone, whatever was printed before', () => {
  const zones = ['UTC', '+01:00', '-05:30', 'Asia/Tokyo', 'America/New_York']
  const patterns = ['yyyy-MM-dd', 'dd.MM.yyyy HH:mm', 'MMM d', 'epoch_millis', 'EEE']
  const forms = zones.flatMap(zone => patterns.map(pattern => ({ zone, pattern })))
  const textsOf = ({ zone, pattern }: (typeof forms)[number]): string[] => {
    const format: ValueFormat = { kind: 'date', pattern, locale: 'en', zone }
    const { of } = numberText(format)
    return [0, 1, 200].map(day => of(day * DAY_IN_MILLIS))
  }
  const first = forms.map(textsOf)
  // More forms than are kept, the other way round.
  const again = forms.toReversed().map(textsOf).toReversed()
  expect(again).toEqual(first)
  const at = (zone: string, pattern: string): string[] | undefined =>
    first[forms.findIndex(each => each.zone === zone && each.pattern === pattern)]
  expect(at('UTC', 'yyyy-MM-dd')).toEqual(['1970-01-01', '1970-01-02', '1970-07-20'])
  expect(at('America/New_York', 'dd.MM.yyyy HH:mm')![0]).toBe('31.12.1969 19:00')
  expect(at('Asia/Tokyo', 'epoch_millis')).toEqual(['0', '86400000', '17280000000'])
  expect(new Set(first.map(texts => texts.join())).size).toBeGreaterThan(10)
})

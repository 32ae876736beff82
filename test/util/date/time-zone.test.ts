import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { findTimeZone, timeZone } from '../../../src/util/date/time-zone.ts'

const at = (text: string): number => Date.parse(`${text}Z`)

describe('time zones', () => {
  it('are offsets within 18 hours', () => {
    expect(timeZone('+01:30').toLocal(0)).toBe(5_400_000)
    expect(timeZone('UTC-3').toLocal(0)).toBe(-10_800_000)
    expect(timeZone('Z').toUtc(7)).toBe(7)
    for (const id of ['+19:00', '+01:60', '', '1', 'cet', 'Nowhere/Town', '__proto__'])
      expect(() => timeZone(id)).toThrow(`Unknown time-zone ID: ${id}`)
  })

  it('are regions, whose missing hour moves on and whose double hour is the earlier', () => {
    const paris = timeZone('Europe/Paris')
    expect(paris.toUtc(at('2021-03-28T02:30'))).toBe(at('2021-03-28T01:30'))
    expect(paris.toUtc(at('2021-10-31T02:30'))).toBe(at('2021-10-31T00:30'))
    expect(paris.toUtc(at('2021-10-31T03:30'))).toBe(at('2021-10-31T02:30'))
  })

  it('lead back from the local time to the instant, the second of two double hours apart', () => {
    const zones = ['Europe/Paris', 'America/New_York', 'Asia/Kolkata', 'Australia/Lord_Howe']
    fc.assert(
      fc.property(fc.constantFrom(...zones), fc.integer({ min: 0, max: 4e9 }), (id, seconds) => {
        const zone = timeZone(id)
        const local = zone.toLocal(seconds * 1000)
        const back = zone.toUtc(local)
        expect(zone.toLocal(back)).toBe(local)
        expect(back).toBeLessThanOrEqual(seconds * 1000)
      }),
    )
  })

  it('answer null or a zone to any text', () => {
    fc.assert(
      fc.property(fc.string(), id => {
        const zone = findTimeZone(id)
        if (zone !== null) expect(Number.isFinite(zone.toUtc(0))).toBe(true)
      }),
    )
    expect(Number.isFinite(timeZone('Europe/Paris').toUtc(9e15))).toBe(true)
  })
})

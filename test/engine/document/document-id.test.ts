import { afterEach, describe, expect, it, vi } from 'vitest'
import { newDocumentId } from '../../../src/engine/document/document-id.ts'

afterEach(() => {
  vi.useRealTimers()
})

describe('the id of a document that comes without one', () => {
  it('is 20 url-safe characters, and none comes twice, whatever the clock does', () => {
    vi.useFakeTimers()
    const seen = new Set<string>()
    for (let i = 0; i < 200_000; i++) {
      // Back, still and forth: a clock that was set must not bring an id back.
      if (i % 50_000 === 0) vi.setSystemTime(1_790_000_000_000 + [0, -5000, -5000, 3][i / 50_000]!)
      const id = newDocumentId()
      if (i % 1000 === 0) expect(id).toMatch(/^[\w-]{20}$/)
      seen.add(id)
    }
    expect(seen.size).toBe(200_000)
  })

  it('tells when it was made', () => {
    vi.useFakeTimers()
    vi.setSystemTime(2_000_000_000_000)
    expect(Buffer.from(newDocumentId(), 'base64url').readUIntBE(0, 6)).toBe(2_000_000_000_000)
  })
})

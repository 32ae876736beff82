import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { bufferMemory } from '../../src/indexing/inverted-buffer.ts'
import { TermLog } from '../../src/indexing/term-log.ts'
import { sortedTerms } from '../../src/indexing/term-order.ts'
import { compareBytes } from '../../src/util/bytes.ts'

describe('a term log', () => {
  it('numbers distinct terms in order of arrival and sorts those that are kept by their bytes', () => {
    const term = fc.oneof(
      fc.uint8Array({ maxLength: 8 }),
      fc.uint8Array({ maxLength: 3, max: 1 }),
      fc.uint8Array({ maxLength: 3 }).map(tail => Uint8Array.of(7, 7, 7, 7, 7, ...tail)),
    )
    fc.assert(
      fc.property(
        fc.array(term, { maxLength: 300 }),
        fc.infiniteStream(fc.boolean()),
        (terms, drop) => {
          const table = new TermLog(bufferMemory(), true)
          const known: Uint8Array[] = []
          for (const bytes of terms) {
            const before = known.findIndex(other => compareBytes(other, bytes) === 0)
            const padded = Uint8Array.of(99, ...bytes, 99)
            const number = table.add(padded, 1, 1 + bytes.length)
            expect(number).toBe(before < 0 ? known.length : before)
            if (before < 0) known.push(bytes)
          }
          expect(table.count).toBe(known.length)
          const keep = Int32Array.from(known, () => (drop.next().value ? 0 : 1))
          const expected = known
            .map((_, i) => i)
            .filter(i => keep[i] === 1)
            .sort((a, b) => compareBytes(known[a]!, known[b]!))
          expect([...sortedTerms(table.terms, keep)]).toEqual(expected)
          table.release()
        },
      ),
      { seed: 5, numRuns: 300 },
    )
  })
})

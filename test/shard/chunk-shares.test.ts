import { describe, expect, it } from 'vitest'
import { ACCEPTANCE, INVERSION, writtenFor } from '../../src/shard/chunk-shares.ts'
import type { WriteOperation } from '../../src/shard/write-operation.ts'
import type { BatchPart } from '../../src/shard/write-queue.ts'
import type { ExecutionCounter } from '../../src/util/cancellation.ts'

/** A counter with the times that it was told, null while a thread runs. */
function noting(): ExecutionCounter & { readonly told: (number | null)[] } {
  const told: (number | null)[] = []
  return {
    told,
    beginExecution() {
      const i = told.push(null) - 1
      return cpuInNanos => {
        told[i] = cpuInNanos
      }
    },
  }
}

const document = (bytes: number): WriteOperation =>
  ({ kind: 'index', source: new Uint8Array(bytes) }) as WriteOperation
const deletion = { kind: 'delete' } as WriteOperation

function part(counter: ExecutionCounter | null, ...operations: WriteOperation[]): BatchPart {
  const batch = {
    operations,
    outcomes: [],
    left: operations.length,
    isWithdrawn: false,
    done() {},
    counter,
  }
  return { batch, start: 0, end: operations.length }
}

describe('those for whom a chunk is written', () => {
  it('are told of all of it where it is one', () => {
    const counter = noting()
    expect(writtenFor([part(counter, document(1))], INVERSION)).toBe(counter)
    expect(writtenFor([part(null, document(1))], INVERSION)).toBeNull()
  })

  it('are nobody where nobody counts', () => {
    const chunk = [part(null, document(1)), part(null, document(1))]
    expect(writtenFor(chunk, INVERSION)).toBeNull()
  })

  it('share an inversion by the bytes of their documents, and an acceptance by operations', () => {
    const [one, other] = [noting(), noting()]
    const chunk = [
      part(one, document(744), deletion, deletion),
      part(null, document(744)),
      part(other, document(1744)),
    ]
    const endInversion = writtenFor(chunk, INVERSION)!.beginExecution!()
    expect([one.told, other.told]).toEqual([[null], [null]])
    endInversion(4000)
    expect([one.told, other.told]).toEqual([[1000], [2000]])
    writtenFor(chunk, ACCEPTANCE)!.beginExecution!()(500)
    expect([one.told, other.told]).toEqual([
      [1000, 300],
      [2000, 100],
    ])
  })

  it('are told of the part of a batch that the chunk has', () => {
    const [one, other] = [noting(), noting()]
    const whole = part(one, document(0), document(0), document(0))
    const chunk = [{ ...whole, start: 2 }, part(other, document(0))]
    writtenFor(chunk, INVERSION)!.beginExecution!()(1000)
    expect([one.told, other.told]).toEqual([[500], [500]])
  })

  it('share alike what none of them takes', () => {
    const [one, other] = [noting(), noting()]
    const chunk = [part(one, deletion), part(other, deletion)]
    writtenFor(chunk, INVERSION)!.beginExecution!()(1000)
    expect([one.told, other.told]).toEqual([[500], [500]])
  })
})

import type { LogLocation, LogOperation, LogStats, Translog } from './translog.ts'

/** Estimated bytes of an operation, besides its source. */
const OVERHEAD_BYTES = 64

/**
 * A log in memory: it serves gets and refills the buffer of a lost write worker, and is lost with
 * the process like all of an in-memory database.
 */
export class MemoryTranslog implements Translog {
  readonly id: string
  readonly hasUnsynced = false
  readonly leftovers: readonly string[] = []
  #generation = 1
  #bytes = 0
  #count = 0
  /** Operations by generation; a location is the operation's number among all ever appended. */
  readonly #generations = new Map<number, { first: number; operations: LogOperation[] }>()
  #appended = 0
  #oldestWriteAt = Date.now()

  constructor(id: string) {
    this.id = id
    this.#generations.set(1, { first: 0, operations: [] })
  }

  get generation(): number {
    return this.#generation
  }

  append(operation: LogOperation): LogLocation {
    this.#generations.get(this.#generation)!.operations.push(operation)
    this.#bytes += weight(operation)
    this.#count++
    this.#oldestWriteAt = Date.now()
    return this.#appended++
  }

  async sync(): Promise<void> {}

  read(location: LogLocation): LogOperation {
    for (const { first, operations } of this.#generations.values()) {
      const operation = operations[location - first]
      if (location >= first && operation !== undefined) return operation
    }
    throw new Error(`the operation at place ${location} was trimmed`)
  }

  *operations(from: number, to: number): Iterable<readonly [LogLocation, LogOperation]> {
    for (const { first, operations } of this.#generations.values())
      for (const [i, operation] of operations.entries())
        if (operation.seqNo >= from && operation.seqNo < to) yield [first + i, operation]
  }

  roll(): number {
    this.#generation++
    this.#generations.set(this.#generation, { first: this.#appended, operations: [] })
    return this.#generation
  }

  trim(generation: number): void {
    for (const [number, { operations }] of this.#generations) {
      if (number >= generation) break
      for (const operation of operations) this.#bytes -= weight(operation)
      this.#count -= operations.length
      this.#generations.delete(number)
    }
  }

  stats(): LogStats {
    return { operations: this.#count, bytes: this.#bytes, oldestWriteAt: this.#oldestWriteAt }
  }

  async close(): Promise<void> {
    this.#generations.clear()
  }
}

function weight(operation: LogOperation): number {
  return OVERHEAD_BYTES + (operation.kind === 'index' ? operation.source.length : 0)
}

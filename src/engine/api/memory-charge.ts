/** Memory that hangs on data or a request, as callers of the engine charge and see it. */

/** What a breaker guards; the parent guards all of them together. */
export type BreakerName = 'request' | 'fielddata' | 'in_flight_requests'

/** What one request holds. */
export interface Charge {
  /**
   * Charges bytes before they are allocated.
   * @throws {EngineError} 429 `circuit_breaking_exception` when they do not fit; nothing is charged
   */
  add(bytes: number): void
  /** Gives all of them back; idempotent. */
  release(): void
}

/** What a breaker shows. */
export interface BreakerView {
  readonly name: BreakerName | 'parent'
  readonly limitInBytes: number
  readonly usedInBytes: number
  readonly overhead: number
  /** How often it refused. */
  readonly tripped: number
}

/** Limits on the memory of requests. */
export interface MemoryApi {
  /** What the body of a request will hold; nothing yet. */
  openBody(): Charge
  /** Limits on memory, what counts against them and how often they refused. */
  breakers(): readonly BreakerView[]
}

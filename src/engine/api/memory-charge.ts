/** Memory that hangs on data or a request, as callers of the engine charge and see it. */

/** Names of the circuit breakers; `parent` bounds their sum. */
export type BreakerName = 'request' | 'fielddata' | 'in_flight_requests'

/** Memory of one request. */
export interface Charge {
  /**
   * Charges bytes before they are allocated.
   * @throws {EngineError} 429 `circuit_breaking_exception` when they do not fit; nothing is charged
   */
  add(bytes: number): void
  /** Gives all of them back; idempotent. */
  release(): void
}

/** Statistics of a circuit breaker. */
export interface BreakerView {
  readonly name: BreakerName | 'parent'
  readonly limitInBytes: number
  readonly usedInBytes: number
  readonly overhead: number
  /** Number of refusals. */
  readonly tripped: number
}

/** Limits on the memory of requests. */
export interface MemoryApi {
  /** Memory of request bodies; nothing is charged yet. */
  openBody(): Charge
  /** Limits on memory, what counts against them and how often they refused. */
  breakers(): readonly BreakerView[]
}

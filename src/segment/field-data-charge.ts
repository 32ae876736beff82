/** Memory that is charged before it is taken. */
export interface FieldDataCharge {
  /** @throws {EngineError} `circuit_breaking_exception` when the bytes do not fit */
  add(bytes: number): void
  release(): void
}

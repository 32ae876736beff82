/** The parts of the WebAssembly interface that are used here; Node's own types leave it out. */
declare namespace WebAssembly {
  class Memory {
    constructor(descriptor: { initial: number; maximum: number; shared: true })
    readonly buffer: SharedArrayBuffer
    /** By pages of 64 KiB; the number of pages before. */
    grow(pages: number): number
  }
  /** A trap. */
  class RuntimeError extends Error {}
  class Module {
    constructor(bytes: Uint8Array)
  }
  class Instance {
    constructor(module: Module, imports: Record<string, Record<string, unknown>>)
    readonly exports: Record<string, unknown>
  }
}

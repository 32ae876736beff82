import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** The kernels of one instance, bound to one memory; all addresses are bytes from its start. */
export interface Kernels {
  decodeDocs(at: number, bits: number, before: number, last: number, out: number): number
  decodeFreqs(at: number, bits: number, out: number): number
  decodeTail(
    at: number,
    count: number,
    hasFreqs: number,
    before: number,
    docs: number,
    freqs: number,
  ): number
  sumFreqs(freqs: number, out: number): void
  unpackPositions(at: number, width: number, start: number, count: number, out: number): void
  cross(value: number): number
}

let compiled: WebAssembly.Module | null = null

/** The compiled module, once a thread; a compiled module may also be posted to other threads. */
export function kernelModule(): WebAssembly.Module {
  compiled ??= new WebAssembly.Module(readFileSync(moduleFile()))
  return compiled
}

/** Binds the kernels to a shared memory: some 20 µs, no static data, state per instance only. */
export function instantiateKernels(memory: WebAssembly.Memory): Kernels {
  const instance = new WebAssembly.Instance(kernelModule(), { env: { memory } })
  return instance.exports as unknown as Kernels
}

/** In `dist/` the module lies beside this file; from sources it is the one that the build made. */
function moduleFile(): string {
  const here = import.meta.url
  const place = here.endsWith('.ts') ? '../../dist/kernels/kernels.wasm' : './kernels.wasm'
  return fileURLToPath(new URL(place, here))
}

import { existsSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { builtFile } from '../../src/util/built-file.ts'

describe('a built file', () => {
  it.each([
    // Folders above the project may have the same name.
    ['file:///usr/src/app/src/util/built-file.ts', 'file:///usr/src/app/dist/pool/x.cjs'],
    [
      'file:///usr/src/node_modules/lamella/dist/chunks/lane.js',
      'file:///usr/src/node_modules/lamella/dist/pool/x.cjs',
    ],
  ])('is found from %s as %s', (here, expected) => {
    expect(builtFile('pool/x.cjs', here).href).toBe(expected)
  })

  it.each(['kernels/kernels.wasm', 'pool/thread-entry.cjs', 'parallel/search-worker.js'])(
    'is there: %s',
    path => {
      expect(existsSync(builtFile(path))).toBe(true)
    },
  )
})

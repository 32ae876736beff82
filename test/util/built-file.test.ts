import { describe, expect, it } from 'vitest'
import { builtFile } from '../../src/util/built-file.ts'

describe('a built file', () => {
  it.each([
    ['file:///a/src/pool/lane.ts', 'file:///a/dist/pool/x.cjs'],
    // Folders above the project may have the same name.
    [
      'file:///usr/src/app/src/service/security/lane.ts',
      'file:///usr/src/app/dist/service/security/x.cjs',
    ],
    [
      'file:///usr/src/node_modules/lamella/dist/pool/lane.js',
      'file:///usr/src/node_modules/lamella/dist/pool/x.cjs',
    ],
  ])('stands beside %s as %s', (module, expected) => {
    expect(builtFile(module, 'x.cjs').href).toBe(expected)
  })
})

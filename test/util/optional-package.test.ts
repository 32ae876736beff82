import { describe, expect, it } from 'vitest'
import { optionalPackage } from '../../src/util/optional-package.ts'

describe('optionalPackage', () => {
  it('loads a package that is installed', () => {
    const { latLngToCell } = optionalPackage<typeof import('h3-js')>('h3-js', 'x')
    expect(latLngToCell(0, 0, 0)).toBe('8075fffffffffff')
  })

  it('names one that is not, and what needs it', () => {
    expect(() => optionalPackage('no-such-package', 'some_grid')).toThrow(
      '[some_grid] needs the package [no-such-package], which is not installed',
    )
  })
})

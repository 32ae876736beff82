import { createRequire } from 'node:module'
import { IllegalArgumentError } from './errors.ts'

const require = createRequire(import.meta.url)

/**
 * Loads a package that this one works without.
 * @param wanted name of what it is needed for, in errors
 * @throws {IllegalArgumentError} it is not installed
 */
export function optionalPackage<T>(name: string, wanted: string): T {
  try {
    return require(name) as T
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'MODULE_NOT_FOUND') throw error
    throw new IllegalArgumentError(
      `[${wanted}] needs the package [${name}], which is not installed`,
    )
  }
}

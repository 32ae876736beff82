import { lamellaError } from './lamella-error.ts'

/**
 * Seals the values of a file of keys (`name: value`) under the key of a data folder, whose node reads them so.
 * @param text of the file
 * @returns the file with sealed values; those that are sealed already stay
 * @throws {LamellaError} a line is none; the folder's key cannot be used
 */
export async function sealKeys(folder: string, text: string): Promise<string> {
  const keys = await import('../service/notification/sealed-keys.ts')
  try {
    return keys.sealKeys(folder, text)
  } catch (error) {
    throw lamellaError(error)
  }
}

import type { Database } from '../embed/database.ts'
import type { OpenOptions } from '../embed/open.ts'

/**
 * Opens a database. The engine is loaded for the first one: a help, a mistaken option or a verb that asks a
 * server does not wait for it.
 * @param folder undefined: in memory
 */
export async function openDatabase(folder?: string, options: OpenOptions = {}): Promise<Database> {
  const { open } = await import('../embed/open.ts')
  return await open(folder, options)
}

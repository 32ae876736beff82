/** The engines of the vectors' bench. */
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Command } from '../child-process.ts'
import { nodeRivalCommand } from '../node/package-setup.ts'

const HERE = fileURLToPath(new URL('.', import.meta.url))
const PACKAGES = join(HERE, 'node')

/** An engine that finds neighbours. */
export interface VectorEngine {
  readonly name: string
  /** Whether it compares all vectors, with no number of candidates. */
  readonly isExact: boolean
  /**
   * How its process is started.
   * @throws {Error} why it cannot run here
   */
  readonly command: () => Command
}

/** Every engine, Lamella first. Libraries that have to be compiled where they are installed are none of them. */
export const VECTOR_ENGINES: readonly VectorEngine[] = [
  {
    name: 'lamella',
    isExact: false,
    command: () => ({ program: process.execPath, args: [join(HERE, 'lamella-child.mjs')] }),
  },
  packaged('usearch', false, 'usearch'),
  packaged('lancedb', false, '@lancedb/lancedb'),
  packaged('sqlite-vec', true, 'sqlite-vec'),
]

function packaged(name: string, isExact: boolean, library: string): VectorEngine {
  const command = (): Command => nodeRivalCommand(PACKAGES, `${name}-child.mjs`, library)
  return { name, isExact, command }
}

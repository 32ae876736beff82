import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Command } from '../child-process.ts'

const HERE = fileURLToPath(new URL('.', import.meta.url))
/** A library that needs more has failed, and the machine is not to swap for it. */
const MAX_HEAP = '--max-old-space-size=6144'

/**
 * How the child of a Node library is started. The libraries are installed beside the bench with the
 * first use, by their own lock file, so that the product's install stays light.
 * @throws {Error} why the library is not there
 */
export function nodeRivalCommand(script: string, library: string): Command {
  if (!existsSync(join(HERE, 'node_modules'))) install()
  if (!existsSync(join(HERE, 'node_modules', library)))
    throw new Error(`${library} could not be installed here`)
  return { program: process.execPath, args: [MAX_HEAP, join(HERE, script)] }
}

function install(): void {
  try {
    execFileSync('npm', ['ci'], { cwd: HERE, stdio: ['ignore', 'ignore', 'pipe'] })
  } catch (error) {
    const { stderr } = error as { stderr?: Buffer }
    throw new Error(`npm ci failed: ${String(stderr).trim().split('\n').slice(-3).join('; ')}`)
  }
}

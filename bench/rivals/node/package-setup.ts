import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Command } from '../child-process.ts'

/** A library that needs more has failed, and the machine is not to swap for it. */
const MAX_HEAP = '--max-old-space-size=6144'

/**
 * How the child of a Node library is started. The libraries are installed beside the bench with the
 * first use, by their own lock file where they have one, so that the product's install stays light.
 * @param folder of the package
 * @throws {Error} why the library is not there
 */
export function nodeRivalCommand(folder: string, script: string, library: string): Command {
  if (!existsSync(join(folder, 'node_modules'))) install(folder)
  if (!existsSync(join(folder, 'node_modules', library)))
    throw new Error(`${library} could not be installed here`)
  return { program: process.execPath, args: [MAX_HEAP, join(folder, script)] }
}

function install(folder: string): void {
  const verb = existsSync(join(folder, 'package-lock.json')) ? 'ci' : 'install'
  try {
    execFileSync('npm', [verb], { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] })
  } catch (error) {
    const { stderr } = error as { stderr?: Buffer }
    throw new Error(`npm ${verb} failed: ${String(stderr).trim().split('\n').slice(-3).join('; ')}`)
  }
}

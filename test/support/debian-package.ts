/** Debian packages as test data: installed ones in place, others downloaded and unpacked, without root. */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Folder of a package's files.
 * @param path where the package installs what is wanted, `/usr/share/…`
 * @param cache a folder that is kept from run to run
 * @param isThere whether a folder has what is wanted
 * @throws {Error} it can neither be found nor downloaded
 */
export function debianFolder(
  name: string,
  path: string,
  cache: string,
  isThere: (folder: string) => boolean,
): string {
  const unpacked = join(cache, name)
  const folders = [path, join(unpacked, path)]
  const find = (): string | undefined =>
    folders.find(folder => existsSync(folder) && isThere(folder))
  const found = find()
  if (found !== undefined) return found
  mkdirSync(unpacked, { recursive: true })
  runProgram('apt-get', ['download', '-q', name], cache)
  const file = readdirSync(cache).find(each => each.startsWith(name) && each.endsWith('.deb'))
  if (file === undefined) throw new Error(`apt-get download gave no ${name}`)
  runProgram('dpkg-deb', ['-x', join(cache, file), unpacked])
  const folder = find()
  if (folder === undefined) throw new Error(`${name} lacks what is wanted of it`)
  return folder
}

/** @throws {Error} in one line, why a program failed */
export function runProgram(program: string, args: readonly string[], cwd?: string): void {
  try {
    execFileSync(program, args, { stdio: ['ignore', 'pipe', 'pipe'], ...(cwd && { cwd }) })
  } catch (error) {
    const { code, stderr } = error as { code?: string; stderr?: Buffer }
    if (code === 'ENOENT') throw new Error(`there is no ${program} on this machine`)
    const lines = String(stderr).trim().split('\n')
    const first = lines.find(line => line.includes('error')) ?? lines.at(-1)
    throw new Error(`${program} failed: ${first}`)
  }
}

/** Folders of snapshot repositories: below those that a node allows, and not behind links. */
import { realpathSync, statSync } from 'node:fs'
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'
import { IllegalArgumentError } from '../util/errors.ts'
import type { Directory } from './directory.ts'
import { FsDirectory } from './fs-directory.ts'
import { makeFolder } from './make-folder.ts'

/** A repository's folder, open. */
export interface RepositoryFolder {
  /** With links resolved: the same for every way that leads there. */
  readonly path: string
  readonly directory: Directory
  /** The folder `blobs` in it. */
  readonly blobs: Directory
}

/** Name of the folder of blobs. */
export const BLOBS = 'blobs'

/**
 * Opens the folder of a repository, made if missing.
 * @param roots    folders below which repositories may lie, absolute
 * @param location absolute, or relative to the first of them
 * @throws {IllegalArgumentError} a location outside of all of them, one with `..` in it, one of a root itself,
 *   one that a link leads to, or no folder
 */
export function openRepositoryFolder(roots: readonly string[], location: string): RepositoryFolder {
  const fault = (text: string): IllegalArgumentError =>
    new IllegalArgumentError(`location [${location}] ${text}`)
  const outside = fault("doesn't match any of the locations specified by path.repo")
  if (location.includes('\0') || location.split(/[\\/]/).includes('..')) throw outside
  const path = isAbsolute(location) ? resolve(location) : resolve(roots[0] ?? '.', location)
  const root = roots.find(each => isBelow(resolve(each), path))
  if (root === undefined) throw outside
  makeFolder(resolve(root))
  const realRoot = realpathSync(root)
  const real = join(realRoot, relative(resolve(root), path))
  const blobs = join(real, BLOBS)
  refuseLinks(realRoot, blobs, () => fault('leads through a link'))
  try {
    makeFolder(blobs)
  } catch {
    throw fault('cannot be made a folder')
  }
  if (!statSync(blobs).isDirectory()) throw fault('is no folder')
  // The folders' own names must last as well.
  for (let at = blobs; at !== realRoot; at = dirname(at)) new FsDirectory(dirname(at)).syncFolder()
  return { path: real, directory: new FsDirectory(real), blobs: new FsDirectory(blobs) }
}

function isBelow(root: string, path: string): boolean {
  const way = relative(root, path)
  return way !== '' && way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way)
}

/** Follows the parts of a path that are there; each must be what its name says. */
function refuseLinks(root: string, path: string, fault: () => Error): void {
  let at = root
  for (const part of relative(root, path).split(sep)) {
    at = join(at, part)
    let real: string
    try {
      real = realpathSync(at)
    } catch (error) {
      // A link to nowhere is missing too, and `mkdir` does not follow it.
      if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return
      throw fault()
    }
    if (real !== at) throw fault()
  }
}

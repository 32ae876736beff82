/** The tree of directories of a node, on disk or in memory. */
import { existsSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Directory } from './directory.ts'
import { FsDirectory } from './fs-directory.ts'
import { makeFolder } from './make-folder.ts'
import { MemoryDirectory } from './memory-directory.ts'

/** A tree of directories: the data folder of a node, or its equivalent in memory. */
export interface DataFolder {
  /** Whether synced files outlive the process. */
  readonly isLasting: boolean
  /** The directory at a path of folder names, made if missing. */
  directory(...path: string[]): Directory
  /** Its path on disk, for worker threads to open; null in memory. */
  pathOf(...path: string[]): string | null
  /** Names of the folders below a path, sorted; empty for a missing path. */
  folders(...path: string[]): string[]
  /** Deletes a folder recursively. */
  deleteFolder(...path: string[]): void
}

/** A folder of the file system, readable only by its owner. */
export class FsDataFolder implements DataFolder {
  readonly isLasting: boolean = true
  readonly root: string

  constructor(root: string) {
    this.root = root
    makeFolder(root)
  }

  directory(...path: string[]): Directory {
    return new FsDirectory(join(this.root, ...path))
  }

  pathOf(...path: string[]): string {
    return join(this.root, ...path)
  }

  folders(...path: string[]): string[] {
    const folder = join(this.root, ...path)
    if (!existsSync(folder)) return []
    return readdirSync(folder, { withFileTypes: true })
      .filter(entry => entry.isDirectory())
      .map(entry => entry.name)
      .sort()
  }

  deleteFolder(...path: string[]): void {
    rmSync(join(this.root, ...path), { recursive: true, force: true })
  }
}

/** Directories in memory, lost with the process. */
export class MemoryDataFolder implements DataFolder {
  readonly isLasting = false
  readonly #directories = new Map<string, MemoryDirectory>()

  directory(...path: string[]): Directory {
    const key = `${path.join('/')}/`
    let directory = this.#directories.get(key)
    if (directory === undefined) {
      directory = new MemoryDirectory()
      this.#directories.set(key, directory)
    }
    return directory
  }

  pathOf(): null {
    return null
  }

  folders(...path: string[]): string[] {
    const prefix = path.length === 0 ? '' : `${path.join('/')}/`
    const names = new Set<string>()
    for (const key of this.#directories.keys()) {
      if (!key.startsWith(prefix) || key === prefix) continue
      names.add(key.slice(prefix.length).split('/')[0]!)
    }
    return [...names].sort()
  }

  deleteFolder(...path: string[]): void {
    const prefix = `${path.join('/')}/`
    for (const key of [...this.#directories.keys()])
      if (key.startsWith(prefix)) this.#directories.delete(key)
  }
}

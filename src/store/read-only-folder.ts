/** Read-only access to a node's folders, for tools. */
import { existsSync, readdirSync } from 'node:fs'
import { basename, dirname, resolve } from 'node:path'
import type { Directory, RandomAccessFile } from './directory.ts'
import { FsDirectory } from './fs-directory.ts'

/** Kinds of the engine's folders. */
export type FolderKind = 'data' | 'index' | 'shard'

/** A folder opened read-only: every call that would write fails. */
export interface ReadOnlyFolder extends Directory {
  /** Detected by its path and its files; null for a foreign folder. */
  readonly kind: FolderKind | null
  /** Names of the subfolders, sorted. */
  folders(): string[]
}

/** Opens a folder read-only; a missing one is not created. */
export function readOnlyFolder(given: string): ReadOnlyFolder {
  const path = resolve(given)
  const files = existsSync(path) ? new FsDirectory(path) : null
  const refuse = (): never => {
    throw new Error(`[${path}] is only read`)
  }
  const entries = files === null ? [] : readdirSync(path, { withFileTypes: true })
  const folders = (): string[] =>
    entries
      .filter(entry => entry.isDirectory())
      .map(entry => entry.name)
      .sort()
  return {
    kind: kindOf(path, folders()),
    folders,
    list: () => files?.list() ?? [],
    length: name => files?.length(name) ?? -1,
    read: name => (files ?? refuse()).read(name),
    open: (name): RandomAccessFile => (files ?? refuse()).open(name),
    write: refuse,
    sync: refuse,
    rename: refuse,
    syncFolder: refuse,
    openWritable: refuse,
    delete: refuse,
  }
}

function kindOf(path: string, folders: readonly string[]): FolderKind | null {
  if (folders.includes('node')) return 'data'
  if (basename(dirname(path)) === 'indices') return 'index'
  const isShard = /^\d+$/.test(basename(path)) && basename(dirname(dirname(path))) === 'indices'
  if (isShard) return 'shard'
  return null
}

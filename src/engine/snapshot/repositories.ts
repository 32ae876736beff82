/** Snapshot repositories as metadata, and their folders. */
import { resolve } from 'node:path'
import { nodeSettings } from '../../schema/setting-registry.ts'
import {
  BLOBS,
  openRepositoryFolder,
  type RepositoryFolder,
} from '../../store/repository-folder.ts'
import type { CallContext } from '../../task/call-context.ts'
import { IllegalArgumentError } from '../../util/errors.ts'
import type { RegisteredRepository } from '../api/snapshots.ts'
import type { Node } from '../node/node.ts'

/** Folder of repositories inside the data folder, unless `path.repo` names others. */
const REPOSITORIES = 'repositories'

/** Registers a repository, in place of one of the same name; durable when it resolves. */
export async function putRepository(
  node: Node,
  name: string,
  repository: RegisteredRepository,
  check: () => void,
  context: CallContext,
): Promise<void> {
  await node.changes.submit(
    `put_repository [${name}]`,
    'NORMAL',
    () => {
      node.ensureOpen()
      check()
      const repositories = new Map(node.metadata.node.repositories).set(name, repository)
      node.metadata.putNode({ repositories })
    },
    context,
  )
}

/** Forgets repositories; durable when it resolves. */
export async function deleteRepositories(
  node: Node,
  names: readonly string[],
  check: () => void,
  context: CallContext,
): Promise<void> {
  await node.changes.submit(
    `delete_repository [${names.join(',')}]`,
    'NORMAL',
    () => {
      node.ensureOpen()
      check()
      const repositories = new Map(node.metadata.node.repositories)
      for (const name of names) repositories.delete(name)
      node.metadata.putNode({ repositories })
    },
    context,
  )
}

/**
 * The folder of a repository, made if missing.
 * @throws {IllegalArgumentError} outside of `path.repo`, or behind a link
 */
export function repositoryFolder(node: Node, location: string): RepositoryFolder {
  const given = nodeSettings.list(node.settings, 'path.repo')
  if (given.length > 0) {
    const roots = given.map(root => resolve(node.path ?? '.', root))
    return openRepositoryFolder(roots, location)
  }
  if (node.path !== null) return openRepositoryFolder([resolve(node.path, REPOSITORIES)], location)
  const directory = node.dataDirectory(REPOSITORIES, location)
  const blobs = node.dataDirectory(REPOSITORIES, location, BLOBS)
  if (directory !== null && blobs !== null) return { path: location, directory, blobs }
  throw new IllegalArgumentError(
    `location [${location}] doesn't match any of the locations specified by path.repo because this setting is empty`,
  )
}

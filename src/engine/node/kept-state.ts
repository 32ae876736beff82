import { StateFile } from '../../shard/state-file.ts'
import type { KeptState } from '../api/kept-state.ts'
import type { Node } from './node.ts'

/** The folder of the states of services, one below it for each. */
const FOLDER = 'services'

/**
 * Opens the state of a service; that of a node in memory ends with it.
 * @param service a name of ours
 * @throws {CorruptSegmentError} it is damaged: no older one is taken instead
 */
export function openKeptState(node: Node, service: string): KeptState {
  const directory = node.dataDirectory(FOLDER, service)
  return directory === null ? { body: null, write: () => {} } : new StateFile(directory)
}

import { randomBytes } from 'node:crypto'
import { frameFile, unframeFile } from '../codec/file-frame.ts'
import type { Directory } from '../store/directory.ts'

/**
 * A small piece of state that is replaced as a whole, such as an index's metadata: files `state_N`,
 * of which the highest N is current. Written under a pending name, synced, renamed and made durable
 * by a sync of the folder, before the change is acknowledged; a crash leaves the old state or the
 * new one.
 */
const GIVEN_UP = /^deleted_\d{1,15}$/
const STATE = /^state_(\d{1,15})$/

/** The state of one folder: read once, replaced as a whole. */
export class StateFile {
  readonly #directory: Directory
  readonly #id: Uint8Array
  #generation: number
  readonly #body: Uint8Array | null

  /**
   * Reads the newest state of a folder.
   * @throws {CorruptSegmentError} it is corrupt: an older one is not used instead
   */
  constructor(directory: Directory) {
    this.#directory = directory
    let newest = 0
    for (const name of directory.list()) {
      const match = STATE.exec(name)
      if (match !== null) newest = Math.max(newest, Number(match[1]))
    }
    this.#generation = newest
    const name = `state_${newest}`
    const read = newest === 0 ? null : unframeFile(name, directory.read(name), 'metadata')
    this.#body = read?.body ?? null
    this.#id = read?.id ?? randomBytes(16)
  }

  /** The body read at construction; null without a state. */
  get body(): Uint8Array | null {
    return this.#body
  }

  /**
   * True when the state was deleted for good, or the folder is a draft: what is in it is to be deleted.
   */
  get isGivenUp(): boolean {
    return isGivenUp(this.#directory)
  }

  /**
   * Makes a folder without a state a draft, durably on return: what is put into it is given up unless
   * a state is written.
   */
  draft(): void {
    this.#directory.write('deleted_0', new Uint8Array(0))
    this.#directory.syncFolder()
  }

  /** Deletes the state for good, durably on return. After a failure it is still valid. */
  giveUp(): void {
    const name = `state_${this.#generation}`
    this.#directory.rename(name, `deleted_${this.#generation}`)
    this.#directory.syncFolder()
  }

  /** Replaces the state. After a failure the old one is still valid. */
  write(body: Uint8Array): void {
    const directory = this.#directory
    const generation = this.#generation + 1
    const pending = `pending_state_${generation}`
    const name = `state_${generation}`
    directory.delete(pending)
    try {
      directory.write(pending, frameFile('metadata', this.#id, body))
      directory.sync([pending])
      directory.rename(pending, name)
    } catch (error) {
      directory.delete(pending)
      throw error
    }
    directory.syncFolder()
    this.#generation = generation
    for (const old of directory.list())
      if (/^((pending_)?state_\d+|deleted_0)$/.test(old) && old !== name) directory.delete(old)
  }
}

/** Whether what is in a folder is to be deleted: its state was, or it is a draft. */
export function isGivenUp(directory: Pick<Directory, 'list'>): boolean {
  const names = directory.list()
  return names.some(name => GIVEN_UP.test(name)) && !names.some(name => STATE.test(name))
}

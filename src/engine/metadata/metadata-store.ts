import { randomBytes } from 'node:crypto'
import { AnalysisRegistry } from '../../analysis/registry.ts'
import type { WordFiles } from '../../analysis/token-stream.ts'
import { Mapping } from '../../schema/mapping.ts'
import { parseMapping } from '../../schema/mapping-parser.ts'
import { Settings, type SettingValue } from '../../schema/settings.ts'
import { StateFile } from '../../shard/state-file.ts'
import type { DataFolder } from '../../store/data-folder.ts'
import type { Directory } from '../../store/directory.ts'
import { CorruptSegmentError } from '../../util/errors.ts'
import { type JsonNode, jsonEntry, parseJsonTree } from '../../util/json/json-tree.ts'
import type { JsonMap, JsonValue } from '../../util/json/json-value.ts'
import { jsonValueOf, writeJson } from '../../util/json/json-writer.ts'
import { type IndexMetadata, indexMetadata, mappingContext } from './index-metadata.ts'

/** What concerns the whole node. */
export interface NodeState {
  readonly nodeId: string
  readonly clusterUuid: string
  readonly persistent: Settings
  readonly transient: Settings
}

/** Folder of all indices, and of the node's own state. */
const INDICES = 'indices'
const NODE = 'node'

/**
 * All metadata: the indices by name and the cluster settings. A change is durable before it holds;
 * who waits for changes is told afterwards. Changes come through the task queue, one at a time.
 */
export class MetadataStore {
  readonly #folder: DataFolder
  readonly #node: StateFile
  readonly #files = new Map<string, StateFile>()
  readonly #indices = new Map<string, IndexMetadata>()
  readonly #waiters = new Set<() => void>()
  #state: NodeState

  /**
   * Reads the metadata of a data folder, or starts a new node.
   * @param words reads the files that indices' analysis names
   * @throws {CorruptSegmentError} when a state file is damaged
   */
  constructor(folder: DataFolder, words: WordFiles) {
    this.#folder = folder
    this.#node = new StateFile(folder.directory(NODE))
    const body = this.#node.body
    if (body === null) {
      this.#state = {
        nodeId: newUuid(),
        clusterUuid: newUuid(),
        persistent: Settings.EMPTY,
        transient: Settings.EMPTY,
      }
      folder.directory(INDICES)
      folder.directory().syncFolder()
      this.#writeNode(this.#state)
    } else this.#state = readNode(parseJsonTree(body))
    for (const uuid of folder.folders(INDICES)) {
      const file = new StateFile(folder.directory(INDICES, uuid))
      if (file.body === null) {
        this.#clear(uuid, file)
        continue
      }
      const metadata = readIndex(uuid, parseJsonTree(file.body), words)
      this.#files.set(uuid, file)
      this.#indices.set(metadata.name, metadata)
    }
  }

  get node(): NodeState {
    return this.#state
  }

  index(name: string): IndexMetadata | null {
    return this.#indices.get(name) ?? null
  }

  /** All indices in order of name. */
  indices(): IndexMetadata[] {
    return [...this.#indices.values()].sort((a, b) => (a.name < b.name ? -1 : 1))
  }

  get indexCount(): number {
    return this.#indices.size
  }

  /** Adds an index or replaces it, durable when this returns. */
  putIndex(metadata: IndexMetadata): void {
    let file = this.#files.get(metadata.uuid)
    const isNew = file === undefined
    file ??= new StateFile(this.#folder.directory(INDICES, metadata.uuid))
    // The folders of the shards come first: the state's own sync makes their names last too.
    if (isNew)
      for (let shard = 0; shard < metadata.numberOfShards; shard++)
        this.#folder.directory(...this.shardPath(metadata.uuid, shard))
    file.write(writeIndex(metadata))
    if (isNew) {
      // The folder's own entry must last as well.
      this.#folder.directory(INDICES).syncFolder()
      this.#files.set(metadata.uuid, file)
    }
    this.#indices.set(metadata.name, metadata)
    this.changed()
  }

  /** Removes an index, durable when this returns; its folder is left to `deleteIndexFolder`. */
  removeIndex(metadata: IndexMetadata): void {
    const { name, uuid } = metadata
    this.#files.get(uuid)?.giveUp()
    this.#indices.delete(name)
    this.#files.delete(uuid)
    this.changed()
  }

  /**
   * Deletes the folder of an index without a state: it was never acknowledged, or its deletion was.
   * @throws {CorruptSegmentError} when it was neither, so that its state must have been lost
   */
  #clear(uuid: string, file: StateFile): void {
    const path = [INDICES, uuid]
    const stray = file.isGivenUp
      ? undefined
      : this.#folder
          .folders(...path)
          .flatMap(shard => this.#folder.directory(...path, shard).list())
          .at(0)
    if (stray !== undefined)
      throw new CorruptSegmentError(
        `${path.join('/')}/state_1`,
        0,
        'the state of an index',
        `none, beside [${stray}]`,
      )
    this.deleteIndexFolder(uuid)
  }

  /**
   * Deletes the files of an index that was removed; its shards must be closed. What a failure leaves
   * goes at the next start.
   */
  deleteIndexFolder(uuid: string): void {
    // The shards go first and for good, before what says that they may.
    for (const shard of this.#folder.folders(INDICES, uuid))
      this.#folder.deleteFolder(INDICES, uuid, shard)
    this.#folder.directory(INDICES, uuid).syncFolder()
    this.#folder.deleteFolder(INDICES, uuid)
  }

  putClusterSettings(persistent: Settings, transient: Settings): void {
    const state = { ...this.#state, persistent, transient }
    this.#writeNode(state)
    this.#state = state
    this.changed()
  }

  /** Path of a shard's folder, in the form that `DataFolder` takes. */
  shardPath(uuid: string, shard: number): string[] {
    return [INDICES, uuid, String(shard)]
  }

  /** Tells who waits that metadata or a shard's state changed. */
  changed(): void {
    for (const waiter of [...this.#waiters]) waiter()
  }

  /** Resolves at the next change, or when the signal aborts. */
  nextChange(signal: AbortSignal): Promise<void> {
    if (signal.aborted) return Promise.resolve()
    return new Promise(resolve => {
      const done = (): void => {
        this.#waiters.delete(done)
        signal.removeEventListener('abort', done)
        resolve()
      }
      this.#waiters.add(done)
      signal.addEventListener('abort', done)
    })
  }

  #writeNode(state: NodeState): void {
    // Transient settings end with the process.
    this.#node.write(
      writeJson({
        node_id: state.nodeId,
        cluster_uuid: state.clusterUuid,
        persistent: new Map(state.persistent.toMap()),
      }),
    )
  }
}

/** 22 url-safe characters that nobody else has. */
export function newUuid(): string {
  return randomBytes(16).toString('base64url')
}

function writeIndex(metadata: IndexMetadata): Uint8Array {
  return writeJson({
    name: metadata.name,
    settings: new Map(metadata.settings.toMap()),
    settings_version: metadata.settingsVersion,
    state: metadata.isOpen ? 'open' : 'close',
    routing_shards: metadata.routingShards,
    mapping_version: metadata.mappingVersion,
    mapping: metadata.mapping.toJson(),
    aliases: metadata.aliases,
  })
}

function readIndex(uuid: string, body: JsonNode, words: WordFiles): IndexMetadata {
  const settings = readSettings(valueAt(body, 'settings'))
  if (settings.get('index.uuid') !== uuid)
    throw new CorruptSegmentError(
      `${INDICES}/${uuid}/state`,
      32,
      `the state of index ${uuid}`,
      `that of ${settings.get('index.uuid')}`,
    )
  const analysis = new AnalysisRegistry(settings.toMap(), words)
  const mapping = valueAt(body, 'mapping')
  const aliases = jsonValueOf(valueAt(body, 'aliases'))
  return indexMetadata(
    {
      name: textAt(body, 'name'),
      uuid,
      settings,
      mapping:
        mapping.kind === 'object' && mapping.entries.length === 0
          ? Mapping.EMPTY
          : parseMapping(mapping, mappingContext(settings, analysis)),
      mappingVersion: numberAt(body, 'mapping_version') ?? 1,
      // States of before there were closed indices lack the other three.
      settingsVersion: numberAt(body, 'settings_version') ?? 1,
      isOpen: body.kind !== 'object' || !isText(jsonEntry(body, 'state')?.value, 'close'),
      routingShards: numberAt(body, 'routing_shards'),
      aliases: aliases instanceof Map ? (aliases as JsonMap) : new Map<string, JsonValue>(),
    },
    analysis,
  )
}

function readNode(body: JsonNode): NodeState {
  return {
    nodeId: textAt(body, 'node_id'),
    clusterUuid: textAt(body, 'cluster_uuid'),
    persistent: readSettings(valueAt(body, 'persistent')),
    transient: Settings.EMPTY,
  }
}

function readSettings(node: JsonNode): Settings {
  const values: [string, SettingValue][] = []
  if (node.kind === 'object')
    for (const { key, value } of node.entries) {
      if (value.kind === 'string') values.push([key, value.value])
      else if (value.kind === 'array')
        values.push([key, value.items.map(item => (item.kind === 'string' ? item.value : ''))])
    }
  return new Settings(values)
}

function valueAt(node: JsonNode, key: string): JsonNode {
  const entry = node.kind === 'object' ? jsonEntry(node, key) : null
  if (entry === null) throw new CorruptSegmentError('state', 32, `the key [${key}]`, 'none')
  return entry.value
}

function numberAt(node: JsonNode, key: string): number | null {
  const value = node.kind === 'object' ? jsonEntry(node, key)?.value : undefined
  return value?.kind === 'number' ? value.value : null
}

function isText(node: JsonNode | undefined, text: string): boolean {
  return node?.kind === 'string' && node.value === text
}

function textAt(node: JsonNode, key: string): string {
  const value = valueAt(node, key)
  if (value.kind !== 'string')
    throw new CorruptSegmentError('state', 32, `a text as [${key}]`, value.kind)
  return value.value
}

/** The name in an index folder's state, or null when it holds none. */
export function indexNameOf(directory: Directory): string | null {
  const { body } = new StateFile(directory)
  return body === null ? null : textAt(parseJsonTree(body), 'name')
}

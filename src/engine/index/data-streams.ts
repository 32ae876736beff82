/** Data streams: made, changed and deleted, each with the indices that it stands for. */
import { checkAccess } from '../../task/access.ts'
import type { CallContext } from '../../task/call-context.ts'
import { EngineError, IllegalArgumentError } from '../../util/errors.ts'
import type { CreateIndex } from '../api/indices.ts'
import {
  backingIndexName,
  type DataStream,
  type DataStreams,
  withoutIndices,
  writeIndexOfStream,
} from '../metadata/data-stream.ts'
import type { IndexMetadata } from '../metadata/index-metadata.ts'
import { checkIndexName, checkNameFor } from '../metadata/index-names.ts'
import type { MetadataStore, StateWithBatch } from '../metadata/metadata-store.ts'
import { checkBlocksFor } from '../metadata/resolve-target.ts'
import type { Node } from '../node/node.ts'
import { type NamedStreamTemplate, templateOfStream } from '../template/stream-templates.ts'
import { type NewIndexBody, newIndex, openNewIndex } from './new-index.ts'
import { chosenStreams } from './stream-names.ts'

/** Contents that a data stream adds to its indices over their template. */
const BACKING_BODY: NewIndexBody = {
  settings: new Map([['index.hidden', 'true']]),
  mappings: null,
  aliases: null,
}

/**
 * Creates a data stream with its first index; both hold at once, or neither.
 * @throws {EngineError} a name that is taken or may not be, no template of data streams for it
 */
export async function createDataStream(
  node: Node,
  name: string,
  context: CallContext,
): Promise<void> {
  node.ensureOpen()
  checkAccess(context, context.task.action, [name])
  checkBlocksFor(node.metadata, context.task.action, [])
  await node.changes.submit(
    `create-data-stream [${name}]`,
    'HIGH',
    () => {
      node.ensureOpen()
      addDataStream(node, name)
    },
    context,
  )
}

/** Makes a data stream, durable and open; within the queue of metadata changes. */
export function addDataStream(node: Node, name: string): void {
  const { metadata } = node
  checkStreamName(metadata, name)
  const template = templateOfStream(metadata.node, name)
  const backing = backingIndexName(name, 1)
  if (metadata.index(backing) !== null || metadata.indicesOfAlias(backing).length > 0)
    throw new IllegalArgumentError(
      `data stream could not be created because backing index [${backing}] already exists`,
    )
  const index = newBackingIndex(node, backing, template, null)
  const stream: DataStream = {
    name,
    timestampField: template.stream.timestampField,
    indices: [{ name: index.name, uuid: index.uuid }],
    generation: 1,
  }
  const before = metadata.node.dataStreams
  node.applyBatch([index], [], { dataStreams: new Map(before).set(name, stream) })
  openNewIndex(node, index, () => node.applyBatch([], [index], { dataStreams: before }))
}

/**
 * The metadata of a new index of a data stream.
 * @throws {EngineError} an index that cannot be; `invalid_index_name_exception`: the stream's name is too long
 */
export function newBackingIndex(
  node: Node,
  name: string,
  template: NamedStreamTemplate,
  activeShards: CreateIndex['waitForActiveShards'],
): IndexMetadata {
  checkIndexName(name)
  return newIndex(node, name, BACKING_BODY, activeShards, name, template)
}

function checkStreamName(metadata: MetadataStore, name: string): void {
  if (metadata.dataStream(name) !== null)
    throw new EngineError({
      type: 'resource_already_exists_exception',
      reason: `data_stream [${name}] already exists`,
    })
  const refused = (why: string): EngineError =>
    new IllegalArgumentError(`data_stream [${name}] ${why}`)
  checkNameFor(name, refused)
  if (name !== name.toLowerCase()) throw refused('must be lowercase')
  if (name.startsWith('.')) throw refused("must not start with '.'")
  const [holder] = metadata.indicesOfAlias(name)
  const conflict =
    metadata.index(name) !== null
      ? `data stream [${name}] conflicts with index`
      : holder === undefined
        ? null
        : `${name} (alias of [${holder.name}/${holder.uuid}]) conflicts with data stream`
  if (conflict !== null)
    throw new EngineError({
      type: 'illegal_state_exception',
      reason:
        'index, alias, and data stream names need to be unique, but the following duplicates were ' +
        `found [${conflict}]`,
      status: 400,
    })
}

/**
 * Deletes data streams with all their indices, all or none.
 * @param names may hold `*`
 * @throws {EngineError} `index_not_found_exception`: a name without `*` is missing
 */
export async function deleteDataStreams(
  node: Node,
  names: readonly string[],
  context: CallContext,
): Promise<void> {
  node.ensureOpen()
  chosenStreams(node.metadata, names, context)
  const removed: IndexMetadata[] = []
  try {
    await node.changes.submit(
      `remove-data-stream [${names.join(',')}]`,
      'HIGH',
      () => {
        const { metadata } = node
        const doomed = chosenStreams(metadata, names, context)
        if (doomed.length === 0) return
        const gone = doomed.flatMap(stream => metadata.indicesOfStream(stream))
        checkBlocksFor(metadata, context.task.action, gone)
        const dataStreams = new Map(metadata.node.dataStreams)
        for (const { name } of doomed) dataStreams.delete(name)
        node.applyBatch([], gone, { dataStreams })
        removed.push(...gone)
      },
      context,
    )
  } finally {
    await Promise.all(removed.map(index => node.moves.discard(index)))
  }
}

/**
 * The data streams once some indices are gone.
 * @throws {EngineError} `illegal_argument_exception`: one of these takes the writes of its data stream
 */
export function streamsWithout(
  metadata: MetadataStore,
  doomed: readonly IndexMetadata[],
): StateWithBatch {
  const uuids = new Set(doomed.map(({ uuid }) => uuid))
  let changed: Map<string, DataStream> | null = null
  for (const index of doomed) {
    const stream = metadata.dataStreamOf(index)
    if (stream === null) continue
    if (writeIndexOfStream(stream).uuid === index.uuid)
      throw new IllegalArgumentError(
        `index [${index.name}] is the write index for data stream [${stream.name}] and cannot be deleted`,
      )
    changed ??= new Map(metadata.node.dataStreams)
    changed.set(stream.name, withoutIndices(stream, uuids))
  }
  return changed === null ? {} : { dataStreams: changed satisfies DataStreams }
}

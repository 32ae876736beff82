/** Batches of changes of which indices belong to data streams: all hold at once, or none. */
import { mergeMapping } from '../../schema/mapping-merge.ts'
import { parseMapping } from '../../schema/mapping-parser.ts'
import { checkAccess } from '../../task/access.ts'
import type { CallContext } from '../../task/call-context.ts'
import { IllegalArgumentError } from '../../util/errors.ts'
import { parseJsonTree } from '../../util/json/json-tree.ts'
import { writeJson } from '../../util/json/json-writer.ts'
import type { StreamAction } from '../api/data-streams.ts'
import {
  backingIndexName,
  type DataStream,
  withoutIndices,
  writeIndexOfStream,
} from '../metadata/data-stream.ts'
import { type IndexMetadata, indexMetadata, mappingContext } from '../metadata/index-metadata.ts'
import { checkBlocksFor } from '../metadata/resolve-target.ts'
import type { Node } from '../node/node.ts'

/**
 * Changes which indices belong to data streams; durable when it resolves.
 * @throws {EngineError} nothing has changed then: a stream or an index that is missing, a write index that would
 *   leave, an index of another stream, with aliases, or without the field of dates
 */
export async function modifyDataStreams(
  node: Node,
  actions: readonly StreamAction[],
  context: CallContext,
): Promise<void> {
  node.ensureOpen()
  checkAccess(
    context,
    context.task.action,
    actions.flatMap(({ stream, index }) => [stream, index]),
  )
  await node.changes.submit(
    'update-data-streams',
    'HIGH',
    () => {
      node.ensureOpen()
      const batch = new StreamBatch(node)
      for (const action of actions) batch.apply(action)
      checkBlocksFor(node.metadata, context.task.action, batch.touched)
      node.applyBatch(batch.changed, [], { dataStreams: batch.streams })
    },
    context,
  )
}

/** Data streams and indices as a batch leaves them, before any of it holds. */
class StreamBatch {
  readonly touched: IndexMetadata[] = []
  readonly streams: Map<string, DataStream>
  readonly #node: Node
  /** By name. */
  readonly #changed = new Map<string, IndexMetadata>()

  constructor(node: Node) {
    this.#node = node
    this.streams = new Map(node.metadata.node.dataStreams)
  }

  get changed(): IndexMetadata[] {
    return [...this.#changed.values()]
  }

  apply({ kind, stream: name, index }: StreamAction): void {
    const stream = this.streams.get(name)
    if (stream === undefined) throw new IllegalArgumentError(`data stream [${name}] not found`)
    this.streams.set(name, kind === 'add' ? this.#add(stream, index) : this.#remove(stream, index))
  }

  #add(stream: DataStream, name: string): DataStream {
    const index = this.#changed.get(name) ?? this.#node.metadata.index(name)
    if (index === null) throw new IllegalArgumentError(`index [${name}] not found`)
    this.touched.push(index)
    const owner = [...this.streams.values()].find(({ indices }) =>
      indices.some(({ uuid }) => uuid === index.uuid),
    )
    if (owner === stream) return stream
    if (owner !== undefined)
      throw new IllegalArgumentError(
        `cannot add index [${name}] to data stream [${stream.name}] because it is already a backing ` +
          `index of data stream [${owner.name}]`,
      )
    if (index.aliases.size > 0)
      throw new IllegalArgumentError(
        `cannot add index [${name}] to data stream [${stream.name}] until its aliases ` +
          `[${[...index.aliases.keys()].sort().join(', ')}] are removed`,
      )
    this.#changed.set(name, asBackingIndex(index, stream))
    const joined = [...stream.indices, { name, uuid: index.uuid }]
    const indices = joined.sort((a, b) => numberIn(stream, a.name) - numberIn(stream, b.name))
    if (indices[indices.length - 1]!.name !== writeIndexOfStream(stream).name)
      throw new IllegalArgumentError(
        `cannot add index [${name}] to data stream [${stream.name}] because its number is above that ` +
          `of the write index [${writeIndexOfStream(stream).name}]`,
      )
    return { ...stream, indices }
  }

  #remove(stream: DataStream, name: string): DataStream {
    const backing = stream.indices.find(index => index.name === name)
    if (backing === undefined)
      throw new IllegalArgumentError(`index [${name}] is not part of data stream [${stream.name}]`)
    if (writeIndexOfStream(stream) === backing)
      throw new IllegalArgumentError(
        `cannot remove backing index [${name}] of data stream [${stream.name}] because it is the write index`,
      )
    const index = this.#changed.get(name) ?? this.#node.metadata.index(name)
    if (index !== null) {
      this.touched.push(index)
      this.#changed.set(name, withHidden(index, null))
    }
    return withoutIndices(stream, new Set([backing.uuid]))
  }
}

/** Hidden, and with one value of the stream's field of dates in every document to come. */
function asBackingIndex(index: IndexMetadata, { timestampField }: DataStream): IndexMetadata {
  const context = mappingContext(index.settings, index.analysis)
  const mark = {
    _data_stream_timestamp: { enabled: true, timestamp_field: { name: timestampField } },
  }
  const update = parseMapping(parseJsonTree(writeJson(mark)), context)
  const mapping = mergeMapping(index.mapping, update, context.limits)
  return withHidden({ ...index, mapping, mappingVersion: index.mappingVersion + 1 }, 'true')
}

function withHidden(index: IndexMetadata, hidden: 'true' | null): IndexMetadata {
  const settings = index.settings.with(new Map([['index.hidden', hidden]]))
  const settingsVersion = index.settingsVersion + 1
  return indexMetadata({ ...index, settings, settingsVersion }, index.analysis)
}

/** The number by which a stream orders an index; −1 for one that it did not make. */
function numberIn({ name: stream }: DataStream, index: string): number {
  const number = Number(index.slice(index.lastIndexOf('-') + 1))
  return backingIndexName(stream, number) === index ? number : -1
}

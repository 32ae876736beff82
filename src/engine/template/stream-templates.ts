/** Templates of data streams: the one that a stream uses, and that it keeps one. */
import { IllegalArgumentError } from '../../util/errors.ts'
import type { DataStreams } from '../metadata/data-stream.ts'
import type { NodeState } from '../metadata/metadata-store.ts'
import type { IndexTemplate, StreamTemplate } from '../metadata/template.ts'
import { type NamedTemplate, templateFor } from './compose.ts'

/** An index template of data streams. */
export interface NamedStreamTemplate extends NamedTemplate {
  readonly stream: StreamTemplate
}

/**
 * The template that makes a data stream's indices.
 * @throws {EngineError} `illegal_argument_exception`: none matches, or one that makes indices
 */
export function templateOfStream(
  state: Pick<NodeState, 'indexTemplates'>,
  name: string,
): NamedStreamTemplate {
  const found = templateFor(state, name)
  if (found === null)
    throw new IllegalArgumentError(`no matching index template found for data stream [${name}]`)
  const { dataStream } = found.template
  if (dataStream === null)
    throw new IllegalArgumentError(
      `matching index template [${found.name}] for data stream [${name}] has no data stream template`,
    )
  return { ...found, stream: dataStream }
}

/**
 * Refuses to delete templates of which one makes the indices of a data stream that is there.
 * @throws {EngineError} `illegal_argument_exception`
 */
export function checkStreamsKeepAny(
  state: Pick<NodeState, 'indexTemplates' | 'dataStreams'>,
  doomed: ReadonlySet<string>,
): void {
  const using = [...state.dataStreams.keys()].filter(name =>
    doomed.has(templateFor(state, name)?.name ?? ''),
  )
  if (using.length === 0) return
  throw new IllegalArgumentError(
    `unable to remove composable templates [${[...doomed].sort().join(', ')}] as they are in use by ` +
      `a data streams [${using.sort().join(', ')}]`,
  )
}

/**
 * Refuses a template with which a data stream would have none any more that makes its indices.
 * @throws {EngineError} `illegal_argument_exception`
 */
export function checkStreamsKeepTemplate(
  { indexTemplates, dataStreams }: Pick<NodeState, 'indexTemplates' | 'dataStreams'>,
  name: string,
  template: IndexTemplate,
): void {
  const before = withoutTemplate(indexTemplates, dataStreams)
  const lost = withoutTemplate(new Map(indexTemplates).set(name, template), dataStreams)
  if (lost.length <= before.length) return
  const { indexPatterns, priority, dataStream } = template
  throw new IllegalArgumentError(
    `composable template [${name}] with index patterns [${indexPatterns.join(', ')}], ` +
      `priority [${priority}] ${dataStream === null ? 'and no data stream configuration ' : ''}` +
      `would cause data streams [${lost.join(', ')}] to no longer match a data stream template`,
  )
}

/** Data streams whose template makes no data streams, in order of name. */
function withoutTemplate(
  indexTemplates: NodeState['indexTemplates'],
  dataStreams: DataStreams,
): string[] {
  return [...dataStreams.keys()]
    .filter(name => (templateFor({ indexTemplates }, name)?.template.dataStream ?? null) === null)
    .sort()
}

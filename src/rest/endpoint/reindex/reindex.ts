import { readText } from '../../../engine/dsl/json-scalars.ts'
import { unknownField } from '../../../engine/dsl/parse-error.ts'
import { parseScript } from '../../../engine/dsl/parse-script.ts'
import { parseVersionType } from '../../../engine/dsl/version-type.ts'
import type { Destination, ReindexCall } from '../../../service/reindex/by-scroll-call.ts'
import type { RemoteServer } from '../../../service/reindex/remote-server.ts'
import { IllegalArgumentError, validationFailed } from '../../../util/errors.ts'
import type { JsonEntry, JsonNode, JsonObjectNode } from '../../../util/json/json-tree.ts'
import { readField, wrongKind } from '../../declared-body.ts'
import {
  type Answer,
  type Call,
  defineEndpoint,
  type Endpoint,
  NO_TARGET_PARAMS,
  objectBody,
  targetOf,
} from '../../endpoint.ts'
import { flag } from '../../params.ts'
import { answerOf, type Watch } from './answer.ts'
import {
  BY_SCROLL_PARAMS,
  type ByScrollBody,
  batchSizeOf,
  byScrollOptions,
  conflicts,
  readMaxDocs,
  searchFaults,
  sliceOf,
} from './by-scroll-params.ts'
import { readRemote } from './remote-body.ts'

const PARAMS = { ...BY_SCROLL_PARAMS, require_alias: flag }

/** `POST /_reindex`. */
export const reindex: Endpoint = defineEndpoint({
  routes: [['POST', '/_reindex']],
  action: 'indices:data/write/reindex',
  params: PARAMS,
  body: 'json-required',
  async handle(call): Promise<Answer> {
    const { services, params, body, context } = call
    const { request, warnings } = readCall(call, objectBody(body!))
    const run = await services.reindex.reindex(request, context)
    const waits = params.wait_for_completion ?? true
    const { source, dest, remote } = request
    const operation = {
      kind: 'reindex' as const,
      sources: source.target.names,
      remoteHost: remote?.host ?? null,
      target: dest.index,
      limitInMillis: null,
    }
    const style = { hasCreated: true, hasUpdated: true }
    const watch: Watch = step => services.lron.watched(operation, !waits, step)
    const answer = await answerOf(call, waits, run, style, watch)
    return { ...answer, warnings }
  },
})

/** A search that is scrolled through may be cut into slices. */
const SCROLLED = { scrollInMillis: 1 }
const PARSER = 'reindex'
const KEYS = ['source', 'dest', 'max_docs', 'size', 'script', 'conflicts']

/** A body as it was written, each part read by itself. */
interface ReindexBody extends ByScrollBody {
  readonly source: Source
  readonly dest: Omit<Destination, 'requireAlias' | 'index'> & { readonly index: string | null }
  readonly script: ReindexCall['script']
}

/** Throws where a body is not that of a search. */
type CheckSearch = (search: JsonObjectNode) => void

interface Source {
  readonly indices: readonly string[]
  readonly search: JsonObjectNode
  readonly batchSize: number | null
  readonly maxDocs: number | null
  readonly isAutoSliced: boolean
  readonly hasSlice: boolean
  readonly remote: RemoteServer | null
}

const SORT_WARNING =
  'The sort option in reindex is deprecated. Instead consider using query filtering to find the ' +
  'desired subset of data.'

function readCall(
  { engine, params }: Call<typeof PARAMS>,
  body: JsonObjectNode,
): { readonly request: ReindexCall; readonly warnings: readonly string[] } {
  const target = targetOf('', NO_TARGET_PARAMS, 'open')
  const read = readBody(body, search =>
    engine.searches.check({ target, body: search, options: SCROLLED, human: false }),
  )
  const { source, dest, script } = read
  const options = byScrollOptions(params, read)
  checkParts(read, options.slices)
  return {
    request: {
      ...options,
      source: {
        target: { ...target, names: source.indices },
        body: source.search,
        options: {},
      },
      remote: source.remote,
      dest: { ...dest, index: dest.index!, requireAlias: params.require_alias ?? false },
      script,
    },
    warnings: source.search.entries.some(({ key }) => key === 'sort') ? [SORT_WARNING] : [],
  }
}

function checkParts(body: ReindexBody, slices: number | 'auto'): void {
  const { source, dest } = body
  const faults = [...searchFaults(source.search, body, slices)]
  if (source.indices.length === 0)
    faults.push('use _all if you really want to copy from all existing indexes')
  const kept = source.search.entries.find(({ key }) => key === '_source')?.value
  if (kept?.kind === 'boolean' && !kept.value)
    faults.push('_source:false is not supported in this context')
  if (source.remote !== null && slices !== 1)
    faults.push(`reindex from remote sources doesn't support slices > 1 but was [${slices}]`)
  if (dest.index === null) faults.push('index must be specified')
  else if (!/^(keep|discard|=.*)$/s.test(dest.routing))
    faults.push('routing must be unset, [keep], [discard] or [=<some new value>]')
  if (dest.opType === 'create' && dest.versionType !== 'internal')
    faults.push('create operations only support internal versioning. use index instead')
  if (faults.length > 0) throw validationFailed(faults)
}

function readBody(body: JsonObjectNode, check: CheckSearch): ReindexBody {
  let source: Source = {
    indices: [],
    search: { ...body, entries: [] },
    batchSize: null,
    maxDocs: null,
    isAutoSliced: false,
    hasSlice: false,
    remote: null,
  }
  let dest: ReindexBody['dest'] = {
    index: null,
    opType: 'index',
    versionType: 'internal',
    pipeline: null,
    routing: 'keep',
  }
  let script: ReindexBody['script'] = null
  let abortsOnConflict = true
  const maxDocs: number[] = []
  for (const entry of body.entries) {
    const { key, value } = entry
    if (!KEYS.includes(key)) throw unknownField(entry, PARSER, KEYS)
    const field = <T>(read: () => T): T => readField(entry, PARSER, read)
    if (key === 'source') {
      const node = objectOf(entry)
      source = field(() => readSource(node, check))
    } else if (key === 'dest') {
      const node = objectOf(entry)
      dest = field(() => readDestination(node))
    } else if (key === 'script') script = field(() => parseScript(value))
    else if (key === 'conflicts') {
      const text = textOf(entry, PARSER)
      abortsOnConflict = field(() => conflicts(text))
    } else maxDocs.push(field(() => readMaxDocs(value, key)))
  }
  if (source.maxDocs !== null) maxDocs.push(source.maxDocs)
  const { batchSize, isAutoSliced, hasSlice } = source
  return { source, dest, script, abortsOnConflict, maxDocs, batchSize, isAutoSliced, hasSlice }
}

/** Keys of `source` that are not those of the search. */
const OWN_KEYS = ['index', 'size', 'max_docs', 'remote']

function readSource(node: JsonObjectNode, check: CheckSearch): Source {
  const of = (name: string): JsonNode | null =>
    node.entries.find(({ key }) => key === name)?.value ?? null
  const size = of('size')
  const maxDocs = of('max_docs')
  const slicing = sliceOf(node.entries)
  const server = of('remote')
  const remote = server === null ? null : readRemote(server, of('query'))
  const isOwn = (key: string): boolean =>
    OWN_KEYS.includes(key) ||
    (key === 'slice' && slicing.isAutoSliced) ||
    // Another server may know queries that this one does not.
    (key === 'query' && remote !== null)
  const entries = node.entries.filter(({ key }) => !isOwn(key))
  const search = { ...node, entries }
  const indices = readIndices(of('index'))
  // `from` is refused with the other faults of the request.
  check({ ...search, entries: entries.filter(({ key }) => key !== 'from') })
  return {
    indices,
    remote,
    search,
    batchSize: size === null ? null : batchSizeOf(size),
    maxDocs: maxDocs === null ? null : readMaxDocs(maxDocs, 'max_docs'),
    ...slicing,
  }
}

/** A text is a comma list. */
function readIndices(node: JsonNode | null): readonly string[] {
  if (node === null || node.kind === 'null') return []
  if (node.kind === 'string') return node.value.split(',').filter(name => name !== '')
  if (node.kind === 'array') return node.items.map(item => readText(item))
  throw new IllegalArgumentError(
    `Expected [index] to be a list or a string but was [${node.kind === 'object' ? '{}' : readText(node)}]`,
  )
}

const DEST = 'dest'
const DEST_KEYS = ['index', 'routing', 'op_type', 'pipeline', 'version_type']

function readDestination({ entries }: JsonObjectNode): ReindexBody['dest'] {
  const given = new Map<string, string>()
  for (const entry of entries) {
    if (!DEST_KEYS.includes(entry.key)) throw unknownField(entry, DEST, DEST_KEYS)
    given.set(entry.key, textOf(entry, DEST))
  }
  const field = <T>(key: string, read: (text: string) => T, otherwise: T): T => {
    const text = given.get(key)
    if (text === undefined) return otherwise
    return readField(entries.find(entry => entry.key === key)!, DEST, () => read(text))
  }
  return {
    index: given.get('index') ?? null,
    routing: given.get('routing') ?? 'keep',
    pipeline: given.get('pipeline') ?? null,
    opType: field('op_type', readOpType, 'index'),
    versionType: field('version_type', versionTypeOf, 'internal'),
  }
}

function readOpType(text: string): Destination['opType'] {
  const type = text.toLowerCase()
  if (type === 'index' || type === 'create') return type
  throw new IllegalArgumentError(`opType must be 'create' or 'index', found: [${type}]`)
}

/** `external_gt` is another name of `external`. */
function versionTypeOf(text: string): Destination['versionType'] {
  return parseVersionType(text === 'external_gt' ? 'external' : text)
}

function objectOf(entry: JsonEntry): JsonObjectNode {
  if (entry.value.kind === 'object') return entry.value
  throw wrongKind(entry, PARSER)
}

function textOf(entry: JsonEntry, parser: string): string {
  if (entry.value.kind === 'string') return entry.value.value
  throw wrongKind(entry, parser)
}

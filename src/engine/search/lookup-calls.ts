/** Runs the lookups of a request: gets and searches of their own, with the access of its caller. */
import { clusterSettings, indexSettings } from '../../schema/setting-registry.ts'
import { presentAt } from '../../schema/source-values.ts'
import type { CallContext } from '../../task/call-context.ts'
import { IllegalArgumentError } from '../../util/errors.ts'
import { type JsonEntry, type JsonNode, parseJsonTree } from '../../util/json/json-tree.ts'
import { writeJson } from '../../util/json/json-writer.ts'
import type { GetOutcome } from '../api/documents.ts'
import type { SearchCall, SearchOutcome } from '../api/searches.ts'
import type { Target } from '../api/target.ts'
import { getDocument } from '../document/documents.ts'
import {
  type Answers,
  answersOf,
  type HitValues,
  type LookupCalls,
  NO_ANSWERS,
} from '../dsl/lookup.ts'
import { filtersOf } from '../dsl/nested-sort.ts'
import type { ParsedQuery } from '../dsl/query-context.ts'
import { ALL_OF_SOURCE } from '../dsl/search-body/source-selection.ts'
import type { FetchPartValues } from '../fetch/fetch-part.ts'
import type { Node } from '../node/node.ts'
import { queriesOf } from './aggregate.ts'
import type { SearchRequest } from './search-request.ts'
import type { SearchedTargets, ViewedIndex } from './search-targets.ts'
import { visibleSeqNo } from './visible-document.ts'

/** A search by itself, which a lookup by query runs. */
type RunSearch = (node: Node, call: SearchCall, context: CallContext) => Promise<SearchOutcome>

/**
 * The answers to the lookups of a request.
 * @returns at once where it has none, so that a search without them does not wait
 * @throws {EngineError} one cannot be read
 */
export function answersFor(
  node: Node,
  { coupled: { query, postFilter, rescore, sort }, fetch, innerHits, parts }: SearchRequest,
  targets: SearchedTargets,
  context: CallContext,
  search: RunSearch,
): Answers | Promise<Answers> {
  const filters = sort.flatMap(({ nested }) => filtersOf(nested))
  const queries = [
    query,
    postFilter,
    ...rescore.map(each => each.query),
    ...markedQueries(fetch),
    ...filters,
    ...queriesOf(parts.aggregations),
  ]
  for (const inner of innerHits.values()) queries.push(...markedQueries(inner.fetch))
  return answersTo(node, queries, targets.indices, context, search)
}

const NONE: readonly null[] = []

/** Queries that a highlighted field has in place of the search's. */
function markedQueries({ highlight }: FetchPartValues): readonly (ParsedQuery | null)[] {
  return highlight?.fields.map(({ query }) => query) ?? NONE
}

/** The same for queries outside of a search, with the indices that they are made for. */
export function answersTo(
  node: Node,
  queries: readonly (ParsedQuery | null)[],
  indices: readonly ViewedIndex[],
  context: CallContext,
  search: RunSearch,
): Answers | Promise<Answers> {
  const lookups = queries.flatMap(parsed => parsed?.lookups ?? [])
  return lookups.length === 0
    ? NO_ANSWERS
    : answersOf(lookups, lookupCalls(node, indices, context, search))
}

function lookupCalls(
  node: Node,
  indices: readonly ViewedIndex[],
  context: CallContext,
  search: RunSearch,
): LookupCalls {
  const get = (
    index: string,
    id: string,
    routing: string | null,
    storedFields: readonly string[] | null,
  ): Promise<GetOutcome> => {
    const child = context.child('indices:data/read/get')
    const call = { index, id, routing, realtime: true, refresh: false, storedFields }
    const versions = { version: null, versionType: 'internal', source: ALL_OF_SOURCE } as const
    return node.tasks.run(child, () =>
      getDocument(node, { ...call, ...versions }, child, visibleSeqNo),
    )
  }
  return {
    indices: indices.map(({ index }) => index.name),
    async valuesOf({ index, id, routing, path, isStored }) {
      const { source, fields } = await get(index, id, routing, isStored ? [path] : null)
      const bytes = isStored ? writeJson(fields ?? new Map()) : source
      return bytes === null ? [] : presentAt(parseJsonTree(bytes), path)
    },
    valuesOfHits: asked => valuesOfHits(node, asked, context, search),
    async document(index, id, routing) {
      const found = await get(index, id, routing, null)
      return found.source === null ? null : { index: found.index, source: found.source }
    },
  }
}

async function valuesOfHits(
  node: Node,
  { index, query, routing, path, isStored }: HitValues,
  context: CallContext,
  search: RunSearch,
): Promise<readonly JsonNode[]> {
  const size = fetchLimit(node, index)
  const child = context.child('indices:data/read/search')
  const { line, col } = query
  const entries: JsonEntry[] = [{ key: 'query', line, col, value: query }]
  if (isStored)
    entries.push({
      key: 'stored_fields',
      line,
      col,
      value: { kind: 'string', line, col, value: path },
    })
  const call: SearchCall = {
    target: oneIndex(index),
    body: { kind: 'object', line, col, entries },
    options: {
      size,
      trackTotalHits: true,
      ...(routing === null ? {} : { routing: [routing] }),
    },
    human: false,
  }
  const { body } = await node.tasks.run(child, () => search(node, call, child))
  const answer = parseJsonTree(writeJson(body))
  const [total = null] = presentAt(answer, 'hits.total.value')
  if (total?.kind === 'number' && total.value > size)
    throw new IllegalArgumentError(
      `Terms lookup subquery total hits [${total.text}] exceed fetch limit [${size}]; filter may ` +
        'be incomplete.',
    )
  return presentAt(answer, `hits.hits.${isStored ? 'fields' : '_source'}.${path}`)
}

/** Hits that a lookup may read: what one search returns, and what one query takes. */
function fetchLimit(node: Node, index: string): number {
  const settings = node.index(index)?.metadata.settings
  const of = (key: string, otherwise: number): number =>
    settings === undefined ? otherwise : (indexSettings.number(settings, key) ?? otherwise)
  const maxClauses = clusterSettings.number(
    node.effectiveSettings,
    'indices.query.bool.max_clause_count',
  )
  return Math.min(
    of('index.max_terms_count', 65536),
    of('index.max_result_window', 10_000),
    maxClauses ?? 1024,
  )
}

function oneIndex(name: string): Target {
  return {
    names: [name],
    ignoreUnavailable: false,
    allowNoIndices: true,
    expandOpen: true,
    expandClosed: false,
    expandHidden: false,
    allowAliases: true,
    allowDataStreams: true,
  }
}

/** The body of a search as processors of its request see it: an object, into which the URL's options went. */
import {
  type JsonEntry,
  type JsonNode,
  type JsonObjectNode,
  jsonEntry,
  parseJsonTree,
} from '../../../util/json/json-tree.ts'
import { Float32, type JsonValue } from '../../../util/json/json-value.ts'
import { jsonValueOf, writeJson } from '../../../util/json/json-writer.ts'
import type { SearchCall, SearchOptions } from '../../api/searches.ts'

/** Options of the URL that have a twin in the body, each with its key and its value there. */
const IN_BODY: {
  readonly [K in keyof SearchOptions]?: readonly [
    key: string,
    value: (option: NonNullable<SearchOptions[K]>) => JsonValue,
  ]
} = {
  from: ['from', from => from],
  size: ['size', size => size],
  explain: ['explain', flag => flag],
  version: ['version', flag => flag],
  seqNoPrimaryTerm: ['seq_no_primary_term', flag => flag],
  trackScores: ['track_scores', flag => flag],
  minScore: ['min_score', score => new Float32(score)],
  terminateAfter: ['terminate_after', count => count],
}

const NO_BODY: JsonObjectNode = { kind: 'object', line: 1, col: 1, entries: [] }

/** A search whose options of the URL stand in its body, as far as processors look at them. */
export function withOptionsInBody(call: SearchCall): SearchCall {
  const { restTotalHitsAsInt, trackTotalHits, ...others } = call.options
  let moved: SearchCall = { ...call, body: call.body ?? NO_BODY, options: others }
  for (const name of Object.keys(IN_BODY) as (keyof SearchOptions)[])
    moved = moveOption(moved, name)
  // Totals as numbers are exact by the URL alone: there the option has to stay where it was given.
  if (restTotalHitsAsInt === true) {
    const options = { ...moved.options, restTotalHitsAsInt }
    return {
      ...moved,
      options: trackTotalHits === undefined ? options : { ...options, trackTotalHits },
    }
  }
  return trackTotalHits === undefined
    ? moved
    : withSourceKey(moved, 'track_total_hits', trackTotalHits)
}

function moveOption<K extends keyof SearchOptions>(call: SearchCall, name: K): SearchCall {
  const { [name]: option, ...options } = call.options
  const twin = IN_BODY[name]
  if (option === undefined || twin === undefined) return call
  const [key, value] = twin as readonly [string, (option: SearchOptions[K]) => JsonValue]
  return withSourceKey({ ...call, options }, key, value(option))
}

/** A key of the body; null without. */
export function sourceKey({ body }: SearchCall, key: string): JsonNode | null {
  return (body?.kind === 'object' ? jsonEntry(body, key)?.value : null) ?? null
}

/** The search with another value of a key. */
export function withSourceKey(call: SearchCall, key: string, value: JsonValue): SearchCall {
  return withEntries(call, key, [{ key, line: 1, col: 1, value: nodeOf(value) }])
}

/** The search without a key. */
export function withoutSourceKey(call: SearchCall, key: string): SearchCall {
  return withEntries(call, key, [])
}

function withEntries(call: SearchCall, key: string, added: readonly JsonEntry[]): SearchCall {
  const { line, col, entries } = call.body?.kind === 'object' ? call.body : NO_BODY
  const kept = entries.filter(entry => entry.key !== key)
  return { ...call, body: { kind: 'object', line, col, entries: [...kept, ...added] } }
}

/** The body as an answer shows it. */
export function shownSource({ body }: SearchCall): JsonValue {
  return jsonValueOf(body ?? NO_BODY)
}

/** A value as the tree that parsers of requests read. */
export function nodeOf(value: JsonValue): JsonNode {
  return parseJsonTree(writeJson(value))
}

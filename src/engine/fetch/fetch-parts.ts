import { EngineError } from '../../util/errors.ts'
import type { SourceFilter } from '../api/documents.ts'
import { ALL_OF_SOURCE } from '../dsl/search-body/source-selection.ts'
import type { FetchPart, FetchPartName, FetchPartValues } from './fetch-part.ts'
import { docvalueFieldsPart } from './part/docvalue-fields.ts'
import { explainPart } from './part/explain.ts'
import { fieldsPart } from './part/fields.ts'
import { highlightPart } from './part/highlight.ts'
import { innerHitsPart } from './part/inner-hits.ts'
import { matchedQueriesPart } from './part/matched-queries.ts'
import { scorePart } from './part/score.ts'
import { scriptFieldsPart } from './part/script-fields.ts'
import { seqNoPrimaryTermPart } from './part/seq-no-primary-term.ts'
import { sortPart } from './part/sort.ts'
import { sourcePart } from './part/source.ts'
import { storedFieldsPart } from './part/stored-fields.ts'
import { versionPart } from './part/version.ts'

/**
 * The parts of a hit, in the order in which they are read and profiled as sub-phases. The order in
 * which it prints is that of the hit's keys (`response/printed-hit.ts`).
 */
export const FETCH_PARTS: { readonly [N in FetchPartName]: FetchPart<FetchPartValues[N]> } = {
  storedFields: storedFieldsPart,
  source: sourcePart,
  docvalueFields: docvalueFieldsPart,
  scriptFields: scriptFieldsPart,
  fields: fieldsPart,
  version: versionPart,
  seqNoPrimaryTerm: seqNoPrimaryTermPart,
  highlight: highlightPart,
  explain: explainPart,
  sort: sortPart,
  score: scorePart,
  matchedQueries: matchedQueriesPart,
  innerHits: innerHitsPart,
}

/** The names of all parts, in the table's order. */
export const FETCH_PART_NAMES: readonly FetchPartName[] = Object.keys(
  FETCH_PARTS,
) as FetchPartName[]

/** The values of a request that has no key of any part. */
export const NOTHING_TO_FETCH: FetchPartValues = Object.fromEntries(
  FETCH_PART_NAMES.map(name => [name, FETCH_PARTS[name].unasked]),
) as unknown as FetchPartValues

/** The source that hits carry: stored fields stop it, unless it is asked for too. */
export function coupledSource({ storedFields, source }: FetchPartValues): SourceFilter | null {
  if (storedFields === null) return source
  const isAsked = source !== null || storedFields.includes('_source')
  return isAsked ? source : { ...ALL_OF_SOURCE, enabled: false }
}

/**
 * Holds the parts against each other.
 * @throws {EngineError} `search_exception`: without even ids, sources and fields have nothing to go with
 */
export function checkFetch({ storedFields, source, fields }: FetchPartValues): void {
  if (storedFields !== 'none') return
  if (source?.enabled === true)
    throw searchError('[stored_fields] cannot be disabled if [_source] is requested')
  if (fields.length > 0)
    throw searchError('[stored_fields] cannot be disabled when using the [fields] option')
}

function searchError(reason: string): EngineError {
  return new EngineError({ type: 'search_exception', reason })
}

import type { FetchPart, FetchPartName, FetchPartValues } from './fetch-part.ts'
import { docvalueFieldsPart } from './part/docvalue-fields.ts'
import { explainPart } from './part/explain.ts'
import { fieldsPart } from './part/fields.ts'
import { matchedQueriesPart } from './part/matched-queries.ts'
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
  fields: fieldsPart,
  version: versionPart,
  seqNoPrimaryTerm: seqNoPrimaryTermPart,
  explain: explainPart,
  sort: sortPart,
  matchedQueries: matchedQueriesPart,
}

/** The names of all parts, in the table's order. */
export const FETCH_PART_NAMES: readonly FetchPartName[] = Object.keys(
  FETCH_PARTS,
) as FetchPartName[]

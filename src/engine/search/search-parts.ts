import { aggregationsPart } from './part/aggregations.ts'
import { derivedPart } from './part/derived.ts'
import { extPart } from './part/ext.ts'
import { groupsPart } from './part/groups.ts'
import { pipelinePart } from './part/pipeline.ts'
import { profilePart } from './part/profile.ts'

import { suggestPart } from './part/suggest.ts'

import type { SearchPart, SearchPartName, SearchPartValues } from './search-part.ts'

/** The parts of a search, in the order in which the answer prints them behind its hits. */
export const SEARCH_PARTS: { readonly [N in SearchPartName]: SearchPart<SearchPartValues[N]> } = {
  aggregations: aggregationsPart,
  suggest: suggestPart,
  profile: profilePart,
  groups: groupsPart,
  ext: extPart,
  pipeline: pipelinePart,
  derived: derivedPart,
}

/** The names of all parts, in the table's order. */
export const SEARCH_PART_NAMES: readonly SearchPartName[] = Object.keys(
  SEARCH_PARTS,
) as SearchPartName[]

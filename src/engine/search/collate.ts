/** Phrases of suggestions held against the documents of a shard: each makes a query of its own. */
import { gatherPlan } from '../../search/collector/gather-plan.ts'
import { bindJoins } from '../../search/query/bind-joins.ts'
import type { Query } from '../../search/query/query.ts'
import type { Cancellation } from '../../util/cancellation.ts'
import type { Charge } from '../api/memory-charge.ts'
import type { Node } from '../node/node.ts'
import { templateOf } from '../script/render-template.ts'
import type { Collate } from '../suggest/collate-options.ts'
import type { MadeSuggestion, SuggestEntry, SuggestOption } from '../suggest/suggester.ts'
import { findJoins, joinOptions } from './find-joins.ts'
import { NO_HITS } from './gather-only.ts'
import type { IndexSearch } from './index-search.ts'
import type { HeldShard } from './search-targets.ts'

/** Where phrases are looked for. */
export interface CollateCall {
  readonly node: Node
  readonly search: Pick<IndexSearch, 'index' | 'queryOf' | 'maxClauseCount' | 'view' | 'visible'>
  readonly held: HeldShard
  readonly charge: Charge
  readonly signal: Cancellation
}

/**
 * The answers of a shard without the phrases that no document of it matches, or with each phrase saying
 * whether one does.
 * @param answers of the suggestions, in their order
 * @throws {EngineError} a template makes no query; as a search
 */
export async function collated(
  suggestions: readonly MadeSuggestion[],
  answers: readonly (readonly SuggestEntry[])[],
  call: CollateCall,
): Promise<readonly (readonly SuggestEntry[])[]> {
  const all: (readonly SuggestEntry[])[] = []
  for (const [i, entries] of answers.entries()) {
    const collate = suggestions[i]!.collate ?? null
    all.push(collate === null ? entries : await collateEntries(entries, collate, call))
  }
  return all
}

async function collateEntries(
  entries: readonly SuggestEntry[],
  collate: Collate,
  call: CollateCall,
): Promise<readonly SuggestEntry[]> {
  const found: SuggestEntry[] = []
  for (const entry of entries) {
    const options: SuggestOption[] = []
    for (const option of entry.options) {
      const collateMatch = await hasMatch(option.text, collate, call)
      if (collate.prune) options.push({ ...option, collateMatch })
      else if (collateMatch) options.push(option)
    }
    found.push({ ...entry, options })
  }
  return found
}

/** Whether a document of the shard matches the query that the template makes of a phrase. */
async function hasMatch(
  phrase: string,
  { template, params }: Collate,
  { node, search, held: { snapshot }, charge, signal }: CollateCall,
): Promise<boolean> {
  if (template === null) return true
  const render = templateOf(node, { ...template, params })
  const { query, joins } = search.queryOf(render(new Map([['suggestion', phrase]])))
  const { maxClauseCount } = search
  const options = joinOptions(node, search.index.metadata.settings, signal)
  const { visible } = search
  const bound = await findJoins(node, joins, {
    snapshot,
    options,
    maxClauseCount,
    view: search.view,
    visible,
    signal,
    charge,
  })
  const plan = {
    query: amongVisible(bindJoins(query, bound), visible),
    gather: gatherPlan({ ...NO_HITS, trackTotalHits: 1 }, [], ONE_MATCH),
    joins: bound,
    maxClauseCount,
    statistics: null,
  }
  const { result } = await node.searcher.search(snapshot, plan, options)
  return (result.total?.value ?? 0) > 0
}

function amongVisible(query: Query, visible: Query | null): Query {
  if (visible === null) return query
  return {
    kind: 'boolean',
    clauses: [
      { occur: 'filter', query },
      { occur: 'filter', query: visible },
    ],
    minimumShouldMatch: 0,
  }
}

/** One document is enough. */
const ONE_MATCH = { minScore: null, terminateAfter: 1, deadline: 0 }

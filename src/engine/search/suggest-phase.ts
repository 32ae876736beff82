/** The suggestions of a search: in each shard, and put together with the documents that they stand in. */
import { throwIfAborted } from '../../parallel/search-options.ts'
import type { Cancellation } from '../../util/cancellation.ts'
import type { JsonRecord } from '../../util/json/json-value.ts'
import { inTurns } from '../../util/turns.ts'
import type { Charge } from '../api/memory-charge.ts'
import { withScratch } from '../fetch/with-scratch.ts'
import type { Node } from '../node/node.ts'
import type { PrintedHit } from '../response/printed-hit.ts'
import { type SuggestPlace, shardSuggest } from '../suggest/shard-suggest.ts'
import type { SuggestRequest } from '../suggest/suggest-request.ts'
import type { MadeSuggestion, SuggestEntry, SuggestOption } from '../suggest/suggester.ts'
import { SUGGESTERS } from '../suggest/suggesters.ts'
import { type CollateCall, collated } from './collate.ts'
import { fetchPhase } from './fetch-phase.ts'
import { joinOptions } from './find-joins.ts'
import type { SearchedShard } from './searched-shard.ts'
import { visibleDocs } from './visible-docs.ts'

/**
 * Runs the suggestions of a request in one shard.
 * @throws {EngineError} as a search
 */
export async function suggestInShard(
  suggestions: readonly MadeSuggestion[],
  call: CollateCall,
): Promise<readonly (readonly SuggestEntry[])[]> {
  const {
    node,
    search,
    held: { snapshot },
    charge,
    signal,
  } = call
  const { searcher, memory } = node
  const options = joinOptions(node, search.index.metadata.settings, signal)
  const visible =
    search.visible === null
      ? null
      : await visibleDocs(node, search.visible, { ...search, snapshot, options, charge })
  const check = (): void => {
    throwIfAborted(signal)
    node.ensureOpen()
  }
  const place: SuggestPlace = {
    searcher,
    memory,
    snapshot,
    visible,
    charge,
    withPostings: (leaf, pins, run) =>
      withScratch({ searcher, memory, pins }, { openPostings: 1 }, leaf, run),
  }
  const answers = await inTurns(turn => shardSuggest(place, suggestions, turn), check, signal)
  const collates = suggestions.some(({ collate = null }) => collate !== null)
  return collates ? await collated(suggestions, answers, call) : answers
}

/** Options of a search that shape its suggestions. */
export interface SuggestFetch {
  readonly charge: Charge
  readonly signal: Cancellation
  /** Whether names are printed with their kinds. */
  readonly typedKeys: boolean
}

/**
 * Puts the shards' suggestions together, reads the documents of their options, and prints all.
 * @param answers the shards that answered, whose snapshots are held
 * @throws {EngineError} shards whose suggestions do not go together; as `fetchPhase`
 */
export async function printSuggestions(
  node: Node,
  answers: readonly SearchedShard[],
  { suggestions }: SuggestRequest,
  asked: SuggestFetch,
): Promise<JsonRecord> {
  const printed: Record<string, JsonRecord[]> = {}
  for (const [at, { name, kind }] of suggestions.entries()) {
    const lists = answers.flatMap(({ suggested }) => {
      const list = suggested?.[at]
      return list === undefined ? [] : [list]
    })
    const entries = answers[0]?.search.suggestions?.[at]?.reduce(lists) ?? []
    const hits = await readHits(node, answers, entries, asked)
    printed[asked.typedKeys ? `${kind}#${name}` : name] = entries.map(
      ({ text, offset, length, options }) => ({
        text,
        offset,
        length,
        options: options.map(option => SUGGESTERS[kind].print(option, hits.get(option) ?? null)),
      }),
    )
  }
  return printed
}

/** The documents of options, as hits. */
async function readHits(
  node: Node,
  answers: readonly SearchedShard[],
  entries: readonly SuggestEntry[],
  { charge, signal }: SuggestFetch,
): Promise<ReadonlyMap<SuggestOption, PrintedHit>> {
  const found = entries.flatMap(({ options }) =>
    options.flatMap(option => (option.document === null ? [] : [{ option, ...option.document }])),
  )
  const documents = found.map(({ option, shard, globalDoc }) => ({
    shard,
    hit: { globalDoc, score: option.score, sort: null },
  }))
  const shards = answers.map(answer => ({
    ...answer,
    search: { ...answer.search, fetch: answer.search.optionFetch },
    fetchProfiler: null,
  }))
  const hits = await fetchPhase(node, shards, documents, [], charge, signal)
  return new Map(found.map(({ option }, i) => [option, hits[i]!]))
}

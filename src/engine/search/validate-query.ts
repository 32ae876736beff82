import { bindJoins } from '../../search/query/bind-joins.ts'
import { mapListed } from '../../search/query/hybrid.ts'
import type { Query } from '../../search/query/query.ts'
import { queryText, queryTextWith } from '../../search/query/query-ops.ts'
import type { CallContext } from '../../task/call-context.ts'
import { EngineError } from '../../util/errors.ts'
import type { QueryExplanation, ValidateCall, ValidateOutcome } from '../api/searches.ts'
import { queryContextOf } from '../dsl/index-query-context.ts'
import type { Answers } from '../dsl/lookup.ts'
import { buildTopQuery, type ParsedQuery } from '../dsl/query-context.ts'
import { parseCountBody } from '../dsl/search-body/count-body.ts'
import { DamagedShard, type OpenedShard } from '../node/damaged-shard.ts'
import type { Node } from '../node/node.ts'
import { findJoins, joinOptions } from './find-joins.ts'
import { answersTo } from './lookup-calls.ts'
import { checkRestrictedRewrite } from './restricted-search.ts'
import { searchByItself } from './search-call.ts'
import { resolveSearch, type ViewedIndex } from './search-targets.ts'
import { lookInto, rewrittenOn } from './shard-leaves.ts'
import { queryThrough } from './view-query.ts'

/**
 * Makes a query for each index, and says for one shard of each, or for all, how it would run there.
 * @throws {EngineError} as `resolveOpen`; 403 `security_exception`: a caller who may not see every document asks
 *         how it is rewritten
 */
export async function validateQuery(
  node: Node,
  call: ValidateCall,
  context: CallContext,
): Promise<ValidateOutcome> {
  node.ensureOpen()
  let parsed: ParsedQuery | null
  try {
    parsed = parseCountBody(call.body)
  } catch (error) {
    if (!(error instanceof EngineError)) throw error
    return { refused: error.record }
  }
  const found = resolveSearch(node, call.target, context)
  const answers = await answersTo(node, [parsed], found, context, searchByItself)
  const facts = { answers, nowInMillis: Date.now(), context }
  const explanations: QueryExplanation[] = []
  let total = 0
  for (const each of found) {
    const { allShards } = each.index
    const shards = call.allShards ? allShards : [someShard(allShards)]
    total += shards.length
    for (const shard of shards)
      if (!(shard instanceof DamagedShard)) {
        const outcome = await outcomeOf(() =>
          textOf(node, each, shard, parsed, call.rewrite, facts),
        )
        explanations.push({ index: each.index.name, shard: shard.name.shard, outcome })
      }
  }
  const successful = explanations.length
  return { shards: { total, successful, failed: total - successful }, explanations }
}

/** A shard that could be opened, where there is one. */
function someShard(shards: readonly OpenedShard[]): OpenedShard {
  return shards.find(shard => !(shard instanceof DamagedShard)) ?? shards[0]!
}

async function outcomeOf(text: () => Promise<string>): Promise<QueryExplanation['outcome']> {
  try {
    return { query: await text() }
  } catch (error) {
    if (!(error instanceof EngineError) || error.record.type === 'security_exception') throw error
    return { error: error.record }
  }
}

/** Facts common to all shards of a call. */
interface ValidateFacts {
  readonly answers: Answers
  readonly nowInMillis: number
  readonly context: CallContext
}

async function textOf(
  node: Node,
  { view, index }: ViewedIndex,
  shard: Exclude<OpenedShard, DamagedShard>,
  parsed: ParsedQuery | null,
  rewrites: boolean,
  { answers, nowInMillis, context: call }: ValidateFacts,
): Promise<string> {
  const { context, asked, query } = await node.scripts.whenLoaded(() => {
    const context = queryContextOf(view, node, nowInMillis, answers)
    const asked: Query = parsed === null ? { kind: 'matchAll' } : buildTopQuery(parsed, context)
    // The text of a role's filter is none of the caller's.
    const through = { ...view, visible: null }
    const query = mapListed(asked, each => queryThrough(through, each, context, node))
    return { context, asked, query }
  })
  if (!rewrites) return queryTextWith(query, nameOf)
  checkRestrictedRewrite(view)
  const snapshot = shard.snapshot.acquire()
  const charge = node.breakers.open('request', '<validate>')
  try {
    const joins = await findJoins(node, context.notes.joins, {
      snapshot,
      options: joinOptions(node, index.metadata.settings, call),
      maxClauseCount: context.maxClauseCount,
      view,
      visible: null,
      signal: call,
      charge,
    })
    const bound = bindJoins(query, joins)
    const rewritten = lookInto(node, snapshot, ({ leaves }) => rewrittenOn(bound, leaves))
    // That nothing matches says less than the query does.
    return rewritten.kind === 'matchNone' ? queryText(asked) : queryText(rewritten)
  } finally {
    charge.release()
    snapshot.release()
  }
}

/** The real server makes `match_all` so, and resolves it when it runs. */
function nameOf({ kind }: Query): string | null {
  return kind === 'matchAll'
    ? 'ApproximateScoreQuery(originalQuery=*:*, approximationQuery=Approximate(*:*))'
    : null
}

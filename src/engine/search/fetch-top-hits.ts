import type { AggregationResult, ChildResults, ShownDocuments } from '../../aggregation/result.ts'
import { throwIfAborted } from '../../parallel/search-options.ts'
import type { Cancellation } from '../../util/cancellation.ts'
import { inTurns, type Turn } from '../../util/turns.ts'
import type { Charge } from '../api/memory-charge.ts'
import { fetchHits } from '../fetch/fetch-hits.ts'
import type { Node } from '../node/node.ts'
import type { PrintedHit } from '../response/printed-hit.ts'
import { printHits } from '../response/search-response.ts'
import { fetchPlace } from './fetch-place.ts'
import type { SearchedShard } from './searched-shard.ts'

/** Context of a fetch beside its documents. */
export interface TopHitsFetch {
  readonly node: Node
  /** The shards that the documents name, whose snapshots are held. */
  readonly answers: readonly SearchedShard[]
  readonly totalAsInt: boolean
  /** Bytes read are charged to it. */
  readonly charge: Charge
  /** Looked at between turns. */
  readonly signal: Cancellation
}

/**
 * Fetches the documents that results show, in as many turns of the event loop as that takes.
 * @throws {EngineError} `circuit_breaking_exception`; between turns `task_cancelled_exception`, or
 *   `illegal_state_exception` once the engine closes
 */
export function fetchTopHits(results: ChildResults, fetch: TopHitsFetch): void | Promise<void> {
  // Without a plan nothing is shown, in however many buckets that would be looked for.
  if (fetch.answers.every(({ search }) => search.topHits.size === 0)) return
  const shown = new Map<string, ShownDocuments[]>()
  findShown(results, '', shown)
  if (shown.size === 0) return
  const { node, signal } = fetch
  const check = (): void => {
    throwIfAborted(signal)
    node.ensureOpen()
  }
  return inTurns(turn => fetchAll(shown, fetch, turn), check, signal)
}

function findShown(results: ChildResults, prefix: string, to: Map<string, ShownDocuments[]>): void {
  for (const [name, result] of results) {
    const path = prefix + name
    if (result.kind === 'metric') {
      const { documents } = result
      if (documents === undefined) continue
      const known = to.get(path)
      if (known === undefined) to.set(path, [documents])
      else known.push(documents)
    } else for (const children of childrenOf(result)) findShown(children, `${path}>`, to)
  }
}

function childrenOf(result: Exclude<AggregationResult, { kind: 'metric' }>): ChildResults[] {
  return result.kind === 'single'
    ? [result.children]
    : result.buckets.map(({ children }) => children)
}

function* fetchAll(
  shown: ReadonlyMap<string, readonly ShownDocuments[]>,
  fetch: TopHitsFetch,
  turn: Turn,
): Generator<void, void, void> {
  for (const [path, all] of shown) {
    const hits = yield* fetchPath(path, all, fetch, turn)
    for (const documents of all) {
      const { total, maxScore, found } = documents
      const read = found.map(({ shard }) => hits[shard]!.next().value as PrintedHit)
      documents.printed = {
        hits: printHits(
          { total: { value: total, relation: 'eq' }, maxScore, hits: read },
          fetch.totalAsInt,
        ),
      }
    }
  }
}

/** Fetches the documents of one aggregation in all buckets. @returns by shard, in order of the results */
function* fetchPath(
  path: string,
  all: readonly ShownDocuments[],
  { node, answers, charge }: TopHitsFetch,
  turn: Turn,
): Generator<void, ArrayIterator<PrintedHit>[], void> {
  const read: ArrayIterator<PrintedHit>[] = []
  for (const [ord, answer] of answers.entries()) {
    const mine = all.flatMap(({ found }) =>
      found.flatMap(({ shard, hit }) => (shard === ord ? [hit] : [])),
    )
    const plan = answer.search.topHits.get(path)
    const hits =
      plan === undefined || mine.length === 0
        ? []
        : yield* fetchHits(fetchPlace(node, answer, charge), mine, plan, turn)
    read.push(hits.values())
  }
  return read
}

/** The documents of a shard with the terms of analysed texts, by dictionaries and postings. */
import type { SignificantText } from '../../aggregation/significant/significant-text.ts'
import type { ShardBackground } from '../../aggregation/significant/slice-significant.ts'
import type { TextTerms } from '../../aggregation/significant/text-terms.ts'
import { gatherPlan, NO_LIMITS } from '../../search/collector/gather-plan.ts'
import type { ListedMatches, MatchRun } from '../../search/collector/listed-matches.ts'
import { bindJoins } from '../../search/query/bind-joins.ts'
import type { Leaf } from '../../segment/leaf.ts'
import type { Pins } from '../../segment/pins.ts'
import { inTurns, type Turn } from '../../util/turns.ts'
import { withScratch } from '../fetch/with-scratch.ts'
import { NO_HITS } from './gather-only.ts'
import type { TextsCall } from './texts-call.ts'

/** Terms that are counted while a leaf has scratch. */
const TERMS_AT_ONCE = 16
/** Postings of 2⁸ documents are a unit of work. */
const LOG2_DOCS_PER_UNIT = 8
const ONE_TERM = { openPostings: 1 }

/**
 * Counts the background of a shard's terms.
 * @param check called between turns
 * @throws {EngineError} as a search
 */
export async function textBackground(
  plan: SignificantText,
  terms: TextTerms,
  call: TextsCall,
  check: () => void,
): Promise<ShardBackground> {
  const { snapshot, signal } = call
  const matched = plan.background === null ? null : await matchesOf(plan.background, call)
  const counts = new Float64Array(terms.size)
  const pins = call.node.memory.newPins()
  try {
    const work = (turn: Turn): Generator<void, void, void> =>
      countAll(plan, terms, matched, counts, call, pins, turn)
    await inTurns(work, check, signal)
  } finally {
    pins.release()
  }
  const size =
    matched === null ? snapshot.maxDoc : matched.reduce((sum, { docCount }) => sum + docCount, 0)
  return { size, count: bucket => counts[bucket]! }
}

/** Documents of a leaf as bits. */
interface MatchBits {
  readonly bits: Uint32Array
  readonly docCount: number
}

/** The matches of a background by ord of the leaf. */
async function matchesOf(
  query: NonNullable<SignificantText['background']>,
  { searcher, snapshot, options, joins, maxClauseCount, charge }: TextsCall,
): Promise<readonly MatchBits[]> {
  charge.add(snapshot.maxDoc)
  const list: ListedMatches = { kind: 'listedMatches', withScores: false }
  const { result } = await searcher.search(
    snapshot,
    {
      query: bindJoins(query, joins),
      gather: gatherPlan(NO_HITS, [list], NO_LIMITS),
      joins,
      maxClauseCount,
      statistics: null,
    },
    options,
  )
  const runs = result.parts[0] as readonly MatchRun[]
  return snapshot.leaves.map(({ segment }, ord) => {
    const bits = new Uint32Array((segment.maxDoc + 31) >>> 5)
    let docCount = 0
    for (const { leafOrd, docs } of runs) {
      if (leafOrd !== ord) continue
      docCount += docs.length
      for (const doc of docs) bits[doc >>> 5]! |= 1 << (doc & 31)
    }
    return { bits, docCount }
  })
}

function* countAll(
  { values: { field } }: SignificantText,
  terms: TextTerms,
  matched: readonly MatchBits[] | null,
  counts: Float64Array,
  { node, snapshot }: TextsCall,
  pins: Pins,
  turn: Turn,
): Generator<void, void, void> {
  const place = { searcher: node.searcher, memory: node.memory, pins }
  for (const [ord, snapshotLeaf] of snapshot.leaves.entries())
    for (let from = 0; from < terms.size; from += TERMS_AT_ONCE) {
      const to = Math.min(terms.size, from + TERMS_AT_ONCE)
      const units = withScratch(place, ONE_TERM, snapshotLeaf, leaf => {
        let done = 0
        for (let bucket = from; bucket < to; bucket++) {
          const count = countIn(leaf, field, terms.key(bucket), matched?.[ord] ?? null)
          counts[bucket]! += count
          done += 1 + (count >>> LOG2_DOCS_PER_UNIT)
        }
        return done
      })
      if (turn.isOver(units)) yield
    }
}

/** Documents of a leaf with a term, of those that match if not all do. */
function countIn(leaf: Leaf, field: string, term: Uint8Array, matched: MatchBits | null): number {
  if (leaf.fieldInfo(field) === null) return 0
  const state = leaf.terms(field)?.lookup(term) ?? null
  if (state === null || matched === null) return state?.docFreq ?? 0
  const mark = leaf.scratch.mark()
  const postings = leaf.postings(field, state)
  const { bits } = matched
  let count = 0
  for (let doc = postings.nextDoc(); doc < leaf.maxDoc; doc = postings.nextDoc())
    count += (bits[doc >>> 5]! >>> (doc & 31)) & 1
  leaf.scratch.release(mark)
  return count
}

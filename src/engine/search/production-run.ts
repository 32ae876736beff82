/** A profiled search as production runs it, and whether both runs found the same. */
import { createHash } from 'node:crypto'
import type { SearchPlan } from '../../parallel/prepare.ts'
import type { ShardResult } from '../../parallel/reduce.ts'
import type { ShardSearchOptions } from '../../parallel/search-options.ts'
import type { ShardSearcher } from '../../parallel/shard-search.ts'
import type { SliceRecord } from '../../search/slice-report.ts'
import type { Snapshot } from '../../segment/snapshot.ts'
import { nowInNanos } from '../../util/clock.ts'
import { EngineError } from '../../util/errors.ts'
import { searchShard } from './hybrid/search-lists.ts'

/** The result of the run without a profile. */
export interface ProductionRun {
  /** When it began, on the common clock. */
  readonly started: number
  readonly slices: readonly SliceRecord[]
  readonly result: ShardResult
}

/** Runs a search that is profiled as it runs without a profile, its slices reporting. */
export async function runAsProduction(
  searcher: ShardSearcher,
  snapshot: Snapshot,
  plan: SearchPlan,
  options: ShardSearchOptions,
): Promise<ProductionRun> {
  const started = nowInNanos()
  const unprofiled = { ...options, profile: null, reports: true }
  const { result, reports } = await searchShard(searcher, snapshot, plan, unprofiled)
  return { started, slices: reports, result }
}

/**
 * Holds the hits and the total of both runs against each other. Runs out of time are outside the
 * promise that they are equal.
 * @param shard its name, for the error
 * @throws {EngineError} `illegal_state_exception`: a defect of ours
 */
export function checkSameHits(shard: string, production: ShardResult, profiled: ShardResult): void {
  if (production.timedOut || profiled.timedOut) return
  const digests = [digestOf(production), digestOf(profiled)]
  if (digests[0] === digests[1]) return
  throw new EngineError({
    type: 'illegal_state_exception',
    reason:
      `shard ${shard}: what production ran and what the profile ran found different hits, ` +
      `with digests [${digests[0]}] and [${digests[1]}]: please report this query`,
  })
}

/** Of every hit its document and the bits of its score and sort values, and of the total. */
function digestOf({ hits, lists = [], total }: ShardResult): string {
  const hash = createHash('sha256')
  const score = new Float64Array(1)
  for (const list of [hits, ...lists]) {
    for (const hit of list) {
      score[0] = hit.score
      hash.update(`${hit.globalDoc} `).update(new Uint8Array(score.buffer))
      for (const value of hit.sort ?? []) hash.update(` ${typeof value} ${value}`)
      hash.update('\n')
    }
    hash.update('\n')
  }
  hash.update(total === null ? 'none' : `${total.value} ${total.relation}`)
  return hash.digest('hex').slice(0, 32)
}

import type { ScriptRun } from '../../script/script-run.ts'
import type { OpenNestedDocs } from '../sort/nested-docs.ts'
import type { SortKey } from '../sort/sort-key.ts'
import type { CollectSpec, SliceHit } from './collect-spec.ts'
import type { Collector, SliceState } from './collector.ts'
import { TopFieldCollector } from './top-field-collector.ts'
import { TopGroupsCollector } from './top-groups-collector.ts'
import { TopScoreCollector } from './top-score-collector.ts'

/** A collector that keeps the best hits of a slice. */
export interface TopCollector extends Collector {
  /** Best first. */
  hits(): SliceHit[]
  /** Of all matches; NaN when none was computed. */
  maxScore(): number
  /** Later matches with this score or a lower one change no hit; −1: any may. */
  floor(): number
}

/** The slice whose hits a collector keeps. */
export interface CollectedSlice {
  readonly state: SliceState
  /** Number of its documents. */
  readonly docs: number
  /** Whether the collector tells scorers which scores compete. */
  readonly prunes: boolean
  readonly openNested: OpenNestedDocs
  readonly scripts: ScriptRun
}

const BY_SCORE: readonly SortKey[] = [{ kind: 'score', descending: true }]

/** The collector of a search's hits. */
export function topCollector(spec: CollectSpec, slice: CollectedSlice): TopCollector {
  const { topCount, searchAfter, collapse } = spec
  const { state, docs, prunes, openNested, scripts } = slice
  if (spec.sort === null && searchAfter === null && collapse === null)
    return new TopScoreCollector(topCount, state, prunes)
  const sort = spec.sort ?? BY_SCORE
  const scores = readsScores(spec)
  // Heap slots are allocated ahead: min(size, documents of the slice).
  const slots = Math.max(1, Math.min(topCount, docs))
  return collapse === null
    ? new TopFieldCollector(slots, sort, searchAfter, scores, state, openNested, scripts)
    : new TopGroupsCollector(slots, collapse, sort, searchAfter, scores, state, openNested, scripts)
}

/** Whether the collector reads the score of every match. */
export function readsScores({
  sort,
  trackScores,
}: Pick<CollectSpec, 'sort' | 'trackScores'>): boolean {
  return trackScores || (sort ?? BY_SCORE).some(key => key.kind === 'score')
}

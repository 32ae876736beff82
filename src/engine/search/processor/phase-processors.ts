import type { HybridScoring } from '../hybrid/hybrid-scoring.ts'
import { NORMALIZATION } from './phase/normalization.ts'
import { SCORE_RANKER } from './phase/score-ranker.ts'
import { ProcessorTable } from './processor-table.ts'

/** All types of processors between query and fetch phase. */
export const PHASE_PROCESSORS: ProcessorTable<HybridScoring> = new ProcessorTable([
  NORMALIZATION,
  SCORE_RANKER,
])

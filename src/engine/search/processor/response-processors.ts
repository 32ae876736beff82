import { ProcessorTable } from './processor-table.ts'
import { COLLAPSE } from './response/collapse.ts'
import { HYBRID_SCORE_EXPLANATION } from './response/hybrid-score-explanation.ts'
import { RENAME_FIELD } from './response/rename-field.ts'
import { RERANK } from './response/rerank.ts'
import { SORT } from './response/sort.ts'
import { SPLIT } from './response/split.ts'
import { TRUNCATE_HITS } from './response/truncate-hits.ts'
import type { ResponseStep } from './search-processor.ts'

/** All types of response processors. */
export const RESPONSE_PROCESSORS: ProcessorTable<ResponseStep> = new ProcessorTable([
  COLLAPSE,
  HYBRID_SCORE_EXPLANATION,
  RENAME_FIELD,
  RERANK,
  SORT,
  SPLIT,
  TRUNCATE_HITS,
])

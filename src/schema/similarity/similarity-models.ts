/** Models of similarities, by the names that settings have for them. */
import { dfi } from './dfi.ts'
import { dfr } from './dfr.ts'
import { ib } from './ib.ts'
import { lmDirichlet } from './lm-dirichlet.ts'
import { lmJelinekMercer } from './lm-jelinek-mercer.ts'
import type { SimilarityModel } from './similarity-model.ts'
import type { SimilarityModelType } from './similarity-model-type.ts'

export const SIMILARITY_MODELS: ReadonlyMap<string, SimilarityModelType<SimilarityModel>> = new Map<
  string,
  SimilarityModelType<SimilarityModel>
>([
  ['DFI', dfi],
  ['DFR', dfr],
  ['IB', ib],
  ['LMDirichlet', lmDirichlet],
  ['LMJelinekMercer', lmJelinekMercer],
])

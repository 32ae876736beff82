import type { Dfi } from './dfi.ts'
import type { Dfr } from './dfr.ts'
import type { Ib } from './ib.ts'
import type { LmDirichlet } from './lm-dirichlet.ts'
import type { LmJelinekMercer } from './lm-jelinek-mercer.ts'

/** A model that scores a frequency by the statistics of its term and field and a length; plain data. */
export type SimilarityModel = Dfi | Dfr | Ib | LmDirichlet | LmJelinekMercer

/** The endpoints of vectors. */
import type { Endpoint } from '../../endpoint.ts'
import { clearVectorCache } from './clear-vector-cache.ts'
import { vectorStats } from './vector-stats.ts'
import { warmUp } from './warm-up.ts'

/** Vectors in memory. */
export const VECTOR_ENDPOINTS: readonly Endpoint[] = [warmUp, clearVectorCache, vectorStats]

import type { VectorRequests } from '../api/vectors.ts'

/** Counts that begin. */
export function newVectorRequests(): VectorRequests {
  return {
    queries: {
      k: { all: 0, filtered: 0 },
      minScore: { all: 0, filtered: 0 },
      maxDistance: { all: 0, filtered: 0 },
    },
    graphs: 0,
    failedGraphs: 0,
    compilations: 0,
    failedCompilations: 0,
    scripts: 0,
    failedScripts: 0,
  }
}

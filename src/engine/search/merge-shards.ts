import { type MergedResult, reduceShards } from '../../parallel/reduce.ts'
import { reduceError } from '../response/search-response.ts'

/** Puts the shards' hits together; what hinders it is an error of the whole search. */
export function mergeShards(...merged: Parameters<typeof reduceShards>): MergedResult {
  try {
    return reduceShards(...merged)
  } catch (error) {
    throw reduceError(error)
  }
}

/** The endpoints of index-state management. */
import type { Endpoint } from '../../endpoint.ts'
import {
  addPolicy,
  changePolicy,
  explainFiltered,
  explainIndices,
  removePolicy,
  retryIndex,
} from './managed-indices.ts'
import { deletePolicy, getPolicy, listPolicies, putNamelessPolicy, putPolicy } from './policies.ts'
import { simulatePolicy } from './simulate.ts'

/** Policies, and the indices under them. */
export const ISM_ENDPOINTS: readonly Endpoint[] = [
  putPolicy,
  putNamelessPolicy,
  getPolicy,
  listPolicies,
  deletePolicy,
  addPolicy,
  removePolicy,
  changePolicy,
  retryIndex,
  explainIndices,
  explainFiltered,
  simulatePolicy,
]

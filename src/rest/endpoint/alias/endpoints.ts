/** The endpoints of aliases. */
import type { Endpoint } from '../../endpoint.ts'
import { deleteAlias } from './delete-alias.ts'
import { getAliases } from './get-aliases.ts'
import { putAlias } from './put-alias.ts'
import { updateAliases } from './update-aliases.ts'

/** Shown, put, deleted, and changed in batches. */
export const ALIAS_ENDPOINTS: readonly Endpoint[] = [
  getAliases,
  putAlias,
  deleteAlias,
  updateAliases,
]

/** The endpoints of users and their permissions. */
import type { Endpoint } from '../../endpoint.ts'
import { authInfo, changePassword, showAccount } from './account.ts'
import { dashboardsInfo } from './dashboards-info.ts'
import { DOCUMENT_ENDPOINTS } from './documents.ts'
import { clearLogins } from './login-cache.ts'
import { upgradeCheck } from './upgrade-check.ts'

/** The caller, his account, and the documents that say who may do what. */
export const SECURITY_ENDPOINTS: readonly Endpoint[] = [
  authInfo,
  showAccount,
  changePassword,
  dashboardsInfo,
  ...DOCUMENT_ENDPOINTS,
  clearLogins,
  upgradeCheck,
]

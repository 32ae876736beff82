/** The patterns that every grok expression may name. */

import { APPLICATION_PATTERNS } from './bank/applications.ts'
import { CORE_PATTERNS } from './bank/core.ts'
import { DATABASE_PATTERNS } from './bank/databases.ts'
import { NAGIOS_PATTERNS } from './bank/nagios.ts'
import { PROXY_PATTERNS } from './bank/proxies.ts'
import { SERVER_PATTERNS } from './bank/servers.ts'
import { SYSTEM_PATTERNS } from './bank/system.ts'

/** Expressions by name. */
export const GROK_BANK: ReadonlyMap<string, string> = new Map(
  [
    CORE_PATTERNS,
    SERVER_PATTERNS,
    SYSTEM_PATTERNS,
    DATABASE_PATTERNS,
    PROXY_PATTERNS,
    APPLICATION_PATTERNS,
    NAGIOS_PATTERNS,
  ].flatMap(patterns => Object.entries(patterns)),
)

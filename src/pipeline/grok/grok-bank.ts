/** The patterns that every grok expression may name. */

import { APPLICATION_PATTERNS } from './bank/applications.ts'
import { BACKUP_PATTERNS } from './bank/backups.ts'
import { CLOUD_PATTERNS } from './bank/clouds.ts'
import { CORE_PATTERNS } from './bank/core.ts'
import { DATABASE_PATTERNS } from './bank/databases.ts'
import { FIREWALL_PATTERNS } from './bank/firewalls.ts'
import { MAIL_PATTERNS } from './bank/mail.ts'
import { NAGIOS_PATTERNS } from './bank/nagios.ts'
import { NETWORK_PATTERNS } from './bank/networks.ts'
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
    MAIL_PATTERNS,
    NETWORK_PATTERNS,
    FIREWALL_PATTERNS,
    BACKUP_PATTERNS,
    CLOUD_PATTERNS,
  ].flatMap(patterns => Object.entries(patterns)),
)

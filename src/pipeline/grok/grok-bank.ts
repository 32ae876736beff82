/** The patterns that every grok expression may name. */

import { CORE_PATTERNS } from './bank/core.ts'
import { SERVER_PATTERNS } from './bank/servers.ts'

/** Expressions by name. */
export const GROK_BANK: ReadonlyMap<string, string> = new Map(
  [CORE_PATTERNS, SERVER_PATTERNS].flatMap(patterns => Object.entries(patterns)),
)

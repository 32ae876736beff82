import type { ShownAliases } from '../../../engine/api/aliases.ts'
import type { JsonMap, JsonRecord, JsonValue } from '../../../util/json/json-value.ts'
import { matchesWildcard } from '../../../util/wildcard.ts'
import {
  type Answer,
  defineEndpoint,
  type Endpoint,
  MASTER_PARAMS,
  TARGET_PARAMS,
  targetOf,
} from '../../endpoint.ts'
import { flag, list } from '../../params.ts'

/** `GET|HEAD [/{index}]/_alias[/{name}]`: found aliases, and 404 where a name without `*` is missing. */
export const getAliases: Endpoint = defineEndpoint({
  routes: [
    ['GET', '/_alias'],
    ['GET', '/_aliases'],
    ['GET', '/_alias/{name}'],
    ['HEAD', '/_alias/{name}'],
    ['GET', '/{index}/_alias'],
    ['HEAD', '/{index}/_alias'],
    ['GET', '/{index}/_alias/{name}'],
    ['HEAD', '/{index}/_alias/{name}'],
  ],
  action: 'indices:admin/aliases/get',
  params: { ...TARGET_PARAMS, ...MASTER_PARAMS, local: flag },
  body: 'none',
  async handle({ engine, params, part, context }): Promise<Answer> {
    const shown = await engine.aliases.show(targetOf(part('index'), params, 'all'), context)
    const names = list(part('name'))
    if (names.length === 0)
      return { json: new Map(shown.map(({ index, aliases }) => [index, { aliases }])) }
    const found = shown.flatMap(({ index, aliases }): ShownAliases[] => {
      const kept = new Map([...aliases].filter(([name]) => isMeant(name, names)))
      return kept.size === 0 ? [] : [{ index, aliases: kept }]
    })
    const missing = missingOf(names, found)
    const body = new Map<string, JsonValue>()
    if (missing.length > 0) {
      const kind = missing.length === 1 ? 'alias' : 'aliases'
      body.set('error', `${kind} [${missing.join(',')}] missing`)
      body.set('status', 404)
    }
    for (const { index, aliases } of found) body.set(index, { aliases } satisfies JsonRecord)
    return { status: missing.length > 0 ? 404 : 200, json: body satisfies JsonMap }
  },
})

/** By the last of the names that says something of it; `-x` takes away from the first pattern on. */
function isMeant(alias: string, names: readonly string[]): boolean {
  let isFound = false
  let hadPattern = false
  for (const name of names) {
    hadPattern ||= isPattern(name)
    if (hadPattern && name.startsWith('-')) isFound &&= !matches(name.slice(1), alias)
    else isFound ||= matches(name, alias)
  }
  return isFound
}

/** Names without a pattern that no index has, unless they are taken away again; sorted. */
function missingOf(names: readonly string[], found: readonly ShownAliases[]): string[] {
  const has = new Set(found.flatMap(({ aliases }) => [...aliases.keys()]))
  const first = names.findIndex(isPattern)
  const missing = names.filter((name, i) => {
    if (isPattern(name) || (first >= 0 && i >= first && name.startsWith('-'))) return false
    const isTakenAway = names.some(
      (other, j) =>
        first >= 0 && j > i && j >= first && other.startsWith('-') && matches(other.slice(1), name),
    )
    return !isTakenAway && !has.has(name)
  })
  return missing.sort()
}

function isPattern(name: string): boolean {
  return name === '_all' || name.includes('*')
}

function matches(pattern: string, alias: string): boolean {
  return pattern === '_all' || matchesWildcard(pattern, alias)
}

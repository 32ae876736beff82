import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openRest, type Rest } from '../support/rest-calls.ts'

const ROUTES = routesOfTheClient()

describe('the routes of the official client', () => {
  let rest: Rest

  beforeAll(async () => {
    rest = await openRest()
  })
  afterAll(() => rest.close())

  it('are many', () => {
    expect(ROUTES.length).toBeGreaterThan(300)
  })

  it('are answered, or said not to be built', async () => {
    const unknown: string[] = []
    for (const route of ROUTES) {
      const wait = route.includes('_cluster/health') ? '?timeout=1ms' : ''
      const { text } = await rest.call(route + wait)
      if (/no handler found|Incorrect HTTP method|must not start with/.test(text))
        unknown.push(`${route}: ${text.slice(0, 200)}`)
    }
    expect(unknown).toEqual([])
  })

  it('say which of them is not built', async () => {
    for (const [route, endpoint] of [
      ['GET /_cat/nothing?v', '/_cat/{view}'],
      ['GET /_dangling', '/_dangling'],
    ] as const) {
      const { status, json } = await rest.call(route, { doc: {} })
      expect(status).toBe(400)
      expect(json.error).toMatchObject({
        type: 'illegal_argument_exception',
        reason: `[${endpoint}] is not supported yet`,
      })
    }
  })
})

/** `GET /{…}` of every call of the client, read from its sources; `zz` stands for each part. */
function routesOfTheClient(): string[] {
  const main = fileURLToPath(import.meta.resolve('@opensearch-project/opensearch'))
  const api = join(dirname(main), 'api')
  const routes = new Set<string>()
  for (const entry of readdirSync(api, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !entry.name.endsWith('.js')) continue
    const source = readFileSync(join(entry.parentPath, entry.name), 'utf8')
    const methods = [...source.matchAll(/method = ([^;]*);/g)].flatMap(([, choice]) => [
      ...choice!.matchAll(/'([A-Z]+)'/g),
    ])
    for (const [, expression] of source.matchAll(/path = ([^;]*);/g))
      for (const [, method] of methods) routes.add(`${method} ${pathOf(expression!)}`)
  }
  return [...routes]
}

/** `'/' + index + '/_doc'`, or `['', index, '_doc'].filter(…).join('/')`, as a path. */
function pathOf(expression: string): string {
  const isList = expression.startsWith('[')
  const parts = isList
    ? expression.slice(1, expression.indexOf(']')).split(',')
    : expression.split('+')
  const texts = parts.map(part => /^'(.*)'$/.exec(part.trim())?.[1] ?? 'zz')
  return texts.join(isList ? '/' : '')
}

import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'

const INDEX = new URL('../../../dist/index.js', import.meta.url).href

/** A process in which `h3-js` cannot be found. */
const SCRIPT = `
  import Module from 'node:module'
  const resolve = Module._resolveFilename
  Module._resolveFilename = (name, ...rest) => {
    if (name !== 'h3-js') return resolve(name, ...rest)
    throw Object.assign(new Error('Cannot find module h3-js'), { code: 'MODULE_NOT_FOUND' })
  }
  const { open } = await import('${INDEX}')
  const db = await open()
  await db.request({ method: 'PUT', path: '/i', body: { mappings: { properties: { p: { type: 'geo_point' } } } } })
  const search = async grid => {
    const body = { aggs: { x: { [grid]: { field: 'p' } } } }
    const answer = await db.request({ method: 'POST', path: '/i/_search', body })
    return { status: answer.status, body: answer.json() }
  }
  console.log(JSON.stringify([await search('geohash_grid'), await search('geohex_grid')]))
  await db.close()
`

it('refuses hexagons by naming the package that they need where it is not installed', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [
    '--input-type=module',
    '-e',
    SCRIPT,
  ])
  const [geohash, geohex] = JSON.parse(stdout)
  expect(geohash.status).toBe(200)
  expect(geohex.status).toBe(400)
  expect(geohex.body.error).toMatchObject({
    type: 'illegal_argument_exception',
    reason: '[geohex_grid] needs the package [h3-js], which is not installed',
  })
})

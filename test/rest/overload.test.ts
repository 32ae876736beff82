import { afterAll, beforeAll, expect, it } from 'vitest'
import { percentile, runLoad } from '../../bench/lib/load.ts'
import type { EngineApi } from '../../src/engine/api/engine-api.ts'
import { Dispatcher } from '../../src/rest/dispatch.ts'
import { type HttpServer, startHttpServer } from '../../src/rest/http-server.ts'
import { Settings } from '../../src/schema/settings.ts'
import { openServices } from '../../src/service/services.ts'
import { bulk, createIndex, engineWith } from '../support/engine-calls.ts'

let engine: EngineApi
let server: HttpServer

beforeAll(async () => {
  engine = await engineWith(null)
  const dispatcher = new Dispatcher(engine, openServices(engine), { maxContentLength: 1_000_000 })
  await createIndex(engine, 'load', { 'index.number_of_shards': '1' })
  const lines = Array.from({ length: 20_000 }, (_, i) => [{ index: {} }, { n: (i * 7919) % 9973 }])
  await bulk(engine, 'load', lines.flat(), 'true')
  server = await startHttpServer(dispatcher, {
    host: '127.0.0.1',
    port: 0,
    settings: new Settings([['lamella.admission.deadline', '500ms']]),
  })
}, 60_000)

afterAll(async () => {
  await server.close(0)
  await engine.close()
})

// `npm run bench -- --only overload` is its full form, with the marks.
it('answers what it can of ten times its capacity, and refuses the rest early', async () => {
  const body = JSON.stringify({
    query: {
      script_score: {
        query: { match_all: {} },
        script: { source: "Math.log(2 + doc['n'].value)" },
      },
    },
  })
  const request =
    'POST /load/_search HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n' +
    `content-length: ${body.length}\r\n\r\n${body}`
  const load = { host: server.host, port: server.port, request, processes: 2 }
  await runLoad({ ...load, ratePerSecond: 0, connections: 16, millis: 1_000 })
  const usual = await runLoad({ ...load, ratePerSecond: 0, connections: 16, millis: 2_000 })
  const capacity = usual.acceptedInMillis.length / 2
  const overloaded = runLoad({
    ...load,
    ratePerSecond: capacity * 10,
    connections: 800,
    millis: 5_000,
  })
  await new Promise(resolve => setTimeout(resolve, 2_500))
  const began = performance.now()
  const health = await fetch(`http://127.0.0.1:${server.port}/_cluster/health`)
  const healthTook = performance.now() - began
  const { statuses, failed, acceptedInMillis } = await overloaded
  expect(health.status).toBe(200)
  // It is asked in the process of the server, beside other tests.
  expect(healthTook).toBeLessThan(5_000)
  expect(failed).toBe(0)
  expect(Object.keys(statuses).filter(status => !['200', '429', '503'].includes(status))).toEqual(
    [],
  )
  expect(statuses['429']).toBeGreaterThan(capacity)
  // Far below the mark: other tests run beside this one.
  expect(acceptedInMillis.length).toBeGreaterThan(capacity * 5 * 0.3)
  expect(percentile(acceptedInMillis, 0.99)).toBeLessThan(2_500)
  const after = await runLoad({ ...load, ratePerSecond: 0, connections: 4, millis: 1_000 })
  expect(Object.keys(after.statuses)).toEqual(['200'])
}, 60_000)

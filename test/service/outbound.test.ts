import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it } from 'vitest'
import { AnswerTooLongError, OutboundClient } from '../../src/service/outbound.ts'
import { outboundGuard } from '../../src/service/outbound-guard.ts'

/** Sends a request to a server of the test, whose answer may have 100 bytes. */
async function send(answer: RequestListener): Promise<number> {
  const server = createServer(answer)
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done))
  const client = new OutboundClient(
    {
      scheme: 'http',
      host: '127.0.0.1',
      port: (server.address() as AddressInfo).port,
      tls: { verification: 'full' },
      connectTimeoutInMillis: 2_000,
      socketTimeoutInMillis: 2_000,
      maxBytes: 100,
    },
    outboundGuard({ allowed: [], trusted: ['127.0.0.1'], trustsLocalhost: false }),
  )
  try {
    const request = { method: 'GET' as const, path: '/', headers: {}, body: null }
    return (await client.send(request, new AbortController().signal)).body.length
  } finally {
    client.close()
    server.closeAllConnections()
    await new Promise(done => server.close(done))
  }
}

// One that has come as a whole has given its socket back before it is found too long.
it.each<readonly [string, RequestListener]>([
  ['whole', (_request, response) => response.end('x'.repeat(101))],
  ['cut', (_request, response) => response.write('x'.repeat(101))],
  [
    'in many parts',
    (_request, response) => {
      for (let n = 0; n < 50; n++) response.write('x'.repeat(10))
      response.end()
    },
  ],
])('refuses an answer that is too long, %s, and throws nowhere else', async (_, answer) => {
  const uncaught: unknown[] = []
  const note = (error: unknown): number => uncaught.push(error)
  process.on('uncaughtException', note)
  try {
    await expect(send(answer)).rejects.toBeInstanceOf(AnswerTooLongError)
    await new Promise(done => setTimeout(done, 50))
    expect(uncaught).toEqual([])
  } finally {
    process.off('uncaughtException', note)
  }
})

it('takes an answer of as many bytes as may be', async () => {
  expect(await send((_request, response) => response.end('x'.repeat(100)))).toBe(100)
})

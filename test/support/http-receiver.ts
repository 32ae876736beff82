import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { whenOver } from './when-over.ts'

/** A request as it came. */
export interface Received {
  readonly method: string
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

/** What a receiver answers. */
export interface Reply {
  readonly status?: number
  readonly body?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly delayInMillis?: number
}

/** A server that keeps what it is sent. */
export interface HttpReceiver {
  readonly url: string
  readonly port: number
  readonly received: readonly Received[]
  /** Connections that were ever opened. */
  readonly connections: number
}

/** Starts a receiver on loopback; it ends with the test, or the test file. */
export async function httpReceiver(
  reply: (request: Received, count: number) => Reply = () => ({}),
): Promise<HttpReceiver> {
  const received: Received[] = []
  let connections = 0
  const server = createServer((request, response) => {
    let body = ''
    request.setEncoding('utf8')
    request.on('data', chunk => {
      body += chunk
    })
    request.on('end', () => {
      const { method = '', url = '', headers } = request
      const seen = { method, path: url, headers, body }
      received.push(seen)
      const answer = reply(seen, received.length)
      setTimeout(() => {
        response.writeHead(answer.status ?? 200, answer.headers)
        response.end(answer.body ?? '')
      }, answer.delayInMillis ?? 0)
    })
  })
  server.on('connection', () => {
    connections++
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  whenOver(async () => {
    server.closeAllConnections()
    await new Promise(resolve => server.close(resolve))
  })
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    received,
    get connections() {
      return connections
    },
  }
}

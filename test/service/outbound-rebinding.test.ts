import dns, { type LookupAddress } from 'node:dns'
import { syncBuiltinESMExports } from 'node:module'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { OutboundClient, openOutboundSocket } from '../../src/service/outbound.ts'
import { outboundGuard } from '../../src/service/outbound-guard.ts'
import { httpReceiver } from '../support/http-receiver.ts'
import { tellCount } from '../support/tell-count.ts'

const REBOUND = 'rebound.example'
/** Answers of the names' server for it, one after the other; the last one stays. */
const answers = { list: [] as string[][], asked: 0 }

const { lookup } = dns
beforeAll(() => {
  type Done = (error: Error | null, found: LookupAddress[]) => void
  const answering = (name: string, options: object, done: Done): void => {
    if (name !== REBOUND) {
      lookup(name, options, done as never)
      return
    }
    const found = answers.list[Math.min(answers.asked++, answers.list.length - 1)] ?? []
    done(
      null,
      found.map(address => ({ address, family: 4 })),
    )
  }
  dns.lookup = answering as unknown as typeof lookup
  syncBuiltinESMExports()
})
afterAll(() => {
  dns.lookup = lookup
  syncBuiltinESMExports()
})

// Nothing listens at the address that is trusted, so that no test needs the network.
const TRUSTED = '127.0.0.2'
const guard = outboundGuard({ allowed: [], trusted: [TRUSTED], trustsLocalhost: false })

const CASES: readonly (readonly string[][])[] = [
  [['127.0.0.1']],
  [[TRUSTED], ['127.0.0.1']],
  [['127.0.0.1'], [TRUSTED]],
  [[TRUSTED, '127.0.0.1']],
  [['127.0.0.1', TRUSTED]],
  [[TRUSTED], [TRUSTED, '127.0.0.1']],
]

it('connects to no address but those that it has checked, whatever a name resolves to', async () => {
  const receiver = await httpReceiver()
  const { port } = receiver
  let attempts = 0
  for (const list of CASES) {
    answers.list = list.map(addresses => [...addresses])
    answers.asked = 0
    const client = new OutboundClient(
      {
        scheme: 'http',
        host: REBOUND,
        port,
        tls: { verification: 'full' },
        connectTimeoutInMillis: 1_000,
        socketTimeoutInMillis: 1_000,
        maxBytes: 1_000,
      },
      guard,
    )
    for (let i = 0; i < 3; i++) {
      attempts += 2
      const request = { method: 'POST', path: '/', headers: {}, body: null } as const
      await expect(client.send(request, new AbortController().signal)).rejects.toThrow(
        /which is not a public address|Connection refused/,
      )
      const socket = openOutboundSocket({ host: REBOUND, port }, guard, 1_000)
      await expect(socket).rejects.toThrow(/which is not a public address|Connection refused/)
    }
    client.close()
    // One lookup for each connection: it goes where that one led.
    expect(answers.asked).toBe(6)
  }
  expect(attempts).toBe(36)
  expect(receiver.connections).toBe(0)
  tellCount('attempts to reach denied addresses by names', attempts)
})

import { expect, it } from 'vitest'
import type { EngineApi } from '../../../src/engine/api/engine-api.ts'
import type { LogLine } from '../../../src/engine/api/log-line.ts'
import { openServices, type Services } from '../../../src/service/services.ts'
import { encodeUtf8 } from '../../../src/util/bytes.ts'
import { parseJsonTree } from '../../../src/util/json/json-tree.ts'
import { engineWith } from '../../support/engine-calls.ts'
import { httpReceiver } from '../../support/http-receiver.ts'
import { PATIENCE_IN_MILLIS } from '../../support/patience.ts'
import { tempFolder } from '../../support/temp-folder.ts'
import { whenOver } from '../../support/when-over.ts'

const SETTINGS = { 'lamella.outbound.allowlist': '127.0.0.1' }

async function open(
  folder: string | null,
  onLog: (line: LogLine) => void = () => {},
  backoff = '5ms',
): Promise<{ engine: EngineApi; services: Services }> {
  const engine = await engineWith(
    folder,
    { ...SETTINGS, 'lamella.notifications.backoff': backoff },
    { onLog },
  )
  return { engine, services: openServices(engine) }
}

async function channel({ notifications }: Services, id: string, url: string): Promise<void> {
  const config = { name: id, config_type: 'chat_a', chat_a: { url } }
  await notifications.create(parseJsonTree(encodeUtf8(JSON.stringify({ config_id: id, config }))))
}

async function until(isSo: () => boolean): Promise<void> {
  const end = Date.now() + PATIENCE_IN_MILLIS
  while (!isSo()) {
    if (Date.now() > end) throw new Error('it took too long')
    await new Promise(resolve => setTimeout(resolve, 10))
  }
}

const message = (i: number) => ({ title: `t${i}`, text: `text ${i}`, html: null })

it('loses none of 1,000 messages to a slow endpoint over a restart, and holds no caller', async () => {
  const folder = tempFolder('queue')
  const receiver = await httpReceiver(() => ({ delayInMillis: 100 }))
  const first = await open(folder)
  await channel(first.services, 'slow', receiver.url)
  const began = performance.now()
  await Promise.all(
    Array.from({ length: 1_000 }, (_, i) =>
      first.services.notifications.notify(['slow'], message(i)),
    ),
  )
  // Delivered one after the other twenty at a time they take 5 s at least.
  expect(receiver.received.length).toBeLessThan(1_000)
  const taken = performance.now() - began
  await until(() => receiver.received.length > 100)
  await first.engine.close()
  const before = receiver.received.length
  expect(before).toBeLessThan(1_000)
  const second = await open(folder)
  await until(() => second.services.notifications.waiting > 0)
  await until(() => second.services.notifications.waiting === 0)
  const texts = new Set(receiver.received.map(({ body }) => JSON.parse(body).text))
  expect(texts.size).toBe(1_000)
  // Only those on their way when the first ended came twice.
  expect(receiver.received.length).toBeLessThanOrEqual(1_000 + 20)
  await second.engine.close()
  const third = await open(folder)
  await new Promise(resolve => setTimeout(resolve, 200))
  expect(third.services.notifications.waiting).toBe(0)
  await third.engine.close()
  expect(taken).toBeLessThan(30_000)
}, 120_000)

it('takes many messages that wait for no leak of listeners', async () => {
  const warnings: string[] = []
  const onWarning = ({ name }: Error): unknown => warnings.push(name)
  process.on('warning', onWarning)
  whenOver(() => {
    process.off('warning', onWarning)
  })
  const receiver = await httpReceiver(() => ({ status: 500 }))
  const { engine, services } = await open(null, () => {}, '1h')
  await channel(services, 'never', receiver.url)
  const all = Array.from({ length: 40 }, (_, i) => message(i))
  await Promise.all(all.map(each => services.notifications.notify(['never'], each)))
  await until(() => receiver.received.length === 40)
  // All of them wait for their second try now; a warning comes in a later turn.
  await engine.close()
  await new Promise(setImmediate)
  expect(warnings).toEqual([])
})

it('tries three times, with growing pauses, and logs what it gave up', async () => {
  const lines: LogLine[] = []
  const receiver = await httpReceiver((_request, count) => ({ status: count < 3 ? 500 : 200 }))
  const never = await httpReceiver(() => ({ status: 500 }))
  const { engine, services } = await open(null, line => lines.push(line))
  await channel(services, 'late', `${receiver.url}/?token=canary-token`)
  await channel(services, 'never', `${never.url}/?token=canary-token`)
  await services.notifications.notify(['late', 'never', 'late', 'gone'], message(1))
  await until(() => services.notifications.waiting === 0)
  expect(receiver.received).toHaveLength(3)
  expect(never.received).toHaveLength(3)
  expect(lines.map(line => line.message).sort()).toEqual([
    'message to channel [gone] was not delivered: [404] Channel gone not found',
    'message to channel [never] was not delivered: [500] Failed to send chat_a message Failed: Internal Server Error',
  ])
  expect(JSON.stringify(lines)).not.toContain('canary-token')
  await engine.close()
}, 30_000)

import { Client } from '@opensearch-project/opensearch'
import { expect, it } from 'vitest'
import { startHttpServer } from '../../../src/rest/http-server.ts'
import { Settings } from '../../../src/schema/settings.ts'
import { httpReceiver } from '../../support/http-receiver.ts'
import { openRest } from '../../support/rest-calls.ts'
import { whenOver } from '../../support/when-over.ts'

it('answers the calls of the official client', async () => {
  const receiver = await httpReceiver()
  const rest = await openRest({ 'lamella.outbound.allowlist': '127.0.0.1' })
  const { dispatcher } = rest
  const listening = { host: '127.0.0.1', port: 0, settings: Settings.EMPTY }
  const server = await startHttpServer(dispatcher, listening)
  const client = new Client({ node: `http://127.0.0.1:${server.port}` })
  whenOver(async () => {
    await client.close()
    await server.close(0)
    await rest.close()
  })
  const { notifications } = client
  const config = {
    name: 'room',
    config_type: 'chat_a',
    chat_a: { url: receiver.url },
  }
  // The client's types know the vendors' names alone.
  const body = { config_id: 'room', config } as never
  expect((await notifications.createConfig({ body })).body).toEqual({ config_id: 'room' })
  const shown = await notifications.getConfig({ config_id: 'room' })
  expect(shown.body).toMatchObject({ total_hits: 1, config_list: [{ config_id: 'room', config }] })
  const change = { config: { ...config, name: 'hall' } } as never
  await notifications.updateConfig({ config_id: 'room', body: change })
  const listed = await notifications.getConfigs({ name: 'hall' } as never)
  expect(listed.body).toMatchObject({ total_hits: 1 })
  expect((await notifications.listChannels()).body).toMatchObject({
    channel_list: [{ config_id: 'room', name: 'hall' }],
  })
  expect((await notifications.listFeatures()).body).toMatchObject({
    plugin_features: { tooltip_support: 'true' },
  })
  const sent = await notifications.sendTest({ config_id: 'room' })
  expect(sent.body).toMatchObject({ event_source: { reference_id: 'room' } })
  expect(receiver.received).toHaveLength(1)
  const deleted = await notifications.deleteConfig({ config_id: 'room' })
  expect(deleted.body).toEqual({ delete_response_list: { room: 'OK' } })
  const missing = notifications.deleteConfigs({ config_id: 'room', config_id_list: 'room' })
  await expect(missing).rejects.toMatchObject({
    statusCode: 404,
    body: { error: { reason: 'NotificationConfig [room] not found' } },
  })
})

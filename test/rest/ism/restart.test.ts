import { setTimeout } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { type IsmNode, openIsm, policyOf } from '../../support/ism-node.ts'
import { okOf } from '../../support/rest-calls.ts'
import { tempFolder } from '../../support/temp-folder.ts'

const ISM = '/_plugins/_ism'
const folder = tempFolder('ism-restart')

let node: IsmNode
const ok = okOf(() => node)
const explain = async (index: string): Promise<Record<string, unknown>> =>
  (await ok(`GET ${ISM}/explain/${index}`))[index]
const message = async (index: string): Promise<unknown> =>
  ((await explain(index))['info'] as { message: string }).message

/** Closes the node and opens its folder again, on a clock that stands where it stood. */
async function restart(path: string): Promise<void> {
  const now = node.now()
  await node.close()
  node = await openIsm({}, path)
  node.wait(now - node.now())
}

/** Waits until no snapshot is being taken; those that there are. */
async function snapshotsTaken(): Promise<{ state: string; snapshot: string }[]> {
  for (;;) {
    const { snapshots } = await ok('GET /_snapshot/backup/_all')
    if (snapshots.every(({ state }: { state: string }) => state !== 'IN_PROGRESS')) return snapshots
    await setTimeout(5)
  }
}

describe('a restart', () => {
  it('between any two runs changes nothing of what comes out', async () => {
    const path = `${folder}/between`
    const actions = [
      { read_only: {} },
      { force_merge: { max_num_segments: 1 } },
      { shrink: { num_new_shards: 1, force_unsafe: true } },
      { snapshot: { repository: 'backup', snapshot: 'copy-{{ctx.index}}' } },
      { close: {} },
    ]
    node = await openIsm({}, path)
    await ok('PUT /_snapshot/backup', { type: 'fs', settings: { location: 'backup' } })
    await ok(`PUT ${ISM}/policies/all`, policyOf(actions))
    await ok('PUT /index-1', { settings: { number_of_shards: 2, number_of_replicas: 1 } })
    await ok('PUT /index-1/_doc/1?refresh=true', { a: 1 })
    await ok(`POST ${ISM}/add/index-1`, { policy_id: 'all' })
    const seen: unknown[] = []
    for (let i = 0; i < 12; i++) {
      await restart(path)
      await node.run()
      const shown = await explain('index-1')
      seen.push((shown['info'] as { message: string } | undefined)?.message ?? 'completed')
      await snapshotsTaken()
    }
    expect(seen).toEqual([
      'Successfully initialized policy: all',
      'Successfully set index to read-only [index=index-1]',
      'Successfully set index to read-only [index=index-1]',
      'Successfully completed force merge [index=index-1]',
      'Successfully confirmed segments force merged [index=index-1]',
      'Successfully initialized moving the shards to lamella-0 for a shrink action.',
      'The shards successfully moved to lamella-0.',
      'Shrink started. index-1_shrunken currently being populated.',
      'Shrink finished successfully.',
      'Successfully started snapshot [index=index-1]',
      'Successfully created snapshot [index=index-1]',
      'Successfully closed index [index=index-1]',
    ])
    const snapshots = await snapshotsTaken()
    expect(snapshots).toHaveLength(1)
    expect(snapshots[0]).toMatchObject({
      snapshot: expect.stringMatching(/^copy-index-1-\d{4}\.\d\d\.\d\d-\d\d:\d\d:\d\d\.\d{3}$/),
      indices: ['index-1'],
      state: 'SUCCESS',
    })
    expect((await ok('GET /index-1_shrunken/_count')).count).toBe(1)
    await node.close()
  })

  it('finds an effect done whose run was not written down', async () => {
    const path = `${folder}/done`
    const settings = { 'plugins.index_state_management.rollover_alias': 'logs' }
    node = await openIsm({}, path)
    await ok(
      `PUT ${ISM}/policies/all`,
      policyOf([{ rollover: {} }, { alias: { actions: [{ remove: { alias: 'x' } }] } }]),
    )
    await ok('PUT /logs-000001', { settings, aliases: { logs: {}, x: {} } })
    await ok(`POST ${ISM}/add/logs-000001`, { policy_id: 'all' })
    await node.run()
    // As a node leaves it that ends between the effect and its record.
    await ok('POST /logs/_rollover')
    await restart(path)
    await node.run()
    expect(await message('logs-000001')).toBe(
      'This index has already been rolled over using this alias, treating as a success ' +
        '[index=logs-000001, alias=logs]',
    )
    expect((await node.call('HEAD /logs-000003')).status).toBe(404)
    await ok('POST /_aliases', { actions: [{ remove: { index: 'logs-000001', alias: 'x' } }] })
    await restart(path)
    await node.run()
    expect(await message('logs-000001')).toBe('Successfully updated alias [index=logs-000001]')
    await node.close()
  })

  it('begins a snapshot again that it cut off, and one that was deleted does not come back', async () => {
    const path = `${folder}/cut`
    node = await openIsm({}, path)
    await ok('PUT /_snapshot/backup', { type: 'fs', settings: { location: 'cut' } })
    const action = { snapshot: { repository: 'backup', snapshot: 'copy' } }
    await ok(`PUT ${ISM}/policies/copies`, policyOf([action]))
    await ok('PUT /index-1/_doc/1?refresh=true', { a: 1 })
    await ok(`POST ${ISM}/add/index-1`, { policy_id: 'copies' })
    await node.run(2)
    expect(await message('index-1')).toBe('Successfully started snapshot [index=index-1]')
    const [begun] = await snapshotsTaken()
    // As a node leaves it that ends amid the copy.
    await ok(`DELETE /_snapshot/backup/${begun!.snapshot}`)
    await restart(path)
    await node.run()
    expect((await explain('index-1'))['info']).toEqual({
      message: 'Snapshot currently in progress [index=index-1]',
      state: 'IN_PROGRESS',
    })
    expect(await snapshotsTaken()).toMatchObject([{ snapshot: begun!.snapshot, state: 'SUCCESS' }])
    await ok(`DELETE /_snapshot/backup/${begun!.snapshot}`)
    await node.run()
    expect(await message('index-1')).toBe("Snapshot doesn't exist [index=index-1]")
    await node.close()
  })

  it('forgets nothing of a failure, a pause, or a change of policy that waits', async () => {
    const path = `${folder}/failed`
    node = await openIsm({}, path)
    const retry = { count: 3, backoff: 'constant', delay: '1h' }
    await ok(`PUT ${ISM}/policies/fails`, policyOf([{ rollover: {}, retry }]))
    await ok(`PUT ${ISM}/policies/next`, policyOf([{ close: {} }]))
    await ok('PUT /fails')
    await ok(`POST ${ISM}/add/fails`, { policy_id: 'fails' })
    await node.run(2)
    const before = await explain('fails')
    await restart(path)
    expect(await explain('fails')).toEqual(before)
    await node.run(2)
    expect(await explain('fails')).toMatchObject({ action: { consumed_retries: 1 } })
    await ok(`POST ${ISM}/change_policy/fails`, { policy_id: 'next' })
    await ok('PUT /fails/_settings', { 'index_state_management.rollover_skip': true })
    await restart(path)
    await node.run(5)
    expect(await message('fails')).toBe('Attempting to change policy to next')
    await restart(path)
    expect(await explain('fails')).toMatchObject({ policy_id: 'next' })
    await node.close()
  })
})

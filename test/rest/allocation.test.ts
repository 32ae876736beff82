import { readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Answered, failureOf, okOf, openRest, type Rest } from '../support/rest-calls.ts'
import { tempFolder } from '../support/temp-folder.ts'

let rest: Rest
let nodeId: string
beforeAll(async () => {
  rest = await openRest({ 'node.attr.rack': 'r1' })
  nodeId = rest.engine.cluster.identity.nodeId
})
afterAll(() => rest.close())
beforeEach(async () => {
  await rest.call('DELETE /*?expand_wildcards=all')
})

const ok = okOf(() => rest)
const failure = failureOf(() => rest)

const EXPLAIN = 'POST /_cluster/allocation/explain'
const NO_REPLICA =
  /^a copy of this shard is already allocated to this node \[\[i\]\[0\], node\[[\w-]+\], \[P\], s\[STARTED\], a\[id=[\w-]{22}\]\]$/

describe('_cluster/allocation/explain', () => {
  it('tells sizes and folders of shards', async () => {
    await ok('PUT /i', { settings: { number_of_replicas: 0 } })
    const asked = { index: 'i', shard: 0, primary: true }
    const { cluster_info: disks } = await ok(`${EXPLAIN}?include_disk_info`, asked)
    expect(Object.keys(disks.shard_sizes)).toEqual(['[i][0][p]_bytes'])
    expect(Object.keys(disks.shard_paths)[0]).toMatch(
      /^\[i\]\[0\], node\[[\w-]+\], \[P\], s\[STARTED\], a\[id=[\w-]{22}\]$/,
    )
  })

  it('says that same_shard keeps a replica from the one node', async () => {
    await ok('PUT /i', { settings: { number_of_replicas: 2 } })
    const explained = await ok('GET /_cluster/allocation/explain')
    expect(explained).toEqual({
      index: 'i',
      shard: 0,
      primary: false,
      current_state: 'unassigned',
      unassigned_info: {
        reason: 'INDEX_CREATED',
        at: expect.stringMatching(/^\d{4}-.*Z$/),
        last_allocation_status: 'no_attempt',
      },
      can_allocate: 'no',
      allocate_explanation:
        'cannot allocate because allocation is not permitted to any of the nodes',
      node_allocation_decisions: [
        {
          node_id: nodeId,
          node_name: 'lamella-0',
          transport_address: '127.0.0.1:0',
          node_attributes: { rack: 'r1' },
          node_decision: 'no',
          deciders: [
            {
              decider: 'same_shard',
              decision: 'NO',
              explanation: expect.stringMatching(NO_REPLICA),
            },
          ],
        },
      ],
    })
    expect(await ok(EXPLAIN, { index: 'i', shard: 0, primary: false })).toEqual(explained)
    const all = await ok('GET /_cluster/allocation/explain?include_yes_decisions')
    const [{ deciders }] = all.node_allocation_decisions
    expect(deciders.map(({ decider }: { decider: string }) => decider)).toEqual([
      'max_retry',
      'replica_after_primary_active',
      'enable',
      'node_version',
      'snapshot_in_progress',
      'restore_in_progress',
      'filter',
      'same_shard',
      'disk_threshold',
      'throttling',
      'shards_limit',
      'awareness',
    ])
  })

  it('says that a setting forbids replicas too', async () => {
    await ok('PUT /i')
    const put = (value: string | null) =>
      ok('PUT /_cluster/settings', { transient: { 'cluster.routing.allocation.enable': value } })
    const texts = async () => {
      const { node_allocation_decisions } = await ok(EXPLAIN)
      return node_allocation_decisions[0].deciders.map(
        ({ explanation }: { explanation: string }) => explanation,
      )
    }
    await put('primaries')
    expect((await texts())[0]).toBe(
      'replica allocations are forbidden due to cluster setting [cluster.routing.allocation.enable=primaries]',
    )
    await put('none')
    expect((await texts())[0]).toBe(
      'no allocations are allowed due to cluster setting [cluster.routing.allocation.enable=none]',
    )
    await put(null)
  })

  it('says why a primary stays where it is', async () => {
    await ok('PUT /i', { settings: { number_of_replicas: 0 } })
    const asked = { index: 'i', shard: 0, primary: true }
    const alone = await ok(EXPLAIN, { ...asked, current_node: 'lamella-0' })
    expect(alone).toEqual({
      index: 'i',
      shard: 0,
      primary: true,
      current_state: 'started',
      current_node: {
        id: nodeId,
        name: 'lamella-0',
        transport_address: '127.0.0.1:0',
        attributes: { rack: 'r1' },
        weight_ranking: 1,
      },
      can_remain_on_current_node: 'yes',
      can_rebalance_cluster: 'yes',
      can_rebalance_to_other_node: 'no',
      rebalance_explanation:
        'cannot rebalance as no target node exists that can both allocate this shard and improve the cluster balance',
    })
    await ok('PUT /i/_settings', { number_of_replicas: 1 })
    const waiting = await ok(EXPLAIN, asked)
    expect(waiting.can_rebalance_cluster).toBe('no')
    expect(waiting.can_rebalance_cluster_decisions).toEqual([
      {
        decider: 'rebalance_only_when_active',
        decision: 'NO',
        explanation: 'rebalancing is not allowed until all replicas in the cluster are active',
      },
      {
        decider: 'cluster_rebalance',
        decision: 'NO',
        explanation:
          'the cluster has unassigned shards and cluster setting [cluster.routing.allocation.allow_rebalance] is set to [indices_all_active]',
      },
    ])
    expect(waiting.rebalance_explanation).toBe('rebalancing is not allowed')
  })

  it('says that a damaged primary has no valid copy, and shows disks where it is asked to', async () => {
    const folder = tempFolder('allocation')
    const first = await openRest({}, folder)
    await ok('PUT /i', { settings: { number_of_replicas: 1 } }, first)
    await ok('PUT /i/_doc/1', { t: 'a' }, first)
    await first.close()
    const [uuid = ''] = readdirSync(join(folder, 'indices'))
    truncateSync(join(folder, 'indices', uuid, '0', '_0.seg'), 100)
    const again = await openRest({}, folder)
    try {
      const told = await ok(`${EXPLAIN}?include_disk_info`, undefined, again)
      expect(told).toMatchObject({
        primary: true,
        unassigned_info: { reason: 'ALLOCATION_FAILED' },
        can_allocate: 'no_valid_shard_copy',
        allocate_explanation:
          'cannot allocate because all found copies of the shard are either stale or corrupt',
      })
      const [decision] = told.node_allocation_decisions
      expect(decision.store.store_exception.type).toBe('corrupt_index_exception')
      const [disks] = Object.values<Record<string, Record<string, unknown>>>(
        told.cluster_info.nodes,
      )
      expect(disks!['least_available']).toEqual({
        path: folder,
        total_bytes: expect.any(Number),
        used_bytes: expect.any(Number),
        free_bytes: expect.any(Number),
        free_disk_percent: expect.any(Number),
        used_disk_percent: expect.any(Number),
      })
      const replica = await ok(EXPLAIN, { index: 'i', shard: 0, primary: false }, again)
      expect(replica.node_allocation_decisions[0].deciders[0].explanation).toBe(
        'primary shard for this replica is not yet active',
      )
    } finally {
      await again.close()
    }
  })

  it.each<[object | undefined, readonly unknown[]]>([
    [
      undefined,
      [
        400,
        'illegal_argument_exception',
        'unable to find any unassigned shards to explain [ClusterAllocationExplainRequest[useAnyUnassignedShard=true,includeYesDecisions?=false]',
      ],
    ],
    [
      { index: 'full' },
      [
        400,
        'action_request_validation_exception',
        'Validation Failed: 1: shard must be specified;2: primary must be specified;',
      ],
    ],
    [
      { shard: 0, primary: true },
      [
        400,
        'action_request_validation_exception',
        'Validation Failed: 1: index must be specified;',
      ],
    ],
    [
      { index: 'no', shard: 0, primary: true },
      [404, 'index_not_found_exception', 'no such index [no]'],
    ],
    [
      { index: 'full', shard: 7, primary: true },
      [404, 'shard_not_found_exception', 'no such shard'],
    ],
    [
      { index: 'full', shard: 0, primary: false },
      [
        400,
        'illegal_argument_exception',
        'unable to find any shards to explain [ClusterAllocationExplainRequest[index=full,shard=0,primary?=false,includeYesDecisions?=false] in the routing table',
      ],
    ],
    [
      { index: 'full', shard: 0, primary: false, current_node: 'lamella-0' },
      [
        400,
        'illegal_argument_exception',
        'unable to find a replica shard assigned to node [lamella-0]',
      ],
    ],
    [
      { index: 'full', shard: 0, primary: true, current_node: 'nobody' },
      [400, 'illegal_argument_exception', 'failed to resolve [nobody], no matching nodes'],
    ],
    [
      { indx: 'full' },
      [
        400,
        'x_content_parse_exception',
        '[1:2] [cluster/allocation/explain] unknown field [indx] did you mean [index]?',
      ],
    ],
  ])('refuses %j', async (body, error) => {
    await ok('PUT /full', { settings: { number_of_replicas: 0 } })
    expect(await failure(EXPLAIN, body)).toEqual(error)
  })
})

describe('_cluster/reroute', () => {
  const REROUTE = 'POST /_cluster/reroute'
  const node = () =>
    expect.stringMatching(
      /\{lamella-0\}\{[\w-]+\}\{[\w-]+\}\{127\.0\.0\.1\}\{127\.0\.0\.1:0\}\{dimr\}\{rack=r1\}/,
    )

  it('answers the state of the cluster, by metric', async () => {
    await ok('PUT /i', { settings: { number_of_replicas: 1 } })
    await ok('PUT /i/_settings', { 'index.blocks.write': true })
    const { acknowledged, state } = await ok(`${REROUTE}?retry_failed`)
    expect(acknowledged).toBe(true)
    expect(Object.keys(state)).toEqual([
      'cluster_uuid',
      'version',
      'state_uuid',
      'master_node',
      'cluster_manager_node',
      'blocks',
      'nodes',
      'routing_table',
      'routing_nodes',
    ])
    expect(state.cluster_manager_node).toBe(nodeId)
    expect(state.blocks.indices.i).toEqual({
      '8': { description: 'index write (api)', retryable: false, levels: ['write'] },
    })
    expect(state.nodes[nodeId]).toMatchObject({ name: 'lamella-0', attributes: { rack: 'r1' } })
    const [primary, replica] = state.routing_table.indices.i.shards['0']
    expect(primary).toMatchObject({ state: 'STARTED', primary: true, node: nodeId, shard: 0 })
    expect(replica).toMatchObject({
      state: 'UNASSIGNED',
      node: null,
      unassigned_info: { reason: 'INDEX_CREATED', allocation_status: 'no_attempt' },
    })
    expect(state.routing_nodes.unassigned).toEqual([replica])
    const metadata = await ok(`${REROUTE}?metric=metadata`)
    expect(Object.keys(metadata.state)).toEqual(['cluster_uuid', 'metadata'])
    expect(metadata.state.metadata.indices.i.state).toBe('open')
    expect((await ok(`${REROUTE}?metric=_all`)).state).toHaveProperty('metadata')
    const { headers } = await rest.call(`${REROUTE}?metric=master_node`)
    expect(headers['warning']).toContain(
      'Assigning [master_node] to parameter [metric] is deprecated and will be removed in 3.0.',
    )
    expect(await failure(`${REROUTE}?metric=nods`)).toEqual([
      400,
      'illegal_argument_exception',
      'request [/_cluster/reroute] contains unrecognized metric: [nods] -> did you mean [nodes]?',
    ])
  })

  it('explains commands without doing anything', async () => {
    await ok('PUT /i', { settings: { number_of_replicas: 1 } })
    const commands = [
      { cancel: { index: 'i', shard: 9, node: nodeId } },
      { move: { index: 'i', shard: 0, from_node: 'lamella-0', to_node: 'rack:r1' } },
      { allocate_replica: { index: 'i', shard: 0, node: nodeId } },
      { allocate_empty_primary: { index: 'i', shard: 0, node: nodeId, accept_data_loss: true } },
    ]
    const { explanations } = await ok(`${REROUTE}?explain&dry_run`, { commands })
    expect(explanations[0]).toEqual({
      command: 'cancel',
      parameters: { index: 'i', shard: 9, node: nodeId, allow_primary: false },
      decisions: [{ decider: 'cancel_allocation_command', decision: 'NO', explanation: node() }],
    })
    expect(explanations[1]).toMatchObject({
      command: 'move',
      parameters: { from_node: 'lamella-0', to_node: 'rack:r1' },
      decisions: [{ decider: 'same_shard', decision: 'NO' }],
    })
    expect(explanations[2].decisions).toContainEqual({
      decider: 'same_shard',
      decision: 'NO',
      explanation: expect.stringMatching(NO_REPLICA),
    })
    expect(explanations[3]).toMatchObject({
      parameters: { accept_data_loss: true },
      decisions: [
        {
          decider: 'allocate_empty_primary (allocation command)',
          explanation: 'primary [i][0] is already assigned',
        },
      ],
    })
    expect(await ok(`${REROUTE}?explain`, { commands: [] })).toMatchObject({ explanations: [] })
  })

  it.each<[object, string, string | RegExp]>([
    [
      { cancel: { index: 'i', shard: 0, node: 'lamella-0' } },
      'illegal_argument_exception',
      /^\[cancel_allocation\] can't cancel \[i\]\[0\] on node \{lamella-0\}.*, shard is primary and started$/,
    ],
    [
      { cancel: { index: 'i', shard: 3, node: 'lamella-0' } },
      'illegal_argument_exception',
      /^\[cancel_allocation\] can't cancel \[i\]\[3\], failed to find it on node \{lamella-0\}/,
    ],
    [
      { move: { index: 'i', shard: 0, from_node: '_local', to_node: '_local' } },
      'illegal_argument_exception',
      /^\[move_allocation\] can't move 0, from \{.*\}, to \{.*\}, since its not allowed, reason: \[NO\(this shard is already allocated to this node/,
    ],
    [
      { move: { index: 'i', shard: 4, from_node: '_local', to_node: '_local' } },
      'illegal_argument_exception',
      /^\[move_allocation\] can't move 4, failed to find it on node \{/,
    ],
    [
      { move: { index: 'i', shard: 0, from_node: '_local', to_node: 'nobody' } },
      'illegal_argument_exception',
      'failed to resolve [nobody], no matching nodes',
    ],
    [
      { allocate_replica: { index: 'i', shard: 0, node: '_local' } },
      'illegal_argument_exception',
      /^\[allocate_replica\] allocation of \[i\]\[0\] on node \{.*\} is not allowed, reason: \[NO\(a copy of this shard/,
    ],
    [
      { allocate_replica: { index: 'full', shard: 0, node: '_local' } },
      'illegal_argument_exception',
      '[allocate_replica] all copies of [full][0] are already assigned. Use the move allocation command instead',
    ],
    [
      { allocate_stale_primary: { index: 'i', shard: 0, node: '_local' } },
      'illegal_argument_exception',
      '[allocate_stale_primary] primary [i][0] is already assigned',
    ],
    [
      { cancel: { index: 'no', shard: 0, node: '_local' } },
      'index_not_found_exception',
      'no such index [no]',
    ],
    [
      { cancel: { index: 'i', node: '_local' } },
      'parse_exception',
      '[cancel] command missing the shard parameter',
    ],
    [
      { move: { index: 'i', shard: 0, from_node: '_local' } },
      'parse_exception',
      '[move] command missing the to_node parameter',
    ],
    [
      { cancel: { index: 'i', shard: 0, node: '_local', force: true } },
      'parse_exception',
      '[cancel] command does not support field [force]',
    ],
    [
      { cancl: {} },
      'x_content_parse_exception',
      '[1:15] unknown allocation command [cancl] did you mean [cancel]?',
    ],
  ])('refuses %j', async (command, type, reason) => {
    await ok('PUT /i', { settings: { number_of_replicas: 1 } })
    await ok('PUT /full', { settings: { number_of_replicas: 0 } })
    const [, ...error] = await failure(REROUTE, { commands: [command] })
    expect(error).toEqual([
      type,
      typeof reason === 'string' ? reason : expect.stringMatching(reason),
    ])
  })

  it('opens a damaged primary once more, from its files or as an empty one', async () => {
    const folder = tempFolder('reroute')
    const first = await openRest({}, folder)
    await ok('PUT /i', { settings: { number_of_replicas: 0, number_of_shards: 2 } }, first)
    for (let i = 0; i < 20; i++) await ok(`PUT /i/_doc/${i}`, { t: 'a' }, first)
    await ok('POST /i/_refresh', undefined, first)
    const whole = (await ok('GET /i/_count', undefined, first)).count
    await first.close()
    const [uuid = ''] = readdirSync(join(folder, 'indices'))
    const file = join(folder, 'indices', uuid, '0', '_0.seg')
    const bytes = readFileSync(file)
    truncateSync(file, 100)
    const again = await openRest({}, folder)
    try {
      const command = (name: string, more: object): object => ({
        commands: [{ [name]: { index: 'i', shard: 0, node: '_local', ...more } }],
      })
      const health = async (): Promise<string> =>
        (await ok('GET /_cluster/health', undefined, again)).status
      const warned = await again.call(REROUTE, command('allocate_stale_primary', {}))
      expect([warned.status, warned.json.error.reason]).toEqual([
        400,
        '[allocate_stale_primary] allocating an empty primary for [i][0] can result in data loss. ' +
          'Please confirm by setting the accept_data_loss parameter to true',
      ])
      const sure = { accept_data_loss: true }
      const dry = `${REROUTE}?dry_run&explain`
      const told = await ok(dry, command('allocate_empty_primary', sure), again)
      expect(told.explanations).toEqual([
        {
          command: 'allocate_empty_primary',
          parameters: { index: 'i', shard: 0, node: '_local', accept_data_loss: true },
          decisions: [
            {
              decider: 'allocate_empty_primary (allocation command)',
              decision: 'YES',
              explanation: 'ignore deciders',
            },
          ],
        },
      ])
      expect(await health()).toBe('red')
      // Its files are damaged still.
      await ok(REROUTE, command('allocate_stale_primary', sure), again)
      expect(await health()).toBe('red')
      writeFileSync(file, bytes)
      await ok(REROUTE, command('allocate_stale_primary', sure), again)
      expect(await health()).toBe('green')
      expect((await ok('GET /i/_count', undefined, again)).count).toBe(whole)
    } finally {
      await again.close()
    }
    truncateSync(file, 100)
    const third = await openRest({}, folder)
    try {
      const lost = { index: 'i', shard: 0, node: 'lamella-0', accept_data_loss: true }
      await ok(REROUTE, { commands: [{ allocate_empty_primary: lost }] }, third)
      expect((await ok('GET /_cluster/health', undefined, third)).status).toBe('green')
      const left = (await ok('GET /i/_count', undefined, third)).count
      expect(left).toBeGreaterThan(0)
      expect(left).toBeLessThan(whole)
      for (let i = 0; i < 20; i++) await ok(`PUT /i/_doc/${i}?refresh`, { t: 'b' }, third)
      expect((await ok('GET /i/_count?q=t:b', undefined, third)).count).toBe(20)
    } finally {
      await third.close()
    }
    const fourth = await openRest({}, folder)
    expect((await ok('GET /i/_count?q=t:b', undefined, fourth)).count).toBe(20)
    await fourth.close()
  })

  it.each(['in memory', 'on disk'])('cancels a primary %s, which opens again', async where => {
    const folder = where === 'in memory' ? null : tempFolder('reroute-cancel')
    const own = await openRest({}, folder)
    const call = (line: string, body?: object): Promise<Answered['json']> =>
      okOf(() => own)(line, body)
    const cancel = {
      commands: [{ cancel: { index: 'i', shard: 1, node: '_local', allow_primary: true } }],
    }
    try {
      const settings = { number_of_replicas: 0, number_of_shards: 2, refresh_interval: -1 }
      await call('PUT /i', { settings })
      for (let i = 0; i < 30; i++) await call(`PUT /i/_doc/${i}`, { n: i })
      await call('POST /i/_refresh')
      for (let i = 30; i < 40; i++) await call(`PUT /i/_doc/${i}`, { n: i })
      const scroll = await call('POST /i/_search?scroll=1m&size=1')
      const recoveries = async (): Promise<string[]> =>
        (await call('GET /i/_recovery')).i.shards.map((shard: { type: string }) => shard.type)
      expect(await recoveries()).toEqual(['EMPTY_STORE', 'EMPTY_STORE'])

      const dry = await call(`${REROUTE}?dry_run&explain`, cancel)
      expect(dry.explanations).toEqual([
        {
          command: 'cancel',
          parameters: { index: 'i', shard: 1, node: '_local', allow_primary: true },
          decisions: [
            {
              decider: 'cancel_allocation_command',
              decision: 'YES',
              explanation: expect.stringMatching(
                /^shard 1 on node \{lamella-0\}.* can be cancelled$/,
              ),
            },
          ],
        },
      ])
      expect(await recoveries()).toEqual(['EMPTY_STORE', 'EMPTY_STORE'])

      const writes: Promise<Answered>[] = []
      const cancelled = call(`${REROUTE}?explain`, cancel)
      for (let i = 40; i < 60; i++) writes.push(own.call(`PUT /i/_doc/${i}?timeout=1ms`, { n: i }))
      expect((await cancelled).explanations).toEqual(dry.explanations)
      const [started] = (await call(REROUTE)).state.routing_table.indices.i.shards['1']
      expect(started.state).toBe('STARTED')
      expect(await recoveries()).toEqual(['EMPTY_STORE', 'EXISTING_STORE'])
      const gone = await own.call('POST /_search/scroll', { scroll_id: scroll._scroll_id })
      expect(gone.status).toBe(404)

      const answers = await Promise.all(writes)
      const taken = answers.filter(({ status }) => status === 201).length
      for (const { status, json } of answers.filter(answer => answer.status !== 201))
        expect([status, json.error.type]).toEqual([503, 'unavailable_shards_exception'])
      await call('POST /i/_refresh')
      expect((await call('GET /i/_count')).count).toBe(40 + taken)
      expect((await call('GET /i/_doc/39')).found).toBe(true)
      expect((await call('PUT /i/_doc/39', { n: 0 }))._version).toBe(2)
      expect((await call('GET /_cluster/health')).status).toBe('green')
      await call(REROUTE, cancel)
      expect((await call('GET /i/_count')).count).toBe(40 + taken)
    } finally {
      await own.close()
    }
  })

  it('refuses bodies that hold no list of commands', async () => {
    expect(await failure(REROUTE, { command: [] })).toEqual([
      400,
      'x_content_parse_exception',
      '[1:2] [cluster_reroute] unknown field [command] did you mean [commands]?',
    ])
    for (const commands of [{}, [{}], ['cancel']])
      expect((await failure(REROUTE, { commands })).slice(0, 2)).toEqual([400, 'parse_exception'])
  })
})

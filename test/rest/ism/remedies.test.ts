import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { diagnose } from '../../../src/cli/diagnosis.ts'
import type { DiskUsage } from '../../../src/store/disk-usage.ts'
import { runCli } from '../../support/cli-process.ts'
import { type IsmNode, openIsm, policyOf } from '../../support/ism-node.ts'
import { failureOf, okOf } from '../../support/rest-calls.ts'
import { tempFolder } from '../../support/temp-folder.ts'

const ISM = '/_plugins/_ism'
const VALIDATION = 'plugins.index_state_management.action_validation.enabled'
const GB = 2 ** 30

const folder = `${tempFolder('ism-remedies')}/data`
let usage: DiskUsage = { totalInBytes: 100 * GB, freeInBytes: 50 * GB, availableInBytes: 50 * GB }
let node: IsmNode
const ok = okOf(() => node)
const failure = failureOf(() => node)

beforeAll(async () => {
  node = await openIsm({ 'cluster.info.update.interval': '10s' }, folder, {
    diskUsage: () => usage,
  })
  await ok('PUT /_cluster/settings', { persistent: { [VALIDATION]: true } })
})

const set = (body: object): Promise<unknown> => ok('PUT /_cluster/settings', { transient: body })
const message = async (index: string): Promise<unknown> =>
  (await ok(`GET ${ISM}/explain/${index}`))[index].info?.message
const validation = async (index: string): Promise<unknown> => {
  const { validate } = (await ok(`GET ${ISM}/explain/${index}?validate_action=true`))[index]
  return [validate.validation_status, validate.validation_message]
}
/** What the doctor finds of an index: text and cures. */
const found = async (index: string | null): Promise<unknown[]> => {
  const findings = await diagnose(async (method, path) => ok(`${method} ${path}`))
  return findings
    .filter(finding => finding.index === index)
    .map(({ text, remedies }) => [text, ...remedies])
}

let policies = 0

/** Makes an index, and gives it a policy of one state with these actions, whose first run has been. */
async function begin(index: string, actions: readonly object[], body: object = {}): Promise<void> {
  const id = `policy-${policies++}`
  await ok(`PUT ${ISM}/policies/${id}`, policyOf(actions))
  await ok(`PUT /${index}`, body)
  await ok(`POST ${ISM}/add/${index}`, { policy_id: id })
  await node.run()
}

const rollingOver = (alias: string): object => ({
  settings: { 'plugins.index_state_management.rollover_alias': alias },
})

describe('a rollover', () => {
  it('of an index that is not written to is cured by making it that', async () => {
    await ok('PUT /write-000001', { aliases: { write: {} } })
    await begin('write-000002', [{ rollover: {} }], {
      ...rollingOver('write'),
      aliases: { write: {} },
    })
    const text = 'Not the write index when rollover [index=write-000002]'
    expect(await validation('write-000002')).toEqual(['re_validating', text])
    expect((await ok('GET /write-000002/_alias'))['write-000002'].aliases.write).toEqual({})
    await node.run()
    expect(await message('write-000002')).toBe(text)
    const cure = 'PUT /write-000002 {"aliases":{"write":{"is_write_index":true}}}'
    expect(await found('write-000002')).toEqual([[text, cure]])
    await follow(cure)
    expect(await validation('write-000002')).toEqual([
      'passed',
      'Rollover validation passed for [index=write-000002]',
    ])
    await node.run()
    expect(await message('write-000002')).toBe(
      'Successfully rolled over index [index=write-000002]',
    )
    expect(await found('write-000002')).toEqual([])
  })

  it('of an index without the alias is cured by the alias', async () => {
    await begin('alias-000001', [{ rollover: {} }], rollingOver('named'))
    const text = 'Missing alias when rollover [index=alias-000001]'
    expect(await validation('alias-000001')).toEqual(['re_validating', text])
    await node.run()
    expect(await message('alias-000001')).toBe(text)
    const cure = 'POST /_aliases {"actions":[{"add":{"index":"alias-000001","alias":"named"}}]}'
    expect(await found('alias-000001')).toEqual([[text, cure]])
    await follow(cure)
    await node.run()
    expect(await message('alias-000001')).toBe(
      'Successfully rolled over index [index=alias-000001]',
    )
  })

  it('that is skipped is cured by taking the flag away', async () => {
    await begin('skip-000001', [{ rollover: {} }], {
      settings: {
        'plugins.index_state_management.rollover_alias': 'skip',
        'index_state_management.rollover_skip': true,
      },
      aliases: { skip: {} },
    })
    const text = 'Skipped rollover action for [index=skip-000001]'
    expect(await validation('skip-000001')).toEqual(['passed', text])
    const { settings } = (await ok('GET /skip-000001/_settings?flat_settings=true'))['skip-000001']
    expect(settings['index.plugins.index_state_management.rollover_skip']).toBe('true')
    const cure = 'PUT /skip-000001/_settings {"index_state_management.rollover_skip":false}'
    expect(await found('skip-000001')).toEqual([[text, cure]])
    await follow(cure)
    expect(await found('skip-000001')).toEqual([])
    await node.run()
    expect(await message('skip-000001')).toBe('Successfully rolled over index [index=skip-000001]')
  })

  it('that has been is cured by removing the policy', async () => {
    await begin('over-000001', [{ rollover: {} }], {
      ...rollingOver('over'),
      aliases: { over: {} },
    })
    await ok('POST /over/_rollover')
    const text =
      'This index has already been rolled over using this alias, treating as a success ' +
      '[index=over-000001, alias=over]'
    expect(await validation('over-000001')).toEqual(['passed', text])
    const cure = `POST ${ISM}/remove/over-000001`
    expect(await found('over-000001')).toEqual([[text, cure]])
    expect(await follow(cure)).toMatchObject({ updated_indices: 1 })
    expect(await found('over-000001')).toEqual([])
  })

  it('without a setting of its alias is cured by a template, for new indices', async () => {
    await begin('bare-000001', [{ rollover: {} }], { aliases: { bare: {} } })
    const text = 'Missing rollover_alias index setting [index=bare-000001]'
    expect(await validation('bare-000001')).toEqual(['re_validating', text])
    await node.run()
    expect(await message('bare-000001')).toBe(text)
    const [[shown, template, own]] = (await found('bare-000001')) as [[string, string, string]]
    expect(shown).toBe(text)
    expect(template).toMatch(
      /^PUT \/_index_template\/policy-\d+-rollover \{"index_patterns":\["bare-\*"\]/,
    )
    await follow(template.replace('⟨alias⟩', 'bare'))
    await begin('bare-000002', [{ rollover: {} }], { aliases: { bare: { is_write_index: true } } })
    expect(await validation('bare-000002')).toEqual([
      'passed',
      'Rollover validation passed for [index=bare-000002]',
    ])
    await follow(own.replace('⟨alias⟩', 'bare'))
    expect((await validation('bare-000001')) as string[]).toContain(
      'Not the write index when rollover [index=bare-000001]',
    )
  })
})

describe('an action', () => {
  it.each([
    [
      'force_merge',
      { max_num_segments: 1 },
      'Successfully set index to read-only [index=heap-fm]',
      'heap-fm',
    ],
    ['read_only', {}, 'Successfully set index to read-only [index=heap-ro]', 'heap-ro'],
    [
      'replica_count',
      { number_of_replicas: 0 },
      'Successfully set number_of_replicas to 0 [index=heap-rc]',
      'heap-rc',
    ],
  ])('%s waits while the heap is full', async (action, config, done, index) => {
    await begin(index, [{ [action]: config }])
    node.setHeap(86)
    const text = `Data too large and is over the allowed limit for index [index=${index}]`
    expect(await validation(index)).toEqual(['re_validating', text])
    await node.run()
    expect(await message(index)).toBe(text)
    expect(await found(index)).toEqual([
      [
        text,
        'GET /_nodes/stats/jvm',
        'start the node with a larger heap: NODE_OPTIONS=--max-old-space-size=⟨megabytes⟩',
      ],
    ])
    // A heap that is large enough for the threshold, or no threshold.
    await set({ 'plugins.transform.circuit_breaker.enabled': false })
    expect(((await validation(index)) as string[])[0]).toBe('passed')
    await set({ 'plugins.transform.circuit_breaker.enabled': null })
    node.setHeap(10)
    await node.run()
    expect(await message(index)).toBe(done)
    expect(await found(index)).toEqual([])
  })

  it('that needs more shards than a node may hold waits for a higher limit', async () => {
    const settings = { number_of_shards: 3, 'index.routing.allocation.total_shards_per_node': 2 }
    await begin('many', [{ replica_count: { number_of_replicas: 0 } }], { settings })
    const text = 'Maximum number of shards exceeded for index [index=many]'
    expect(await validation('many')).toEqual(['re_validating', text])
    await node.run()
    expect(await message('many')).toBe(text)
    const cure = 'PUT /many/_settings {"index.routing.allocation.total_shards_per_node":-1}'
    const ofCluster =
      'PUT /_cluster/settings {"transient":{"cluster.routing.allocation.total_shards_per_node":"⟨more⟩"}}'
    expect(await found('many')).toEqual([[text, ofCluster, cure]])
    await follow(cure)
    expect(await validation('many')).toEqual([
      'passed',
      'Replica Count validation passed for [index=many]',
    ])
    await set({ 'cluster.routing.allocation.total_shards_per_node': 4 })
    expect(await validation('many')).toEqual(['re_validating', text])
    await follow(ofCluster.replace('"⟨more⟩"', '400'))
    await set({ 'cluster.max_shards_per_node': 4 })
    expect(await validation('many')).toEqual(['re_validating', text])
    await set({ 'cluster.max_shards_per_node': null })
    await node.run()
    expect(await message('many')).toBe('Successfully set number_of_replicas to 0 [index=many]')
    expect(await found('many')).toEqual([])
  })

  it('that opens an index counts its shards too', async () => {
    await begin('reopen', [{ close: {} }, { open: {} }])
    await node.run()
    await set({ 'cluster.routing.allocation.total_shards_per_node': 1 })
    const text = 'Maximum number of shards exceeded for index [index=reopen]'
    expect(await validation('reopen')).toEqual(['re_validating', text])
    await set({ 'cluster.routing.allocation.total_shards_per_node': null })
    await node.run()
    expect(await message('reopen')).toBe('Successfully opened index [index=reopen]')
  })

  it('that deletes the index a data stream writes to waits until another one is', async () => {
    await ok('PUT /_index_template/flow', { index_patterns: ['flow'], data_stream: {} })
    await ok('PUT /_data_stream/flow')
    const index = '.ds-flow-000001'
    await ok(`PUT ${ISM}/policies/flow`, policyOf([{ delete: {} }]))
    await ok(`POST ${ISM}/add/flow`, { policy_id: 'flow' })
    await node.run()
    const text = `Index [index=${index}] is the write index for data stream and cannot be deleted`
    expect(await validation(index)).toEqual(['re_validating', text])
    await node.run()
    expect(await message(index)).toBe(text)
    expect(await found(index)).toEqual([[text, 'POST /flow/_rollover']])
    await follow('POST /flow/_rollover')
    expect(await validation(index)).toEqual([
      'passed',
      `Delete validation passed for [index=${index}]`,
    ])
    await node.run()
    expect((await node.call(`HEAD /${index}`)).status).toBe(404)
  })

  it.each([
    ['open', {}, 're_validating', 'Successfully opened index [index=disk-open]'],
    [
      'read_only',
      {},
      're_validating',
      'Successfully set index to read-only [index=disk-read-only]',
    ],
    [
      'read_write',
      {},
      're_validating',
      'Successfully set index to read-write [index=disk-read-write]',
    ],
    [
      'index_priority',
      { priority: 1 },
      'failed',
      'Successfully set index priority to 1 [index=disk-index-priority]',
    ],
  ])(
    '%s is held up by a full disk, until its block goes',
    async (action, config, status, done) => {
      const index = `disk-${action.replace('_', '-')}`
      await begin(index, [{ [action]: config }])
      // Past the flood stage, 95 %: the node itself blocks its indices when it looks next.
      usage = { ...usage, freeInBytes: GB, availableInBytes: GB }
      await ok('PUT /_cluster/settings', {
        transient: { 'cluster.routing.allocation.disk.watermark.flood_stage': '96%' },
      })
      await expect
        .poll(async () => (await failure(`PUT /${index}/_doc/1`, { a: 1 }))[0], { timeout: 25_000 })
        .toBe(429)
      const text = `read_only_allow_delete block is not null for index [index=${index}]`
      expect(await validation(index)).toEqual([status, text])
      await node.run()
      expect(await message(index)).toBe(text)
      const [[shown, unblock]] = (await found(index)) as [[string, string]]
      expect([shown, unblock]).toEqual([
        text,
        `PUT /${index}/_settings {"index.blocks.read_only_allow_delete":null}`,
      ])
      usage = { ...usage, freeInBytes: 50 * GB, availableInBytes: 50 * GB }
      await ok('PUT /_cluster/settings', {
        transient: { 'cluster.routing.allocation.disk.watermark.flood_stage': null },
      })
      await follow(unblock)
      expect(((await validation(index)) as string[])[0]).toBe('passed')
      expect(await found(index)).toEqual([])
      for (const other of Object.keys(await ok('GET /_settings?expand_wildcards=all')))
        await ok(`PUT /${other}/_settings`, { 'index.blocks.read_only_allow_delete': null })
      await node.run()
      expect(await message(index)).toBe(done)
    },
    60_000,
  )
})

describe('lamella doctor', () => {
  it('finds in a folder what it finds in a node, and runs no job there', async () => {
    for (const alias of ['dw', 'da', 'ds']) {
      const one = `doctor-${alias}-000001`
      const aliases = alias === 'da' ? {} : { [alias]: {} }
      const more = alias === 'ds' ? { 'index_state_management.rollover_skip': true } : {}
      const { settings } = rollingOver(alias) as { settings: object }
      if (alias === 'dw') await ok('PUT /doctor-other', { aliases })
      await begin(one, [{ rollover: {} }], { settings: { ...settings, ...more }, aliases })
    }
    await begin('doctor-bare', [{ rollover: {} }])
    await begin('doctor-heap', [{ force_merge: { max_num_segments: 1 } }])
    await begin('doctor-many', [{ open: {} }], {
      settings: { number_of_shards: 3, 'index.routing.allocation.total_shards_per_node': 2 },
    })
    await ok('PUT /_index_template/doctor', { index_patterns: ['doctor-stream'], data_stream: {} })
    await ok('PUT /_data_stream/doctor-stream')
    await ok(`POST ${ISM}/add/doctor-stream`, { policy_id: 'flow' })
    await ok('PUT /doctor-block', { settings: { 'index.blocks.read_only_allow_delete': true } })
    // Above the high watermark a node does not lift the block by itself.
    const watermark = { low: '0.1%', high: '0.1%', flood_stage: '99.9%' }
    await ok('PUT /_cluster/settings', {
      persistent: { 'cluster.routing.allocation.disk.watermark': watermark },
    })
    node.setHeap(90)
    await node.run(2)
    await begin('doctor-dr-000001', [{ rollover: {} }], {
      ...rollingOver('dr'),
      aliases: { dr: {} },
    })
    await ok('POST /dr/_rollover')
    const inNode = (await diagnose(async (method, path) => ok(`${method} ${path}`))).filter(
      ({ index }) => index?.includes('doctor'),
    )
    expect(inNode.map(({ text }) => text).sort()).toEqual([
      'Data too large and is over the allowed limit for index [index=doctor-heap]',
      'Index [index=.ds-doctor-stream-000001] is the write index for data stream and cannot be deleted',
      'Maximum number of shards exceeded for index [index=doctor-many]',
      'Missing alias when rollover [index=doctor-da-000001]',
      'Missing rollover_alias index setting [index=doctor-bare]',
      'Not the write index when rollover [index=doctor-dw-000001]',
      'Skipped rollover action for [index=doctor-ds-000001]',
      'This index has already been rolled over using this alias, treating as a success ' +
        '[index=doctor-dr-000001, alias=dr]',
      'read_only_allow_delete block is not null for index [index=doctor-block]',
    ])
    await node.close()
    const { code, stdout } = await runCli(['doctor', '--data', folder, '--json'])
    expect(code).toBe(1)
    const inFolder: { index: string; text: string }[] = JSON.parse(stdout).findings
    const texts = inFolder.filter(({ index }) => index?.includes('doctor')).map(({ text }) => text)
    expect(texts.sort()).toEqual(inNode.map(({ text }) => text).sort())
    const again = await runCli(['doctor', '--data', folder])
    expect(again.stdout).toContain(
      'Missing alias when rollover [index=doctor-da-000001]\n' +
        '  POST /_aliases {"actions":[{"add":{"index":"doctor-da-000001","alias":"da"}}]}\n',
    )
  }, 60_000)
})

/** Sends a cure as the doctor prints it. */
async function follow(cure: string): Promise<unknown> {
  const [, line = '', body] = /^(\S+ \S+)(?: (.*))?$/.exec(cure) ?? []
  return await ok(line, body)
}

afterAll(() => node.close())

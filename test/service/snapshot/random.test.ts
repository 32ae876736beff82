/** Random sequences of writes, snapshots, deletions and restores against a model. */
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { FaultDisk } from '../../chaos/fault-disk.ts'
import { createIndex } from '../../support/engine-calls.ts'
import { S3_KEYS, type S3Server, startS3Server } from '../../support/s3-server.ts'
import { type Documents, SnapshotEngine, sorted } from '../../support/snapshot-engine.ts'

const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('write'), n: fc.nat(15), m: fc.nat(9) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('erase'), n: fc.nat(15), m: fc.nat(3) }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('take'), n: fc.nat(3), m: fc.nat(0) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('drop'), n: fc.nat(3), m: fc.nat(0) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('clone'), n: fc.nat(3), m: fc.nat(3) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('restore'), n: fc.nat(3), m: fc.nat(0) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('cleanup'), n: fc.nat(0), m: fc.nat(0) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('reopen'), n: fc.nat(0), m: fc.nat(0) }) },
)

async function run(
  steps: readonly { readonly kind: string; readonly n: number; readonly m: number }[],
  settings: Record<string, string>,
  s3: { readonly settings: Record<string, string>; readonly endpoint: string } | null = null,
): Promise<void> {
  const disk = new FaultDisk()
  const client = s3 === null ? {} : { 's3.client.default.endpoint': s3.endpoint }
  const open = (): Promise<SnapshotEngine> =>
    SnapshotEngine.open(disk, { ...client, 's3.client.default.path_style_access': 'true' })
  let node = await open()
  if (s3 === null) await node.register(settings)
  else await node.register({ ...settings, ...s3.settings }, 's3')
  await createIndex(node.engine, 'i', { 'index.number_of_shards': '2' })
  const now = new Map<string, number>()
  const taken = new Map<string, Documents>()
  const name = (n: number): string => `s${n}`
  for (const { kind, n, m } of steps) {
    if (kind === 'write' || kind === 'erase') {
      const changes = new Map<string, number | null>()
      for (let i = n; i <= n + m; i++) {
        changes.set(`d${i}`, kind === 'write' ? m * 100 + i : null)
        if (kind === 'write') now.set(`d${i}`, m * 100 + i)
        else now.delete(`d${i}`)
      }
      await node.write('i', changes)
    } else if (kind === 'take') {
      const refused = await node.take(name(n), 'i').then(
        () => null,
        (error: Error) => error.message,
      )
      if (!taken.has(name(n))) expect(refused).toBeNull()
      else expect(refused).toContain('snapshot with the same name already exists')
      if (refused === null) taken.set(name(n), sorted(now))
    } else if (kind === 'drop') {
      const isThere = taken.delete(name(n))
      if (isThere) await node.delete(name(n))
      else await expect(node.delete(name(n))).rejects.toThrow('is missing')
    } else if (kind === 'clone') {
      const source = taken.get(name(n))
      const isFree = !taken.has(name(m))
      const cloning = node.clone(name(n), name(m))
      if (source === undefined || !isFree) await expect(cloning).rejects.toThrow(/missing|exists/)
      else {
        await cloning
        taken.set(name(m), source)
      }
    } else if (kind === 'restore') {
      const source = taken.get(name(n))
      if (source === undefined) await expect(node.restore(name(n), 'copy')).rejects.toThrow('exist')
      else {
        await node.restore(name(n), 'copy')
        expect(await node.documents('copy')).toEqual(source)
        await node.deleteIndex('copy')
      }
    } else if (kind === 'cleanup') {
      expect(await node.service.cleanUp('r')).toEqual({ count: 0, bytes: 0 })
    } else {
      await node.close()
      node = await open()
    }
    expect((await node.names()).sort()).toEqual([...taken.keys()].sort())
  }
  await node.verify()
  expect(await node.documents('i')).toEqual(sorted(now))
  if (taken.size > 0) await node.delete('*')
  const left = [...disk.files()]
    .filter(([folder]) => folder.startsWith('repositories/'))
    .map(([, file]) => file)
  const others = left.filter(file => !/^index-\d+$/.test(file))
  expect(others).toEqual(left.length === 0 ? [] : ['index.latest'])
  await node.close()
}

it('keeps every snapshot as it was taken, whatever comes after it', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { minLength: 5, maxLength: 25 }),
      fc.constantFrom({}, { chunk_size: '1kb' }, { compress: 'false' }),
      (steps, settings) => run(steps, settings),
    ),
    { numRuns: 12, seed: 20261123 },
  )
}, 600_000)

let server: S3Server
beforeAll(async () => {
  for (const [key, value] of Object.entries(S3_KEYS)) vi.stubEnv(key, value)
  server = await startS3Server()
})
afterAll(async () => {
  await server.close()
  vi.unstubAllEnvs()
})

it('keeps them in a bucket too', async () => {
  let place = 0
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { minLength: 5, maxLength: 25 }),
      fc.constantFrom({}, { chunk_size: '1kb' }),
      (steps, settings) => {
        const own = { bucket: 'books', base_path: `${place++}` }
        return run(steps, settings, { settings: own, endpoint: server.endpoint })
      },
    ),
    { numRuns: 6, seed: 20261124 },
  )
}, 600_000)

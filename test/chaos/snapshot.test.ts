/**
 * Snapshots through failures: every call to the disk of taking, cloning, deleting and restoring one fails in turn,
 * or is the last before a kill or a power loss. Acknowledged snapshots are then there, whole, and the next one
 * is right.
 */
import { expect, it } from 'vitest'
import { Random } from '../../src/util/random.ts'
import { createIndex } from '../support/engine-calls.ts'
import { type Documents, SnapshotEngine } from '../support/snapshot-engine.ts'
import { extent, isLong, SEED, tell } from './extent.ts'
import { type CallKind, type Fault, FaultDisk } from './fault-disk.ts'

const KINDS: readonly CallKind[] = ['write', 'sync', 'rename', 'delete']

/** Numbers from a first to a last, by id. */
function documents(from: number, to: number): Documents {
  const ids = Array.from({ length: to - from }, (_, i): [string, number] => [
    `d${String(from + i).padStart(2, '0')}`,
    from + i,
  ])
  return new Map(ids)
}

const FIRST = documents(0, 20)
const SECOND = documents(0, 40)

/** A disk with the snapshot `old` of 20 documents, an index `i` of 40, and something that was left over. */
async function prepared(): Promise<FaultDisk> {
  const disk = new FaultDisk()
  const node = await SnapshotEngine.open(disk)
  await node.register({ chunk_size: '1kb' })
  await createIndex(node.engine, 'i', { 'index.refresh_interval': '-1' })
  await node.write('i', FIRST)
  await node.take('old', 'i')
  await node.write('i', documents(20, 40))
  await node.close()
  disk.replace('repositories/r/blobs', 'blob-left', new Uint8Array(3))
  disk.replace('repositories/r', 'tmp-left', new Uint8Array(3))
  return disk.afterKill()
}

interface Step {
  readonly name: string
  run(node: SnapshotEngine): Promise<void>
  /** Snapshots that there are when it is done. */
  readonly after: ReadonlyMap<string, Documents>
  readonly restored: Documents | null
}

const OLD = new Map([['old', FIRST]])
const STEPS: readonly Step[] = [
  {
    name: 'take',
    run: node => node.take('new', 'i'),
    after: new Map([...OLD, ['new', SECOND]]),
    restored: null,
  },
  {
    name: 'clone',
    run: node => node.clone('old', 'new'),
    after: new Map([...OLD, ['new', FIRST]]),
    restored: null,
  },
  { name: 'delete', run: node => node.delete('old'), after: new Map(), restored: null },
  { name: 'restore', run: node => node.restore('old', 'copy'), after: OLD, restored: FIRST },
]

/** Those who cannot list the files find a root by the one that tells it, whatever has failed. */
function expectToldRoot(disk: FaultDisk): void {
  const names = new Set(
    [...disk.files()].filter(([folder]) => folder === 'repositories/r').map(([, name]) => name),
  )
  expect(names).toContain('index.latest')
  const told = Buffer.from(disk.bytesOf('repositories/r', 'index.latest')).toString()
  expect(names).toContain(`index-${told}`)
}

/** Holds a disk to what a step may have left of it. @param done whether it was acknowledged; null: maybe */
async function check(left: FaultDisk, step: Step, done: boolean | null): Promise<void> {
  expectToldRoot(left)
  const node = await SnapshotEngine.open(left)
  try {
    const names = (await node.names()).sort()
    const [before, after] = [[...OLD.keys()], [...step.after.keys()].sort()]
    if (done === true) expect(names).toEqual(after)
    else expect([before, after]).toContainEqual(names)
    expect(await node.documents('i')).toEqual(SECOND)
    await node.verify()
    const indices = await node.indices()
    if (indices.includes('copy')) {
      expect(await node.documents('copy')).toEqual(step.restored)
      await node.deleteIndex('copy')
    } else expect(done === true && step.restored !== null).toBe(false)
    for (const name of names) {
      // A shard that could not be copied makes it one without data, which says so.
      if (done !== true && (await node.state(name)) === 'FAILED') continue
      await node.restore(name, 'copy')
      expect(await node.documents('copy')).toEqual(step.after.get(name) ?? OLD.get(name))
      await node.deleteIndex('copy')
    }
    await node.take('next', 'i')
    await node.restore('next', 'copy')
    expect(await node.documents('copy')).toEqual(SECOND)
    await node.delete('*')
    const files = [...left.files()].filter(([folder]) => folder.startsWith('repositories/'))
    expect(files.map(([, file]) => file).sort()).toEqual([
      expect.stringMatching(/^index-\d+$/),
      'index.latest',
    ])
    expectToldRoot(left)
  } finally {
    await node.close()
  }
}

it('keeps what was acknowledged, whichever call fails', async () => {
  const source = await prepared()
  const random = new Random(SEED)
  let failed = 0
  let acknowledged = 0
  for (const step of STEPS) {
    const disk = source.afterKill()
    const node = await SnapshotEngine.open(disk)
    disk.arm(null)
    await step.run(node)
    const { calls } = disk
    await node.close()
    const points = KINDS.flatMap(kind =>
      Array.from({ length: calls[kind] }, (_, i) => ({ kind, call: i + 1 })),
    )
    const stride = isLong ? 1 : Math.ceil(points.length / extent(8, 0))
    for (let i = isLong ? 0 : random.below(stride); i < points.length; i += stride) {
      const isLasting = random.below(2) === 0
      const fault: Fault = { ...points[i]!, code: 'EIO', share: random.below(3) / 2, isLasting }
      try {
        const copy = source.afterKill()
        const faulty = await SnapshotEngine.open(copy)
        copy.arm(fault)
        const done = await step.run(faulty).then(
          () => true,
          () => false,
        )
        const left = random.below(2) === 0 ? copy.afterKill() : copy.afterPowerLoss(random)
        if (copy.failures > 0) failed++
        if (done) acknowledged++
        copy.arm(null)
        await faulty.close()
        // A sync that failed may have come too late to undo what it was for.
        await check(left, step, done ? true : null)
      } catch (error) {
        const what = `seed ${SEED}, ${step.name}, fault ${JSON.stringify(fault)}`
        throw new Error(what, { cause: error })
      }
    }
  }
  expect(failed).toBeGreaterThanOrEqual(15)
  tell(`${failed} calls failed, ${acknowledged} steps were acknowledged all the same`)
}, 7_200_000)

/** A disk that is copied before each of its calls. */
class WatchedDisk extends FaultDisk {
  onCall: (() => void) | null = null

  static of(disk: FaultDisk): WatchedDisk {
    const watched = new WatchedDisk(null, disk.copy())
    return watched
  }

  override count(kind: CallKind, partial?: (share: number) => void): void {
    this.onCall?.()
    super.count(kind, partial)
  }
}

it('has the old state or the new one, whenever the process or the machine stops', async () => {
  const source = await prepared()
  const random = new Random(SEED)
  let crashes = 0
  for (const step of STEPS) {
    const disk = WatchedDisk.of(source)
    const node = await SnapshotEngine.open(disk)
    const stops: FaultDisk[] = []
    disk.onCall = () => {
      stops.push(random.below(2) === 0 ? disk.afterKill() : disk.afterPowerLoss(random))
    }
    await step.run(node)
    disk.onCall = null
    const whole = disk.afterPowerLoss(random)
    await node.close()
    await check(whole, step, true)
    const stride = isLong ? 1 : Math.ceil(stops.length / extent(8, 0))
    for (let i = random.below(stride); i < stops.length; i += stride) {
      try {
        await check(stops[i]!, step, null)
        crashes++
      } catch (error) {
        throw new Error(`seed ${SEED}, ${step.name}, stop ${i} of ${stops.length}`, {
          cause: error,
        })
      }
    }
  }
  expect(crashes).toBeGreaterThanOrEqual(15)
  tell(`${crashes} stops in the middle of snapshots, clones, deletions and restores`)
}, 7_200_000)

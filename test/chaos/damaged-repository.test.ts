import { beforeAll, expect, it } from 'vitest'
import { EngineError } from '../../src/util/errors.ts'
import { Random } from '../../src/util/random.ts'
import { createIndex } from '../support/engine-calls.ts'
import { type Documents, SnapshotEngine } from '../support/snapshot-engine.ts'
import { extent, SEED, tell } from './extent.ts'
import { FaultDisk } from './fault-disk.ts'

const FOLDER = 'repositories/r'

let disk: FaultDisk
let node: SnapshotEngine
const taken = new Map<string, Documents>()

beforeAll(async () => {
  disk = new FaultDisk()
  node = await SnapshotEngine.open(disk)
  await createIndex(node.engine, 'i', { 'index.number_of_shards': '2' })
  for (const [name, settings] of [
    ['first', { chunk_size: '1kb' }],
    ['second', { compress: 'false' }],
    ['third', {}],
  ] as const) {
    await node.register(settings)
    const from = 30 * taken.size
    const ids = Array.from({ length: 40 }, (_, i) => `d${from + i}`)
    await node.write('i', new Map(ids.map((id, i) => [id, i])))
    await node.write('i', new Map([[`d${from + 3}`, null]]))
    await node.take(name, 'i')
    taken.set(name, await node.documents('i'))
  }
})

/** Damages the repository in one way. @returns what was done, and how to undo it */
function damage(random: Random): { readonly what: string; undo(): void } {
  const files = [...disk.files()].filter(([folder]) => folder.startsWith(FOLDER))
  const [folder, name] = files[random.below(files.length)]!
  const before = disk.bytesOf(folder, name)
  const bytes = before.slice()
  const at = random.below(bytes.length)
  let undo = (): void => disk.replace(folder, name, before)
  const put = (changed: Uint8Array | null, how: string): { what: string; undo(): void } => {
    disk.replace(folder, name, changed)
    return { what: `${name} ${how}`, undo: () => undo() }
  }
  switch (random.below(8)) {
    case 0:
      return put(bytes.slice(0, at), `cut at ${at}`)
    case 1:
      return put(bytes.fill(0, at, at + 1 + random.below(300)), `zeroed from ${at}`)
    case 2:
      return put(null, 'deleted')
    case 3:
      return put(Buffer.concat([bytes, bytes.subarray(at)]), 'extended')
    case 4: {
      const kin = files.filter(([, other]) => other.slice(0, 4) === name.slice(0, 4))
      const [otherFolder, other] = kin[random.below(kin.length)]!
      const others = disk.bytesOf(otherFolder, other)
      undo = () => {
        disk.replace(folder, name, before)
        if (other !== name) disk.replace(otherFolder, other, others)
      }
      disk.replace(otherFolder, other, before)
      return put(others, `swapped with ${other}`)
    }
    case 5: {
      const stray = `index-${7 + random.below(9)}`
      undo = () => disk.replace(FOLDER, stray, null)
      disk.replace(FOLDER, stray, bytes)
      return { what: `${name} copied to ${stray}`, undo: () => undo() }
    }
    default:
      bytes[at] = bytes[at]! ^ (1 << random.below(8))
      return put(bytes, `flipped at ${at}`)
  }
}

/** Whether a step fails with an error that says so; any other failure is a defect. */
async function isRefused(step: () => Promise<unknown>, what: string): Promise<boolean> {
  try {
    await step()
    return false
  } catch (error) {
    expect(error, what).toBeInstanceOf(EngineError)
    const { record } = error as EngineError
    expect(JSON.stringify(record), what).toMatch(/corrupt_index_exception|repository_exception/)
    return true
  }
}

it('has every damage found, or nothing wrong comes of it', async () => {
  const random = new Random(SEED)
  const copies = extent(60, 300)
  let found = 0
  for (let i = 0; i < copies; i++) {
    const { what, undo } = damage(random)
    const isFound = await isRefused(() => node.verify(), what)
    if (isFound) found++
    let refused = 0
    for (const [name, documents] of taken)
      if (await isRefused(() => node.restore(name, 'copy'), `${what}: ${name}`)) refused++
      else {
        expect(await node.documents('copy'), `${what}: ${name}`).toEqual(documents)
        await node.deleteIndex('copy')
      }
    // A verification finds every damage that a restore refuses; nothing is half made.
    expect(refused === 0 || isFound, what).toBe(true)
    expect(await node.indices(), what).toEqual(['i'])
    if (!isFound) expect(await node.names(), what).toEqual([...taken.keys()])
    undo()
  }
  await node.verify()
  await node.close()
  expect(found).toBeGreaterThan(copies / 2)
  tell(`${copies} damages: ${found} found, ${copies - found} harmless`)
}, 600_000)

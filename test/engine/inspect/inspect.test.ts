import { cpSync, readdirSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { inspectFolder } from '../../../src/engine/inspect/inspect.ts'
import { trusted } from '../../../src/task/call-context.ts'
import { Random } from '../../../src/util/random.ts'
import { bulk, createIndex, engineWith, targetOf } from '../../support/engine-calls.ts'
import { tempFolder } from '../../support/temp-folder.ts'

const folder = tempFolder('inspect')
const whole = join(folder, 'whole')

beforeAll(async () => {
  const path = join(folder, 'open')
  const engine = await engineWith(path)
  await createIndex(engine, 'books', { 'index.refresh_interval': '-1' })
  const random = new Random(5)
  for (let round = 0; round < 3; round++) {
    const lines = Array.from({ length: 200 }, (_, i) => [
      { index: { _id: `${round}-${i}` } },
      { title: `word${random.below(50)} word${random.below(9)}`, year: random.below(2000) },
    ]).flat()
    await bulk(engine, 'books', lines, 'true')
  }
  await bulk(engine, 'books', [{ delete: { _id: '0-7' } }, { delete: { _id: '1-9' } }], 'true')
  await engine.indices.flush(
    { target: targetOf('books'), force: false, waitIfOngoing: true },
    trusted('indices:admin/flush'),
  )
  // What follows the commit lies in the log alone.
  const more = Array.from({ length: 20 }, (_, i) => [
    { index: { _id: `log-${i}`, routing: 'r' } },
    { title: `late word${i}`, year: 2000 + i },
  ]).flat()
  await bulk(engine, 'books', [...more, { delete: { _id: '2-9' } }], 'false')
  cpSync(path, whole, { recursive: true, filter: name => !name.endsWith('node.lock') })
  await engine.close()
})

function filesOf(root: string): string[] {
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry => relative(root, join(entry.parentPath, entry.name)))
    .sort()
}

describe('inspect', () => {
  it('finds nothing wrong in a whole folder, and tells what lies there', async () => {
    const report = await inspectFolder(whole, { verify: true })
    expect(report.damages).toEqual([])
    expect(report.kind).toBe('data')
    const [shard] = report.shards
    expect(shard!.index).toBe('books')
    const docs = shard!.segments.reduce((sum, segment) => sum + segment.docCount, 0)
    expect(docs).toBe(598)
    expect(report.fileCount).toBe(filesOf(whole).length)
  })

  it('takes the folder of an index or a shard too, and refuses any other', async () => {
    const index = join(whole, 'indices', readdirSync(join(whole, 'indices'))[0]!)
    expect((await inspectFolder(index, { verify: true })).kind).toBe('index')
    const shard = await inspectFolder(join(index, '0'), { verify: true })
    expect(shard.kind).toBe('shard')
    expect(shard.shards[0]!.index).toBe('books')
    await expect(inspectFolder(folder, { verify: true })).rejects.toThrow(/is no data folder/)
  })

  it('finds every flipped byte and every cut, by file and offset', async () => {
    const seed = 77
    const random = new Random(seed)
    const copy = join(folder, 'damaged')
    cpSync(whole, copy, { recursive: true })
    const files = filesOf(whole)
    const missed: string[] = []
    for (let round = 0; round < 2200; round++) {
      const file = files[random.below(files.length)]!
      const path = join(copy, file)
      const bytes = readFileSync(path)
      const at = random.below(bytes.length)
      const cuts = random.below(4) === 0
      if (cuts) truncateSync(path, at)
      else {
        const damaged = Buffer.from(bytes)
        damaged[at] = damaged[at]! ^ (1 << random.below(8))
        writeFileSync(path, damaged)
      }
      const { damages } = await inspectFolder(copy, { verify: true })
      const named = damages.some(damage => damage.file === file && damage.offset <= bytes.length)
      if (!named) missed.push(`${file} ${cuts ? 'cut at' : 'flipped at'} ${at}`)
      writeFileSync(path, bytes)
    }
    expect(missed, `seed ${seed}`).toEqual([])
    expect((await inspectFolder(copy, { verify: true })).damages).toEqual([])
  })

  it('notices a file that is gone', async () => {
    const copy = join(folder, 'gone')
    cpSync(whole, copy, { recursive: true })
    const stored = filesOf(copy).find(file => file.endsWith('.sto'))!
    writeFileSync(join(copy, stored), '')
    const { damages } = await inspectFolder(copy, { verify: true })
    expect(damages.length).toBeGreaterThan(0)
    expect(statSync(join(copy, stored)).size).toBe(0)
  })
})

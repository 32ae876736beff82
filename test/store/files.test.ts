import { execFile, spawnSync } from 'node:child_process'
import { existsSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import type { Directory } from '../../src/store/directory.ts'
import { FsDirectory } from '../../src/store/fs-directory.ts'
import { MemoryDirectory } from '../../src/store/memory-directory.ts'
import { lockFolder } from '../../src/store/node-lock.ts'
import { tempFolder } from '../support/temp-folder.ts'

const folder = tempFolder('files')

describe.each([
  ['on disk', (): Directory => new FsDirectory(join(folder, 'directory'))],
  ['in memory', (): Directory => new MemoryDirectory()],
])('a directory %s', (_, make) => {
  it('writes once, reads at places, renames and deletes', () => {
    const directory = make()
    directory.write('a', Uint8Array.of(1, 2, 3, 4))
    expect(() => directory.write('a', Uint8Array.of(9))).toThrow()
    directory.sync(['a'])
    directory.rename('a', 'b')
    directory.syncFolder()
    expect(directory.list()).toEqual(['b'])
    expect([directory.length('a'), directory.length('b')]).toEqual([-1, 4])
    const file = directory.open('b')
    const target = new Uint8Array(2)
    file.readInto(1, target)
    expect(Array.from(target)).toEqual([2, 3])
    expect(() => file.readInto(3, target)).toThrow(RangeError)
    file.close()
    // What is read is the reader's own: changing it leaves the file alone.
    const copy = directory.read('b').slice()
    copy[0] = 99
    expect(Array.from(directory.read('b'))).toEqual([1, 2, 3, 4])
    directory.delete('b')
    directory.delete('b')
    expect(directory.list()).toEqual([])
  })
})

describe('a link to a file of another folder', () => {
  const links = new FsDirectory(join(folder, 'links'))

  it('keeps the bytes when the other name goes, and replaces what has its name', () => {
    const from = new FsDirectory(join(folder, 'linked'))
    from.write('a', Uint8Array.of(1, 2, 3))
    links.write('b', Uint8Array.of(9))
    links.link(from.path, 'a', 'b')
    expect(statSync(join(links.path, 'b')).nlink).toBe(2)
    from.delete('a')
    expect(Array.from(links.read('b'))).toEqual([1, 2, 3])
    expect(() => links.link(from.path, 'a', 'c')).toThrow('ENOENT')
    expect(links.list()).toEqual(['b'])
  })

  const shared = '/dev/shm'
  const isElsewhere = existsSync(shared) && statSync(shared).dev !== statSync(folder).dev
  it.runIf(isElsewhere)('is a copy where the other folder is of another file system', () => {
    const name = `lamella-link-${process.pid}`
    writeFileSync(join(shared, name), Uint8Array.of(4, 5))
    try {
      links.link(shared, name, 'd')
      expect(Array.from(links.read('d'))).toEqual([4, 5])
      expect(statSync(join(links.path, 'd')).nlink).toBe(1)
    } finally {
      rmSync(join(shared, name))
    }
  })
})

describe('the lock of a data folder', () => {
  it('refuses a second holder by name, and lets the next one in afterwards', () => {
    const lock = lockFolder(folder)
    expect(() => lockFolder(folder)).toThrow(
      new RegExp(`in use by this process \\(pid ${process.pid}\\)`),
    )
    lock.release()
    lockFolder(folder).release()
  })

  it('is kept by another process that lives, and never by one that is dead', () => {
    const path = join(folder, 'node.lock')
    const dead = spawnSync(process.execPath, ['-e', 'console.log(process.pid)'], {
      encoding: 'utf8',
    })
    writeFileSync(
      path,
      JSON.stringify({ pid: Number(dead.stdout), boot: '', started: '', host: 'h' }),
    )
    lockFolder(folder).release()
    writeFileSync(path, 'half a l')
    lockFolder(folder).release()
    // This process's parent lives; without its start time the process number has to do.
    const boot = spawnSync('cat', ['/proc/sys/kernel/random/boot_id'], { encoding: 'utf8' })
    writeFileSync(
      path,
      JSON.stringify({ pid: process.ppid, boot: boot.stdout.trim(), started: '', host: 'here' }),
    )
    expect(() => lockFolder(folder)).toThrow(new RegExp(`process ${process.ppid} on here`))
  })

  // Only there the start of a process can be told.
  it.runIf(process.platform === 'linux')(
    'goes to one alone of many that find a dead holder at once',
    async () => {
      const path = join(folder, 'contended')
      new FsDirectory(path).write('x', Uint8Array.of(1))
      const script = fileURLToPath(new URL('./fixtures/contend.mjs', import.meta.url))
      const dead = spawnSync(process.execPath, ['-e', 'console.log(process.pid)'], {
        encoding: 'utf8',
      })
      const stale = { pid: Number(dead.stdout), boot: '', started: '', host: 'h' }
      writeFileSync(join(path, 'node.lock'), JSON.stringify(stale))
      const held: { from: number; to: number }[] = []
      await Promise.all(
        Array.from({ length: 4 }, async () => {
          const { stdout } = await promisify(execFile)(process.execPath, [script, path, '20'])
          held.push(...(JSON.parse(stdout) as typeof held))
        }),
      )
      held.sort((a, b) => a.from - b.from)
      // Each of them left its lock behind as a dead process's would be, for the others to find.
      expect(held.length).toBeGreaterThan(10)
      for (let i = 1; i < held.length; i++)
        expect(held[i]!.from, `${i} of ${held.length}`).toBeGreaterThanOrEqual(held[i - 1]!.to)
      expect(new FsDirectory(path).list().filter(name => name !== 'node.lock')).toEqual(['x'])
    },
  )

  it('makes folders that their owner alone may read', () => {
    const path = join(folder, 'private')
    new FsDirectory(path).write('x', Uint8Array.of(1))
    expect(statSync(path).mode & 0o777).toBe(0o700)
    expect(statSync(join(path, 'x')).mode & 0o777).toBe(0o600)
  })
})

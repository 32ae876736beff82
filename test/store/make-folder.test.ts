import { existsSync, mkdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { makeFolder } from '../../src/store/make-folder.ts'
import { tempFolder } from '../support/temp-folder.ts'

const folder = tempFolder('make-folder')

it('makes a folder with its parents for its owner alone, and keeps one that is there', () => {
  const path = join(folder, 'a/b/c')
  makeFolder(path)
  makeFolder(path)
  for (const made of ['a', 'a/b', 'a/b/c'])
    expect(statSync(join(folder, made)).mode & 0o777).toBe(0o700)
  mkdirSync(join(folder, 'open'), { mode: 0o755 })
  makeFolder(join(folder, 'open'))
  expect(statSync(join(folder, 'open')).mode & 0o777).toBe(0o755)
})

it('refuses a path that leads through a file, or is one', () => {
  const file = join(folder, 'file')
  writeFileSync(file, '')
  expect(() => makeFolder(file)).toThrow('EEXIST')
  expect(() => makeFolder(join(file, 'below'))).toThrow('ENOTDIR')
  expect(() => makeFolder(join(file, 'far/below'))).toThrow('ENOTDIR')
})

it.runIf(existsSync('/proc/self'))('ends where an existing parent refuses every child', () => {
  expect(() => makeFolder('/proc/nothing')).toThrow('ENOENT')
  expect(() => makeFolder('/proc/nothing/below')).toThrow('ENOENT')
})

import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { configFolder } from '../../src/store/config-folder.ts'
import { IllegalArgumentError } from '../../src/util/errors.ts'
import { tempFolder } from '../support/temp-folder.ts'

describe('the configuration folder', () => {
  const home = tempFolder('config')
  mkdirSync(join(home, 'config', 'lists'), { recursive: true })
  writeFileSync(join(home, 'config', 'lists', 'words.txt'), '\ufeffone\r\ntwo\nthrée\n')
  writeFileSync(join(home, 'secret.txt'), 'hidden')
  symlinkSync(join(home, 'secret.txt'), join(home, 'config', 'link.txt'))

  it('reads lines of files below it, by relative path or absolute', () => {
    const lines = ['one', 'two', 'thrée', '']
    expect(configFolder(null, home)('lists/words.txt')).toEqual(lines)
    expect(configFolder(join(home, 'config', 'lists'), null)('words.txt')).toEqual(lines)
    const absolute = join(home, 'config', 'lists', 'words.txt')
    expect(configFolder('config', home)(absolute)).toEqual(lines)
  })

  it('gives the names of the files of a folder', () => {
    mkdirSync(join(home, 'config', 'words', 'deeper'), { recursive: true })
    for (const name of ['b.dic', 'a.aff']) writeFileSync(join(home, 'config', 'words', name), '')
    expect(configFolder(null, home)('words', 'names')).toEqual(['a.aff', 'b.dic'])
    for (const path of ['..', 'words/a.aff', 'nope'])
      expect(() => configFolder(null, home)(path, 'names')).toThrow('no such file in path.conf')
  })

  it.each(['../secret.txt', 'link.txt', '/etc/passwd', 'lists', 'nope.txt', '', '\0'])(
    'refuses %j without telling whether it is there',
    path => {
      expect(() => configFolder(null, home)(path)).toThrow(IllegalArgumentError)
      expect(() => configFolder(null, home)(path)).toThrow('no such file in path.conf')
    },
  )

  it('is not there for an engine in memory unless it is named', () => {
    expect(() => configFolder(null, null)('words.txt')).toThrow('[path.conf]')
  })
})

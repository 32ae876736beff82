import { describe, expect, it } from 'vitest'
import { readArguments, usageOf, type Verb } from '../../src/cli/command-line.ts'
import { UsageError } from '../../src/cli/exit-code.ts'

const verb: Verb = {
  positionals: [{ name: 'THING', description: 'what to fetch' }],
  options: {
    data: { type: 'string', valueHint: 'DIR', description: 'A folder' },
    setting: { type: 'string', alias: 'E', isList: true, description: 'A setting' },
    serve: { type: 'boolean', description: 'Serve it' },
    port: { type: 'string', description: 'A port' },
  },
  run: () => Promise.resolve(0),
}

describe('a command line', () => {
  it('is read into words, values, lists and flags', () => {
    const given = readArguments(verb, [
      'x',
      '--data=d',
      '-E',
      'a=1',
      '-Eb=2',
      '--serve',
      '--port',
      '0',
    ])
    expect(given.positionals).toEqual(['x'])
    expect(given.text('data')).toBe('d')
    expect(given.list('setting')).toEqual(['a=1', 'b=2'])
    expect(given.flag('serve')).toBe(true)
    expect(given.flag('json')).toBe(false)
    expect(given.flag('color', true)).toBe(true)
    expect(given.wholeNumber('port', 0, 65_535)).toBe(0)
    expect(given.text('nothing')).toBeNull()
  })

  it('lets a flag be turned off, wherever that stands', () => {
    expect(readArguments(verb, ['x', '--serve', '--no-serve']).flag('serve')).toBe(false)
    expect(readArguments(verb, ['x', '--no-serve', '--serve']).flag('serve')).toBe(false)
  })

  it('takes words behind -- as they are', () => {
    expect(readArguments(verb, ['--', '--data']).positionals).toEqual(['--data'])
  })

  it.each([
    [['x', '--sreve'], 'there is no option --sreve, did you mean [--serve]?'],
    [['x', '--data'], '--data needs a value: --data DIR'],
    [['x', '--data', '--serve'], '--data needs a value'],
    [['x', '--data', 'a', '--data', 'b'], '--data was given twice'],
    [['x', '--serve=yes'], '--serve takes no value'],
    [['x', '--no-data'], 'there is no option --no-data'],
    [[], 'THING is missing: what to fetch'],
    [['x', 'y'], '[y] is one word too many'],
  ])('refuses %j', (argv, message) => {
    expect(() => readArguments(verb, argv)).toThrow(UsageError)
    expect(() => readArguments(verb, argv)).toThrow(message)
  })

  it.each(['-1', '65536', '1.5', 'abc', ''])('refuses the port %j', port => {
    const given = readArguments(verb, ['x', `--port=${port}`])
    expect(() => given.wholeNumber('port', 0, 65_535)).toThrow('from 0 to 65535')
  })

  it('prints help that names every option', async () => {
    const text = await usageOf({ name: 'fetch', description: 'Fetch things' }, verb)
    for (const name of [
      'Fetch things',
      'lamella fetch',
      'THING',
      '--data=<DIR>',
      '-E',
      '--serve',
      '--no-color',
      '--json',
    ])
      expect(text).toContain(name)
  })
})

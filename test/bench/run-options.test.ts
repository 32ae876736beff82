import { spawnSync } from 'node:child_process'
import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { helpOf, parseOptions, type RunOption, UsageError } from '../../bench/lib/run-options.ts'

const ROOT = resolve(import.meta.dirname, '../..')

const OPTIONS = {
  only: { kind: 'names', help: 'benches to run', of: ['heap', 'codec'] },
  classes: { kind: 'names', help: 'classes', of: null },
  warm: { kind: 'count', help: 'warms up', by: 5, min: 0 },
  minutes: { kind: 'number', help: 'lasts', by: 30 },
  corpus: { kind: 'text', hint: 'NAME', help: 'the corpus', by: 'zipf' },
  rounds: { kind: 'count', help: 'rounds', by: 7 },
  check: { kind: 'flag', help: 'checks' },
} as const satisfies Record<string, RunOption>

describe('options of a bench', () => {
  it('have their defaults, and the values of a command line', () => {
    expect(parseOptions(OPTIONS, [])).toEqual({
      only: null,
      classes: null,
      warm: 5,
      minutes: 30,
      corpus: 'zipf',
      rounds: 7,
      check: false,
    })
    expect(
      parseOptions(OPTIONS, [
        ...['--only', 'heap,codec', '--corpus=sotu', '--rounds', '3', '--check'],
        ...['--warm', '0', '--minutes', '0.5'],
      ]),
    ).toEqual({
      only: ['heap', 'codec'],
      classes: null,
      warm: 0,
      minutes: 0.5,
      corpus: 'sotu',
      rounds: 3,
      check: true,
    })
  })

  it.each([
    [['--round', '3'], 'unknown option [--round] did you mean [rounds]?'],
    [['--rounds'], '--rounds needs a value'],
    [['--rounds', 'many'], '--rounds takes a whole number of at least 1, found [many]'],
    [['--rounds', '0'], 'found [0]'],
    [['--only', 'heap,tree'], '--only does not know [tree], there are heap, codec'],
    [['--check=yes'], '--check takes no value'],
    [['heap'], 'unexpected argument [heap]'],
  ])('refuse %j in a line', (argv, reason) => {
    const parse = (): unknown => parseOptions(OPTIONS, argv)
    expect(parse).toThrow(UsageError)
    expect(parse).toThrow(reason)
  })

  it('are listed by the help with their defaults', () => {
    const help = helpOf('bench', 'runs the benches', OPTIONS)
    expect(help).toContain('npm run bench [-- OPTION…]: runs the benches')
    expect(help).toMatch(/--rounds N +rounds \(default: 7\)/)
    expect(help).toMatch(/--only NAME,… +benches to run \(default: all of heap, codec\)/)
  })
})

describe.each([
  'bench/run.ts',
  'bench/growth/run.ts',
  'bench/reorder/run.ts',
  'bench/rivals/run.ts',
  'bench/soak/run.ts',
])('%s', file => {
  const run = (...args: readonly string[]): ReturnType<typeof spawnSync> =>
    spawnSync(process.execPath, ['--import', 'tsx', file, ...args], { cwd: ROOT, encoding: 'utf8' })

  it('prints its help, and refuses an option that is none with exit code 2', () => {
    const help = run('--help')
    expect(help.stderr).toBe('')
    expect(help.status).toBe(0)
    expect(help.stdout).toMatch(/^npm run [\w:]+ \[-- OPTION…\]: /)
    const mistake = run('--nothing')
    expect(mistake.status).toBe(2)
    expect(mistake.stdout).toBe('')
    expect(mistake.stderr).toMatch(/^[\w:]+: unknown option \[--nothing\].*\n$/)
  })
})

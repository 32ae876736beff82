/** Options of a bench's command line: `--help` prints them, a mistake is one line and exit code 2. */
import { parseArgs } from 'node:util'
import { didYouMean, findAlike } from '../../src/util/did-you-mean.ts'

/** One option; its kind says what it takes. */
export type RunOption =
  | { readonly kind: 'flag'; readonly help: string }
  | { readonly kind: 'text'; readonly hint: string; readonly help: string; readonly by: string }
  /** A whole number of at least 1, or of at least `min`. */
  | { readonly kind: 'count'; readonly help: string; readonly by: number; readonly min?: number }
  /** A number above 0. */
  | { readonly kind: 'number'; readonly help: string; readonly by: number }
  /** Names of a list, with commas between; all when it is not given. */
  | { readonly kind: 'names'; readonly help: string; readonly of: readonly string[] | null }

type Value<O extends RunOption> = O extends { readonly kind: 'flag' }
  ? boolean
  : O extends { readonly kind: 'count' | 'number' }
    ? number
    : O extends { readonly kind: 'text' }
      ? string
      : readonly string[] | null

/** The values of options by name; of names that are not given null. */
export type RunValues<Options extends Readonly<Record<string, RunOption>>> = {
  readonly [Name in keyof Options]: Value<Options[Name]>
}

/** A mistake of the command line. */
export class UsageError extends Error {}

/**
 * Reads a command line.
 * @throws {UsageError} unknown option, with a suggestion; invalid value
 */
export function parseOptions<Options extends Readonly<Record<string, RunOption>>>(
  options: Options,
  argv: readonly string[],
): RunValues<Options> {
  const { tokens } = parseArgs({
    args: [...argv],
    options: Object.fromEntries(
      Object.entries(options).map(([name, { kind }]) => [
        name,
        { type: kind === 'flag' ? ('boolean' as const) : ('string' as const) },
      ]),
    ),
    strict: false,
    allowPositionals: true,
    tokens: true,
  })
  const given = new Map<string, string | undefined>()
  for (const token of tokens) {
    if (token.kind === 'positional') throw new UsageError(`unexpected argument [${token.value}]`)
    if (token.kind === 'option') {
      if (!Object.hasOwn(options, token.name))
        throw new UsageError(
          `unknown option [${token.rawName}]${didYouMean(findAlike(token.name, Object.keys(options)))}`,
        )
      given.set(token.name, token.value)
    }
  }
  const values: Record<string, unknown> = {}
  for (const [name, option] of Object.entries(options))
    values[name] = given.has(name) ? givenValue(name, option, given.get(name)) : absentValue(option)
  return values as RunValues<Options>
}

/** The text of `--help`. */
export function helpOf(
  command: string,
  does: string,
  options: Readonly<Record<string, RunOption>>,
): string {
  const rows = Object.entries(options).map(([name, option]) => [
    `--${name}${hintOf(option)}`,
    `${option.help}${defaultText(option)}`,
  ])
  rows.push(['--help', 'prints this'])
  const width = Math.max(...rows.map(([left = '']) => left.length))
  const lines = rows.map(([left = '', right = '']) => `  ${left.padEnd(width)}  ${right}`)
  return [`npm run ${command} [-- OPTION…]: ${does}`, '', ...lines].join('\n')
}

/**
 * Reads the command line of this process. Ends it after `--help` with exit code 0, after a mistake
 * with 2.
 */
export function runOptions<Options extends Readonly<Record<string, RunOption>>>(
  command: string,
  does: string,
  options: Options,
): RunValues<Options> {
  const argv = process.argv.slice(2)
  if (argv.includes('--help') || argv.includes('-h')) {
    console.log(helpOf(command, does, options))
    process.exit(0)
  }
  try {
    return parseOptions(options, argv)
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    endWithUsage(command, error)
  }
}

/** Says on one line what is wrong with the command line, and ends the process with exit code 2. */
export function endWithUsage(command: string, { message }: UsageError): never {
  console.error(`${command}: ${message} (npm run ${command} -- --help)`)
  process.exit(2)
}

function givenValue(name: string, option: RunOption, value: string | undefined): unknown {
  if (option.kind === 'flag') {
    if (value !== undefined) throw new UsageError(`--${name} takes no value, found [${value}]`)
    return true
  }
  if (value === undefined || value === '') throw new UsageError(`--${name} needs a value`)
  switch (option.kind) {
    case 'text':
      return value
    case 'count': {
      const { min = 1 } = option
      if (/^\d{1,10}$/.test(value) && Number(value) >= min) return Number(value)
      throw new UsageError(`--${name} takes a whole number of at least ${min}, found [${value}]`)
    }
    case 'number':
      if (/^\d{1,10}(\.\d{1,10})?$/.test(value) && Number(value) > 0) return Number(value)
      throw new UsageError(`--${name} takes a number above 0, found [${value}]`)
    case 'names': {
      const names = value.split(',')
      const unknown = option.of === null ? [] : names.filter(each => !option.of!.includes(each))
      if (unknown.length > 0)
        throw new UsageError(
          `--${name} does not know [${unknown}], there are ${option.of!.join(', ')}`,
        )
      return names
    }
  }
}

function absentValue(option: RunOption): unknown {
  if (option.kind === 'flag') return false
  return option.kind === 'names' ? null : option.by
}

function hintOf(option: RunOption): string {
  switch (option.kind) {
    case 'flag':
      return ''
    case 'text':
      return ` ${option.hint}`
    case 'count':
    case 'number':
      return ' N'
    case 'names':
      return ' NAME,…'
  }
}

function defaultText(option: RunOption): string {
  if (option.kind === 'flag') return ''
  if (option.kind !== 'names') return ` (default: ${option.by})`
  return option.of === null ? ' (default: all)' : ` (default: all of ${option.of.join(', ')})`
}

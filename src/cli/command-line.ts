/**
 * Reads a verb's arguments, strictly: an option that is none is refused with a suggestion, one that
 * wants a value gets one. The tables are citty's, which prints the help from them; its own reader
 * is not used, because it lets unknown options pass and keeps one value of a repeated one.
 */
import { parseArgs, stripVTControlCharacters } from 'node:util'
import type { CommandDef } from 'citty'
import { didYouMean, findAlike } from '../util/did-you-mean.ts'
import { type ExitCode, UsageError } from './exit-code.ts'
import type { Terminal } from './terminal.ts'

/** One option of a verb. */
export interface OptionSpec {
  readonly type: 'boolean' | 'string'
  readonly description: string
  /** One letter. */
  readonly alias?: string
  /** The value's meaning, for the help. */
  readonly valueHint?: string
  /** May be given several times. */
  readonly isList?: boolean
  /** For a flag that is on by default, or that may be turned off: what `--no-…` does. */
  readonly negativeDescription?: string
}

/** A word of a command line that is no option. */
export interface PositionalSpec {
  readonly name: string
  readonly description: string
  /** Takes all that follow; the last one only. */
  readonly isList?: boolean
}

/** A verb as a help lists it. */
export interface VerbName {
  readonly name: string
  readonly description: string
}

/** A verb: its arguments and its run. */
export interface Verb {
  readonly positionals: readonly PositionalSpec[]
  readonly options: Readonly<Record<string, OptionSpec>>
  run(given: Arguments, terminal: Terminal): Promise<ExitCode>
}

/** Options that every verb has. */
const COMMON_OPTIONS: Readonly<Record<string, OptionSpec>> = {
  json: { type: 'boolean', description: 'Print the result as JSON' },
  color: {
    type: 'boolean',
    description: 'Colours, where stdout is a terminal',
    negativeDescription: 'No colours',
  },
  help: { type: 'boolean', alias: 'h', description: 'Print this help' },
}

/** A command line as read. */
export class Arguments {
  readonly positionals: readonly string[]
  readonly #values: ReadonlyMap<string, readonly string[]>
  readonly #flags: ReadonlyMap<string, boolean>

  constructor(
    positionals: readonly string[],
    values: ReadonlyMap<string, readonly string[]>,
    flags: ReadonlyMap<string, boolean>,
  ) {
    this.positionals = positionals
    this.#values = values
    this.#flags = flags
  }

  /** An option's value, the last one given; null when it was not. */
  text(name: string): string | null {
    return this.#values.get(name)?.at(-1) ?? null
  }

  /** All values of an option, in order. */
  list(name: string): readonly string[] {
    return this.#values.get(name) ?? []
  }

  /** A flag: given, or turned off, which wins; otherwise as said. */
  flag(name: string, otherwise = false): boolean {
    return this.#flags.get(name) ?? otherwise
  }

  /** A whole number in a range, or null. */
  wholeNumber(name: string, min: number, max: number): number | null {
    const text = this.text(name)
    if (text === null) return null
    const value = /^\d{1,12}$/.test(text) ? Number(text) : Number.NaN
    if (value >= min && value <= max) return value
    throw new UsageError(`--${name} takes a whole number from ${min} to ${max}, found [${text}]`)
  }
}

/**
 * Reads what follows a verb's name.
 * @throws {UsageError} unknown options, missing values, too few or too many words
 */
export function readArguments(verb: Verb, argv: readonly string[]): Arguments {
  const specs = new Map(Object.entries({ ...verb.options, ...COMMON_OPTIONS }))
  const { tokens } = parseArgs({
    args: [...argv],
    strict: false,
    allowPositionals: true,
    tokens: true,
    options: Object.fromEntries(
      [...specs].map(([name, { type, alias }]) => [
        name,
        alias === undefined ? { type } : { type, short: alias },
      ]),
    ),
  })
  const positionals: string[] = []
  const values = new Map<string, string[]>()
  const flags = new Map<string, boolean>()
  for (const token of tokens) {
    if (token.kind === 'positional') positionals.push(token.value)
    if (token.kind !== 'option') continue
    const { name, rawName, value, inlineValue } = token
    const spec = specs.get(name)
    const negated = name.startsWith('no-') ? name.slice(3) : ''
    if (spec === undefined && specs.get(negated)?.type === 'boolean') {
      if (value !== undefined) throw new UsageError(`${rawName} takes no value`)
      flags.set(negated, false)
    } else if (spec === undefined) throw unknownOption(rawName, name, specs.keys())
    else if (spec.type === 'boolean') {
      if (value !== undefined) throw new UsageError(`${rawName} takes no value, found [${value}]`)
      // Off wins wherever it stands: `npm start -- --no-serve` comes behind a `--serve`.
      if (flags.get(name) !== false) flags.set(name, true)
    } else {
      if (value === undefined || (inlineValue === false && /^-./.test(value)))
        throw new UsageError(`${rawName} needs a value: ${rawName} ${spec.valueHint ?? 'VALUE'}`)
      const list = values.get(name)
      if (list === undefined) values.set(name, [value])
      else if (spec.isList === true) list.push(value)
      else throw new UsageError(`${rawName} was given twice`)
    }
  }
  if (flags.get('help') !== true) checkPositionals(verb, positionals)
  return new Arguments(positionals, values, flags)
}

function checkPositionals(verb: Verb, given: readonly string[]): void {
  const missing = verb.positionals[given.length]
  if (missing !== undefined)
    throw new UsageError(`${missing.name} is missing: ${missing.description}`)
  const takesMore = verb.positionals.at(-1)?.isList === true
  const extra = given[verb.positionals.length]
  if (!takesMore && extra !== undefined) throw new UsageError(`[${extra}] is one word too many`)
}

function unknownOption(rawName: string, name: string, names: Iterable<string>): UsageError {
  const alike = findAlike(name, names).map(found => `--${found}`)
  return new UsageError(
    `there is no option ${rawName}${alike.length > 0 ? ',' : ''}${didYouMean(alike)}`,
  )
}

/** The help of a verb. */
export async function usageOf(known: VerbName, verb: Verb): Promise<string> {
  const { defineCommand, renderUsage } = await import('citty')
  const args: NonNullable<CommandDef['args']> = {}
  for (const { name, description } of verb.positionals)
    Object.assign(args, { [name]: { type: 'positional', description } })
  const all = { ...verb.options, ...COMMON_OPTIONS }
  for (const [name, { isList, ...spec }] of Object.entries(all))
    Object.assign(args, { [name]: spec })
  const command = defineCommand({
    meta: { name: `lamella ${known.name}`, description: known.description },
    args,
  })
  return plain(await renderUsage(command as CommandDef))
}

/** The help of the whole command line. */
export async function usageOfAll(verbs: readonly VerbName[], version: string): Promise<string> {
  const { defineCommand, renderUsage } = await import('citty')
  const command = defineCommand({
    meta: { name: 'lamella', version, description: 'A search engine core with per-slice profiles' },
    subCommands: Object.fromEntries(
      verbs.map(({ name, description }) => [name, defineCommand({ meta: { name, description } })]),
    ),
  })
  return plain(await renderUsage(command as CommandDef))
}

/** Without the colours that citty adds wherever it prints. */
function plain(text: string): string {
  return stripVTControlCharacters(text)
}

#!/usr/bin/env node
import { readFileSync } from 'node:fs'
import { LamellaError } from '../embed/lamella-error.ts'
import { didYouMean, findAlike } from '../util/did-you-mean.ts'
import { EngineError } from '../util/errors.ts'
import { readArguments, usageOf, usageOfAll } from './command-line.ts'
import { printable } from './drawing/text.ts'
import { withCauses } from './error-text.ts'
import { CliError, EXIT, type ExitCode, UsageError } from './exit-code.ts'
import { processTerminal } from './terminal.ts'
import { VERBS } from './verbs.ts'

async function main(argv: readonly string[]): Promise<ExitCode> {
  const [name, ...rest] = argv
  if (name === '--version') {
    process.stdout.write(`${version()}\n`)
    return EXIT.fine
  }
  if (name === undefined || name === '--help' || name === '-h' || name === 'help') {
    const text = `${await usageOfAll(VERBS, version())}\n`
    ;(name === undefined ? process.stderr : process.stdout).write(text)
    return name === undefined ? EXIT.usage : EXIT.fine
  }
  const known = VERBS.find(verb => verb.name === name)
  if (known === undefined) {
    const alike = findAlike(
      name,
      VERBS.map(verb => verb.name),
    )
    const verbs = VERBS.map(verb => verb.name).join(', ')
    throw new UsageError(`there is no verb [${name}]${didYouMean(alike)} Verbs: ${verbs}`)
  }
  const verb = await known.load()
  const given = readArguments(verb, rest)
  if (given.flag('help')) {
    process.stdout.write(`${await usageOf(known, verb)}\n`)
    return EXIT.fine
  }
  return verb.run(given, processTerminal(given.flag('color', true)))
}

function version(): string {
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8')
  return String((JSON.parse(text) as { readonly version: unknown }).version)
}

/** Says what went wrong; a defect of ours with its stack, because that is what a report needs. */
function complain(error: unknown): ExitCode {
  if (error instanceof UsageError) {
    const name = VERBS.find(verb => verb.name === process.argv[2])?.name
    const help =
      name === undefined
        ? 'lamella --help lists the verbs'
        : `lamella ${name} --help shows how it is used`
    process.stderr.write(`lamella: ${printable(error.message)}\n${help}\n`)
    return EXIT.usage
  }
  const isExpected =
    error instanceof CliError ||
    error instanceof LamellaError ||
    error instanceof EngineError ||
    // The system refused something: a folder that may not be written, a full disk.
    typeof (error as NodeJS.ErrnoException | null)?.syscall === 'string'
  const causes = error instanceof LamellaError ? error.causes.map(({ reason }) => reason) : []
  const text = isExpected
    ? printable(withCauses((error as Error).message, causes))
    : String((error as Error)?.stack ?? error)
  process.stderr.write(`lamella: ${text}\n`)
  return EXIT.failure
}

// A reader that has seen enough (`| head`) closes the pipe: that is no failure of ours.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  process.exit(error.code === 'EPIPE' ? EXIT.fine : EXIT.failure)
})

try {
  process.exitCode = await main(process.argv.slice(2))
} catch (error) {
  process.exitCode = complain(error)
}

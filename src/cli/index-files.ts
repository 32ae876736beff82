import { existsSync, readFileSync } from 'node:fs'
import type { BulkFailure, BulkProgress } from '../embed/bulk-load.ts'
import type { Mapping } from '../embed/typed-mapping.ts'
import type { Arguments, Verb } from './command-line.ts'
import { DATA_OPTION, dataFolder, openFolder } from './data-folder.ts'
import { DocumentFiles, FORMATS, formatNamed } from './document-files.ts'
import { rateText } from './drawing/bulk-rate.ts'
import { bytesText, countedText, countText, nanosText, printable } from './drawing/text.ts'
import { CliError, EXIT, type ExitCode, UsageError } from './exit-code.ts'
import { catchInterruption } from './interruption.ts'
import { QUIET_OPTION, startProgress } from './progress.ts'
import type { Terminal } from './terminal.ts'

/** Refused documents that are named one by one. */
const NAMED_FAILURES = 20

/** `lamella index`: files into an index of a data folder. */
export const indexFiles: Verb = {
  positionals: [{ name: 'FILE', description: 'files to index; - is stdin', isList: true }],
  options: {
    index: { type: 'string', valueHint: 'NAME', description: 'The index, made when absent' },
    data: DATA_OPTION,
    mapping: {
      type: 'string',
      valueHint: 'FILE',
      description: 'Mapping as JSON: {"properties": …}',
    },
    id: {
      type: 'string',
      valueHint: 'FIELD',
      description:
        'Field whose value is the id (default: that of a bulk action, else ids are made)',
    },
    format: {
      type: 'string',
      valueHint: FORMATS.join('|'),
      description:
        'Format of all files (default: told by name, first byte and first line; lines of JSON that ' +
        'begin with an action such as {"index":{}} are those of a _bulk body)',
    },
    quiet: QUIET_OPTION,
  },

  async run(given: Arguments, terminal: Terminal): Promise<ExitCode> {
    const name = given.text('index')
    if (name === null) throw new UsageError('--index NAME is missing: the index to write to')
    const format = formatNamed(given.text('format'))
    const mapping = readMapping(given.text('mapping'))
    const files = new DocumentFiles(given.positionals, format, given.text('id'), name)
    const folder = dataFolder(given)
    const interruption = catchInterruption()
    try {
      await using db = await openFolder(folder)
      const index = await db.index(name, mapping ?? undefined)
      using progress = startProgress(given, terminal, 'indexing', files.totalBytes)
      const failures: BulkFailure[] = []
      let last: BulkProgress | null = null
      const { signal } = interruption
      try {
        for await (const record of index.bulk(files.operations(signal), {
          refresh: true,
          signal,
        })) {
          for (const failure of record.failures)
            if (failures.length < NAMED_FAILURES) failures.push(failure)
          progress.update(files.readBytes, rateText(record))
          last = record
        }
      } catch (error) {
        await index.flush()
        if (signal.aborted)
          throw new CliError(`interrupted after ${countedText(last?.done ?? 0, 'document')}`)
        throw error
      }
      if (last === null) throw new CliError('nothing was read')
      progress.end(rateText(last))
      await index.flush()
      report(name, folder, last, failures, files, given.flag('json'), terminal)
      return last.failed === 0 ? EXIT.fine : EXIT.failure
    } finally {
      interruption.release()
    }
  },
}

function readMapping(file: string | null): Mapping | null {
  if (file === null) return null
  if (!existsSync(file)) throw new CliError(`there is no mapping file [${file}]`)
  try {
    const mapping: unknown = JSON.parse(readFileSync(file, 'utf8'))
    if (typeof mapping === 'object' && mapping !== null && !Array.isArray(mapping))
      return mapping as Mapping
  } catch (error) {
    throw new CliError(`the mapping file [${file}] is no JSON: ${(error as Error).message}`)
  }
  throw new CliError(`the mapping file [${file}] must hold an object: {"properties": …}`)
}

function report(
  name: string,
  folder: string,
  last: BulkProgress,
  failures: readonly BulkFailure[],
  files: DocumentFiles,
  isJson: boolean,
  terminal: Terminal,
): void {
  const { indexed, deleted, failed, bytes, elapsedInMillis } = last
  const told = failures.map(({ position, id, error }) => ({
    place: files.placeOf(position),
    id,
    type: error.type,
    reason: error.message,
  }))
  if (isJson) {
    const summary = {
      index: name,
      folder,
      indexed,
      deleted,
      failed,
      bytes,
      elapsedInMillis,
      failures: told,
    }
    terminal.out(JSON.stringify(summary))
    return
  }
  for (const { place, reason } of told) terminal.note(printable(`${place}: ${reason}`))
  if (failed > told.length) terminal.note(`… and ${countText(failed - told.length)} more`)
  terminal.out(
    `${countedText(indexed, 'document')}, ${bytesText(bytes)} indexed into [${name}] of ${folder} ` +
      `in ${nanosText(elapsedInMillis * 1e6)}${deleted > 0 ? `, ${countText(deleted)} deleted` : ''}` +
      `${failed > 0 ? `, ${countText(failed)} refused` : ''}`,
  )
}

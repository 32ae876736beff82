import { existsSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import type { Database } from '../embed/database.ts'
import type { SnapshotProgress, SnapshotRun } from '../embed/snapshot-run.ts'
import type { Snapshot } from '../embed/snapshots.ts'
import type { Arguments, Verb } from './command-line.ts'
import { DATA_OPTION, dataFolder, openExisting, openFolder } from './data-folder.ts'
import { drawTable } from './drawing/table.ts'
import { bytesText, countedText, nanosText, printable } from './drawing/text.ts'
import { CliError, EXIT, type ExitCode, UsageError } from './exit-code.ts'
import { catchInterruption } from './interruption.ts'
import { QUIET_OPTION, startProgress } from './progress.ts'
import type { Terminal } from './terminal.ts'

/** The repository that is meant where none is named. */
const USUAL_REPOSITORY = 'backup'

/** Steps with a snapshot, by the first word. */
const ACTIONS = ['create', 'list', 'status', 'restore', 'delete', 'verify'] as const
type Action = (typeof ACTIONS)[number]

/** Results of tasks are of their own node: they would stand in the way of a restore. */
const ALL = ['*', '-.tasks']

/** `lamella snapshot`: copies of indices in a folder, and indices made of them. */
export const snapshot: Verb = {
  positionals: [
    {
      name: 'ACTION',
      description: 'create NAME, list, status NAME, restore NAME, delete NAME…, or verify',
      isList: true,
    },
  ],
  options: {
    data: DATA_OPTION,
    repository: {
      type: 'string',
      valueHint: 'NAME',
      description: `The repository (default: ${USUAL_REPOSITORY})`,
    },
    to: {
      type: 'string',
      valueHint: 'DIR',
      description: 'The folder of the repository (default: repositories/NAME in the data folder)',
    },
    index: {
      type: 'string',
      valueHint: 'NAME',
      description: 'An index or a pattern of them; may be repeated (default: all but .tasks)',
      isList: true,
    },
    rename: {
      type: 'string',
      valueHint: 'PATTERN=NEW',
      description: 'New names of restored indices: a pattern as of Java, and its replacement',
    },
    partial: { type: 'boolean', description: 'Leave out shards that cannot be read' },
    quiet: QUIET_OPTION,
  },

  async run(given: Arguments, terminal: Terminal): Promise<ExitCode> {
    const [word = '', ...names] = given.positionals
    const action = ACTIONS.find(each => each === word)
    if (action === undefined)
      throw new UsageError(`snapshot ${word} makes no sense: it takes ${ACTIONS.join(', ')}`)
    checkNames(action, names)
    const folder = given.text('to')
    const repository = given.text('repository') ?? USUAL_REPOSITORY
    if (folder !== null && action !== 'create' && !existsSync(folder))
      throw new CliError(`there is no folder [${folder}]: \`lamella snapshot create\` makes one`)
    await using db = await openFor(action, folder, given)
    await findRepository(db, action, repository, folder)
    return await RUNS[action](db, repository, names, given, terminal)
  },
}

/** Opens the data folder; a restore from elsewhere makes it where it was lost. */
function openFor(action: Action, folder: string | null, given: Arguments): Promise<Database> {
  if (folder === null) return openExisting(given)
  // A repository elsewhere is allowed for the one folder that the command line names.
  const options = { settings: { 'path.repo': [dirname(resolve(folder))] } }
  return action === 'restore'
    ? openFolder(dataFolder(given), options)
    : openExisting(given, options)
}

/** Has the repository known by its name. */
async function findRepository(
  db: Database,
  action: Action,
  repository: string,
  folder: string | null,
): Promise<void> {
  if (folder !== null) {
    await db.snapshots.register(repository, { location: resolve(folder) })
    return
  }
  const known = await db.snapshots.repositories()
  if (known.includes(repository)) return
  if (action !== 'create') {
    const others = known.length === 0 ? 'none' : printable(known.join(', '))
    throw new CliError(
      `there is no repository [${repository}] (there are: ${others}): \`lamella snapshot create\` makes ` +
        'one, --repository names another, --to a folder',
    )
  }
  await db.snapshots.register(repository, { location: repository })
}

function checkNames(action: Action, names: readonly string[]): void {
  const hasMany = action === 'delete'
  const hasNone = action === 'list' || action === 'verify'
  if (hasNone && names.length > 0) throw new UsageError(`snapshot ${action} takes no name`)
  if (!hasNone && names.length === 0)
    throw new UsageError(`snapshot ${action} needs the name of a snapshot`)
  if (!hasNone && !hasMany && names.length > 1)
    throw new UsageError(`snapshot ${action} takes one name, found ${names.length}`)
}

type Run = (
  db: Database,
  repository: string,
  names: readonly string[],
  given: Arguments,
  terminal: Terminal,
) => Promise<ExitCode>

const RUNS: Readonly<Record<Action, Run>> = {
  async create(db, repository, [name = ''], given, terminal) {
    const taken = await watched(given, terminal, 'copying', signal =>
      db.snapshots.take(repository, name, {
        ...chosen(given),
        partial: given.flag('partial'),
        signal,
      }),
    )
    if (given.flag('json')) terminal.out(JSON.stringify(taken))
    else {
      const { copiedFiles, copiedBytes, allBytes } = await db.snapshots.status(repository, name)
      terminal.out(
        `${lineOf(taken)}, ${countedText(copiedFiles, 'new file')} with ${bytesText(copiedBytes)} ` +
          `of ${bytesText(allBytes)}`,
      )
      for (const { index, shard, reason } of taken.failures)
        terminal.note(printable(`[${index}][${shard}]: ${reason}`))
    }
    return taken.state === 'SUCCESS' ? EXIT.fine : EXIT.failure
  },

  async list(db, repository, _names, given, terminal) {
    const found = await db.snapshots.list(repository)
    if (given.flag('json')) terminal.out(JSON.stringify(found))
    else
      for (const line of drawTable(
        [
          { title: 'snapshot' },
          { title: 'state' },
          { title: 'taken' },
          { title: 'took', align: 'right' },
          { title: 'shards', align: 'right' },
          { title: 'indices', isFlexible: true },
        ],
        found.map(each => [
          printable(each.name),
          each.state,
          each.startedAt.toISOString().slice(0, 19),
          nanosText(tookInMillis(each) * 1e6),
          `${each.shards.successful}/${each.shards.total}`,
          printable(each.indices.join(', ')),
        ]),
        terminal.width,
        terminal.paint,
      ))
        terminal.out(line)
    return EXIT.fine
  },

  async status(db, repository, [name = ''], given, terminal) {
    const status = await db.snapshots.status(repository, name)
    if (given.flag('json')) terminal.out(JSON.stringify(status))
    else
      terminal.out(
        `${printable(name)}: ${status.state}, ${status.doneShards} of ${countedText(status.shards, 'shard')}, ` +
          `${countedText(status.allFiles, 'file')} with ${bytesText(status.allBytes)}, of which ` +
          `${bytesText(status.bytes)} were new`,
      )
    return EXIT.fine
  },

  async restore(db, repository, [name = ''], given, terminal) {
    const rename = renamingOf(given.text('rename'))
    const restored = await watched(given, terminal, 'copying', signal =>
      db.snapshots.restore(repository, name, {
        ...chosen(given),
        ...(rename === null ? {} : { rename }),
        partial: given.flag('partial'),
        signal,
      }),
    )
    if (given.flag('json')) terminal.out(JSON.stringify(restored))
    else
      terminal.out(
        `restored ${countedText(restored.shards.total, 'shard')}: ${printable(restored.indices.join(', '))}`,
      )
    return EXIT.fine
  },

  async delete(db, repository, names, given, terminal) {
    await db.snapshots.delete(repository, ...names)
    if (given.flag('json')) terminal.out(JSON.stringify({ deleted: names }))
    else terminal.out(`deleted ${printable(names.join(', '))}`)
    return EXIT.fine
  },

  async verify(db, repository, _names, given, terminal) {
    await db.snapshots.verify(repository)
    if (given.flag('json')) terminal.out(JSON.stringify({ verified: repository }))
    else terminal.out(terminal.paint.good('verified: no damage'))
    return EXIT.fine
  },
}

function chosen(given: Arguments): { readonly indices: readonly string[] } {
  const indices = given.list('index')
  return { indices: indices.length === 0 ? ALL : indices }
}

function renamingOf(text: string | null): { pattern: string; replacement: string } | null {
  if (text === null) return null
  const at = text.lastIndexOf('=')
  if (at <= 0) throw new UsageError(`--rename takes PATTERN=NEW, found [${text}]`)
  return { pattern: text.slice(0, at), replacement: text.slice(at + 1) }
}

/** Runs something with a bar; a signal of the system gives it up. */
async function watched<R>(
  given: Arguments,
  terminal: Terminal,
  label: string,
  start: (signal: AbortSignal) => SnapshotRun<R>,
): Promise<R> {
  const interruption = catchInterruption()
  const run = start(interruption.signal)
  // The total is known once it has begun: the bar counts thousandths.
  using progress = startProgress(given, terminal, label, 1000)
  try {
    for await (const each of run) progress.update(sharesOf(each), textOf(each))
    const result = await run
    progress.end('done')
    return result
  } catch (error) {
    if (interruption.signal.aborted) throw new CliError('interrupted: nothing was kept')
    throw error
  } finally {
    interruption.release()
  }
}

function sharesOf({ bytes, copiedBytes }: SnapshotProgress): number {
  return bytes === 0 ? 0 : Math.floor((1000 * Math.min(copiedBytes, bytes)) / bytes)
}

function textOf({ bytes, copiedBytes, files, copiedFiles }: SnapshotProgress): string {
  return `${copiedFiles} of ${countedText(files, 'file')}, ${bytesText(copiedBytes)} of ${bytesText(bytes)}`
}

function lineOf(taken: Snapshot): string {
  const { name, state, indices, shards } = taken
  return (
    `${printable(name)}: ${state}, ${indices.length} ${indices.length === 1 ? 'index' : 'indices'}, ` +
    `${shards.successful} of ${countedText(shards.total, 'shard')} in ${nanosText(tookInMillis(taken) * 1e6)}`
  )
}

function tookInMillis({ startedAt, endedAt }: Snapshot): number {
  return endedAt === null ? 0 : endedAt.getTime() - startedAt.getTime()
}

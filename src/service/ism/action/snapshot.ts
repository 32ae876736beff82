import { readText } from '../../../engine/dsl/json-scalars.ts'
import { clusterSettings } from '../../../schema/setting-registry.ts'
import { EngineError } from '../../../util/errors.ts'
import { matchesWildcard } from '../../../util/wildcard.ts'
import { settingList } from '../../setting-list.ts'
import {
  type ActionType,
  completed,
  defineAction,
  failed,
  notYet,
  type StepContext,
  type StepOutcome,
} from '../action-type.ts'
import { effectiveSettings } from '../ism-settings.ts'
import { given, readFields } from '../policy/read-fields.ts'
import { renderName } from '../render-template.ts'

interface Snapshot {
  readonly repository: string
  /** A template of its name; a time is put behind it. */
  readonly snapshot: string
}

/** `snapshot`: a copy of the index is made in a repository. */
export const snapshot: ActionType<unknown> = defineAction<Snapshot>({
  parse(node) {
    let repository: string | null = null
    let name: string | null = null
    readFields(node, 'SnapshotAction', {
      repository: value => {
        repository = readText(value)
      },
      snapshot: value => {
        name = readText(value)
      },
    })
    return {
      repository: given<string>(repository, 'SnapshotAction repository must be specified'),
      snapshot: given<string>(name, 'SnapshotAction snapshot must be specified'),
    }
  },
  print: ({ repository, snapshot: name }) => ({ repository, snapshot: name }),
  steps: [
    { name: 'attempt_snapshot', run: begin },
    { name: 'wait_for_snapshot', run: wait },
  ],
})

async function begin(context: StepContext<Snapshot>): Promise<StepOutcome> {
  const { engine, ports, index, config, progress } = context
  const { repository } = config
  const message = `Failed to create snapshot [index=${index.name}]`
  const denied = settingList(
    clusterSettings.value(
      effectiveSettings(engine),
      'plugins.index_state_management.snapshot.deny_list',
    ),
  )
  if (denied.some(pattern => matchesWildcard(pattern, repository)))
    return failed(
      `Snapshot repository [${repository}] is blocked in [${denied.join(', ')}] [index=${index.name}]`,
    )
  const begun = completed(`Successfully started snapshot [index=${index.name}]`)
  try {
    const kept = progress.action?.properties?.snapshotName
    // The node ended after the copy was begun, and before that was written down.
    if (kept !== undefined && (await ports.snapshotState(repository, kept)) !== null) return begun
    const snapshotName = nameOf(context)
    await context.keep({ snapshotName })
    await start(context, snapshotName)
    return { ...begun, properties: { snapshotName } }
  } catch (error) {
    if (isBusy(error)) return notYet(busy(index.name))
    return { ...failed(message, error), properties: null }
  }
}

function start({ ports, config, index, call }: StepContext<Snapshot>, name: string): Promise<void> {
  const context = call('cluster:admin/snapshot/create')
  return ports.startSnapshot(config.repository, name, index.name, context)
}

function nameOf({ engine, index, config, now }: StepContext<Snapshot>): string {
  const rendered = renderName(engine, { source: config.snapshot, params: null }, index).trim()
  // A name that was meant to be empty stays so; one that a template left empty is that of the index.
  const stem = rendered === '' && config.snapshot.trim() !== '' ? index.name : rendered
  const [date = '', time = ''] = new Date(now).toISOString().replace('Z', '').split('T')
  return `${stem}-${date.replaceAll('-', '.')}-${time}`
}

async function wait(context: StepContext<Snapshot>): Promise<StepOutcome> {
  const { ports, index, config, progress } = context
  const name = progress.action?.properties?.snapshotName
  if (name === undefined)
    return failed(
      `Unable to retrieve [snapshot_name] from ActionProperties=null [index=${index.name}]`,
    )
  const { repository } = config
  let state: string | null
  try {
    state = await ports.snapshotState(repository, name)
    // A node that ends amid a copy leaves nothing of it.
    if (state === null && !ports.hasBegunSnapshot(repository, name)) {
      await start(context, name)
      state = 'IN_PROGRESS'
    }
  } catch (error) {
    if (isBusy(error)) return notYet(busy(index.name))
    return failed(`Failed to get status of snapshot [index=${index.name}]`, error)
  }
  if (state === 'SUCCESS')
    return {
      status: 'completed',
      info: { message: `Successfully created snapshot [index=${index.name}]`, state },
    }
  if (state === 'IN_PROGRESS')
    return notYet(`Snapshot currently in progress [index=${index.name}]`, { state })
  const lost = failed(`Snapshot doesn't exist [index=${index.name}]`)
  return state === null ? lost : { ...lost, info: { ...lost.info, state } }
}

function busy(index: string): string {
  return `Concurrent snapshot in progress, retrying next execution [index=${index}]`
}

function isBusy(error: unknown): boolean {
  return error instanceof EngineError && error.type === 'concurrent_snapshot_execution_exception'
}

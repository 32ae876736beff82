import { spawn } from 'node:child_process'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, it } from 'vitest'
import { Random } from '../../src/util/random.ts'
import { type IsmNode, openIsm, policyOf } from '../support/ism-node.ts'
import { PATIENCE_IN_MILLIS } from '../support/patience.ts'
import { okOf } from '../support/rest-calls.ts'
import { tempFolder } from '../support/temp-folder.ts'
import { extent, SEED, tell } from './extent.ts'

const ISM = '/_plugins/_ism'
const PRELOAD = pathToFileURL(`${import.meta.dirname}/kill-points.mjs`).href
const CHILD = resolve(import.meta.dirname, 'ism-sweeps.mjs')
/** Enough for every step of the policy, and some more. */
const SWEEPS = 24
const DOCS = 5

/** Accesses to files in the midst of steps: of state, logs, segments, commits and snapshots. */
const POINTS = [
  'state.beforeRename',
  'state.afterRename',
  'log.afterWrite',
  'log.afterSync',
  'checkpoint.afterWrite',
  'segment.afterSync',
  'commit.beforeRename',
  'commit.afterRename',
  'root.beforeRename',
  'root.afterRename',
  'snap.beforeRename',
  'blob.afterRename',
  'folder.beforeSync',
]

let node: IsmNode
const ok = okOf(() => node)

/** Runs jobs in a process of its own. @returns whether it was killed at its point */
async function runElsewhere(folder: string, now: number, killAt: string): Promise<boolean> {
  const child = spawn(process.execPath, [CHILD, folder, String(now), String(SWEEPS)], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, LAMELLA_KILL_AT: killAt, NODE_OPTIONS: `--import ${PRELOAD}` },
  })
  return await new Promise((done, fail) => {
    child.on('error', fail)
    child.on('close', (code, signal) => {
      if (signal === null && code !== 0) fail(new Error(`it ended with ${code}`))
      else done(signal === 'SIGKILL')
    })
  })
}

it('leads an index to the end of its policy, wherever the process was killed', async () => {
  const folder = `${tempFolder('kill-ism')}/data`
  const random = new Random(SEED)
  const cycles = extent(2, 60)
  const met = new Set<string>()
  let kills = 0
  let moment = Date.now()
  /** Opens the folder on a clock that never goes back. */
  const open = async (): Promise<void> => {
    node = await openIsm({}, folder)
    moment += 3_600_000 * SWEEPS
    node.wait(moment - node.now())
  }
  await open()
  await ok('PUT /_snapshot/backup', { type: 'fs', settings: { location: 'backup' } })
  await ok(
    `PUT ${ISM}/policies/all`,
    policyOf([
      { rollover: {} },
      { read_only: {} },
      { force_merge: { max_num_segments: 1 } },
      { shrink: { num_new_shards: 1, force_unsafe: true } },
      { snapshot: { repository: 'backup', snapshot: 'copy-{{ctx.index}}' } },
      { close: {} },
    ]),
  )
  for (let cycle = 0; cycle < cycles; cycle++) {
    const alias = `logs-${cycle}`
    const index = `${alias}-000001`
    await ok(`PUT /${index}`, {
      settings: {
        number_of_shards: 2,
        'plugins.index_state_management.rollover_alias': alias,
      },
      aliases: { [alias]: { is_write_index: true } },
    })
    for (let id = 0; id < DOCS; id++) await ok(`PUT /${index}/_doc/${id}?refresh=true`, { id })
    await ok(`POST ${ISM}/add/${index}`, { policy_id: 'all' })
    await node.close()
    moment = node.now()
    // Several in a row, so that what a kill has left is cut once more.
    for (let kill = 0; kill < 3; kill++) {
      const point = POINTS[(cycle * 5 + kill * 7) % POINTS.length]!
      moment += 3_600_000 * SWEEPS
      if (!(await runElsewhere(folder, moment, `${point}:${1 + random.below(6)}`))) continue
      met.add(point)
      kills++
    }
    await open()
    // Sweeps are fast, and the copy takes its time.
    await expect
      .poll(
        async () => {
          await node.run()
          return (await ok(`GET ${ISM}/explain/${index}`))[index]
        },
        { timeout: PATIENCE_IN_MILLIS },
      )
      .toMatchObject({ policy_completed: true })
    // Each step had its effect, and had it once.
    const names = Object.keys(await ok(`GET /${alias}-*?expand_wildcards=all`)).sort()
    expect(names).toEqual([index, `${index}_shrunken`, `${alias}-000002`])
    expect((await ok(`GET /${index}_shrunken/_count`)).count).toBe(DOCS)
    const { snapshots } = await ok('GET /_snapshot/backup/_all')
    const own = snapshots.filter((one: { indices: string[] }) => one.indices.includes(index))
    expect(own.map((one: { state: string }) => one.state)).toEqual(['SUCCESS'])
    const state = await ok(`GET /_cluster/state/metadata/${index}?expand_wildcards=all`)
    expect(state.metadata.indices[index].state).toBe('close')
  }
  await node.close()
  tell(`${kills} kills at ${met.size} named points amid steps of ${cycles} indices`)
  expect(kills).toBeGreaterThan(0)
}, 7_200_000)

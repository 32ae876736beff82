/** How long long actions run on once they are cancelled, from the call to their answer. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Database, open } from '../../dist/index.js'
import { readDocuments } from '../lib/documents.ts'
import { atMost, type Bench, type BenchResult, resultOf } from '../lib/result.ts'

const PASSAGES = 200_000
const BATCH = 10_000
/** Rounds before those that count: each thread loads what it needs on first use, to the end. */
const WARM_UP = 4
/** Milliseconds within which a cancelled action shall be over. */
const MOST_MS = 50

interface Action {
  readonly name: string
  /** Of its task. */
  readonly action: string
  readonly path: string
  readonly body?: object
  /** Undoes what earlier rounds left. */
  readonly prepare?: () => readonly (readonly [method: string, path: string, body?: object])[]
}

const SLOW = 'double x = 1; for (int i = 0; i < 800; i++) { x += Math.sqrt(x + i) } return x'
const MAKE_TARGET = [
  ['DELETE', '/target?ignore_unavailable=true'],
  ['PUT', '/target', { mappings: { dynamic: false } }],
] as const

/** Under `path.repo`; without limits. */
const BACKUPS = { type: 'fs', settings: { location: 'backups' } }

const ACTIONS: readonly Action[] = [
  {
    name: 'a search by a script',
    action: 'indices:data/read/search',
    path: '/source/_search',
    body: { query: { script_score: { query: { match_all: {} }, script: { source: SLOW } } } },
  },
  {
    name: 'a forced merge',
    action: 'indices:admin/forcemerge',
    path: '/source/_forcemerge?max_num_segments=1',
  },
  {
    name: 'a reindex in two slices',
    action: 'indices:data/write/reindex',
    path: '/_reindex?slices=2',
    body: { source: { index: 'source' }, dest: { index: 'target' } },
    prepare: () => MAKE_TARGET,
  },
  {
    name: 'an update by query',
    action: 'indices:data/write/update/byquery',
    path: '/source/_update_by_query?conflicts=proceed',
  },
  {
    name: 'a snapshot',
    action: 'cluster:admin/snapshot/create',
    path: '/_snapshot/backups/cut?wait_for_completion=true',
    prepare: () => [
      ['PUT', '/_snapshot/backups', BACKUPS],
      ['DELETE', '/_snapshot/backups/cut'],
      ['POST', '/_snapshot/backups/_cleanup'],
    ],
  },
  {
    name: 'a restore',
    action: 'cluster:admin/snapshot/restore',
    path: '/_snapshot/backups/whole/_restore?wait_for_completion=true',
    body: { rename_pattern: 'source', rename_replacement: 'restored' },
    prepare: () => [
      ['DELETE', '/restored?ignore_unavailable=true'],
      ['PUT', '/_snapshot/backups', BACKUPS],
      ['PUT', '/_snapshot/backups/whole?wait_for_completion=true', { indices: 'source' }],
    ],
  },
]

/** Each action, cancelled at some moment. */
export const cancelling: Bench = {
  name: 'cancelling',
  async run({ rounds, corpus, say }) {
    const folder = mkdtempSync(join(tmpdir(), 'lamella-cancelling-'))
    try {
      await using db = await open(folder)
      say(`cancelling: indexing ${PASSAGES} documents of ${corpus}`)
      await load(db, corpus)
      const results: BenchResult[] = []
      for (const each of ACTIONS) {
        const took: number[] = []
        for (let round = -WARM_UP; round < rounds; round++) {
          const millis = await cancelledInTime(db, each, 60 + 37 * Math.max(0, round))
          if (round >= 0) took.push(millis)
        }
        const own = resultOf(`cancelling/${each.name}`, 'ms', took)
        results.push({ ...own, mark: atMost(own.median, MOST_MS, 'ms, the median') })
        results.push(resultOf(`cancelling/${each.name}, the longest`, 'ms', [Math.max(...took)]))
      }
      return results
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  },
}

async function load(db: Database, corpus: string): Promise<void> {
  const { bounds, bytes } = readDocuments(corpus, PASSAGES)
  const settings = { refresh_interval: '-1', 'merge.policy.segments_per_tier': 30 }
  await send(db, 'PUT', '/source', { settings })
  const decoder = new TextDecoder()
  for (let at = 0; at + 1 < bounds.length; at += BATCH) {
    const lines: string[] = []
    for (let i = at; i < Math.min(at + BATCH, bounds.length - 1); i++)
      lines.push('{"index":{}}', decoder.decode(bytes.subarray(bounds[i], bounds[i + 1])).trimEnd())
    await send(db, 'POST', '/source/_bulk?refresh=true', `${lines.join('\n')}\n`)
  }
}

/** Cancels an action, sooner where it is over before. */
async function cancelledInTime(db: Database, each: Action, after: number): Promise<number> {
  for (let pause = after; pause > 1; pause /= 2) {
    for (const [method, path, body] of each.prepare?.() ?? []) await send(db, method, path, body)
    const millis = await cancelled(db, each, pause)
    if (millis !== null) return millis
  }
  throw new Error(`[${each.name}] is over before it can be cancelled`)
}

/**
 * Starts an action and cancels it.
 * @param after milliseconds of its running
 * @returns milliseconds from the cancelling to its answer; null: it was over before
 */
async function cancelled(db: Database, each: Action, after: number): Promise<number | null> {
  const answered = send(db, 'POST', each.path, each.body).then(answer => ({
    at: performance.now(),
    isCancelled: /cancel|abort/i.test(JSON.stringify(answer)),
  }))
  let id = ''
  let isOver = false
  void answered.then(() => {
    isOver = true
  })
  while (id === '' && !isOver) {
    const path = `/_tasks?group_by=none&actions=${each.action}`
    const { tasks } = (await send(db, 'GET', path)) as {
      tasks: { node: string; id: number; parent_task_id?: string }[]
    }
    const task = tasks.find(({ parent_task_id }) => parent_task_id === undefined)
    if (task !== undefined) id = `${task.node}:${task.id}`
  }
  if (id === '') return null
  await sleep(after)
  const started = performance.now()
  await send(db, 'POST', `/_tasks/${id}/_cancel`)
  const { at, isCancelled } = await answered
  return isCancelled ? at - started : null
}

async function send(
  db: Database,
  method: string,
  path: string,
  body?: object | string,
): Promise<unknown> {
  const answer = await db.request({ method, path, ...(body === undefined ? {} : { body }) })
  return answer.json()
}

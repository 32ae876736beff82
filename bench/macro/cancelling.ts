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
  readonly prepare?: readonly (readonly [method: string, path: string, body?: object])[]
}

const SLOW = 'double x = 1; for (int i = 0; i < 200; i++) { x += Math.sqrt(x + i) } return x'
const MAKE_TARGET = [
  ['DELETE', '/target?ignore_unavailable=true'],
  ['PUT', '/target', { mappings: { dynamic: false } }],
] as const

/** @param field of text */
function actionsOn(field: string): readonly Action[] {
  return [
    {
      name: 'a search by a script',
      action: 'indices:data/read/search',
      path: '/source/_search',
      body: { query: { script_score: { query: { match_all: {} }, script: { source: SLOW } } } },
    },
    {
      name: 'a search by patterns',
      action: 'indices:data/read/search',
      path: '/source/_search',
      body: {
        query: { regexp: { [field]: '.*[aeiou].*[aeiou].*' } },
        aggs: { words: { terms: { field, size: 10_000 } } },
      },
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
      prepare: MAKE_TARGET,
    },
    {
      name: 'an update by query',
      action: 'indices:data/write/update/byquery',
      path: '/source/_update_by_query?conflicts=proceed',
    },
    {
      name: 'a snapshot',
      action: 'cluster:admin/snapshot/create',
      path: '/_snapshot/here/one?wait_for_completion=true',
      prepare: [
        ['DELETE', '/_snapshot/here/one'],
        ['DELETE', '/_snapshot/here'],
        ['PUT', '/_snapshot/here', { type: 'fs', settings: { location: 'here' } }],
      ],
    },
  ]
}

/** Each action, cancelled at some moment. */
export const cancelling: Bench = {
  name: 'cancelling',
  async run({ rounds, corpus, say }) {
    const folder = mkdtempSync(join(tmpdir(), 'lamella-cancelling-'))
    try {
      const settings = { 'path.repo': join(folder, 'repositories') }
      await using db = await open(join(folder, 'data'), { settings })
      say(`cancelling: indexing ${PASSAGES} documents of ${corpus}`)
      const field = await load(db, corpus)
      const results: BenchResult[] = []
      for (const each of actionsOn(field)) {
        const took: number[] = []
        for (let round = -WARM_UP; round < rounds; round++) {
          for (const [method, path, body] of each.prepare ?? []) await send(db, method, path, body)
          const millis = await cancelled(db, each, 60 + 37 * Math.max(0, round))
          if (round >= 0) took.push(millis)
        }
        results.push(
          resultOf(`cancelling/${each.name}, the longest of ${rounds}`, 'ms', [Math.max(...took)], {
            mark: atMost(Math.max(...took), MOST_MS, 'ms'),
          }),
        )
      }
      return results
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  },
}

async function load(db: Database, corpus: string): Promise<string> {
  const { bounds, bytes, textField } = readDocuments(corpus, PASSAGES)
  const settings = { refresh_interval: '-1', 'merge.policy.segments_per_tier': 30 }
  const properties = { [textField]: { type: 'text', fielddata: true } }
  await send(db, 'PUT', '/source', { settings, mappings: { properties } })
  const decoder = new TextDecoder()
  for (let at = 0; at + 1 < bounds.length; at += BATCH) {
    const lines: string[] = []
    for (let i = at; i < Math.min(at + BATCH, bounds.length - 1); i++)
      lines.push('{"index":{}}', decoder.decode(bytes.subarray(bounds[i], bounds[i + 1])).trimEnd())
    await send(db, 'POST', '/source/_bulk?refresh=true', `${lines.join('\n')}\n`)
  }
  return textField
}

/**
 * Starts an action and cancels it.
 * @param after milliseconds of its running
 * @returns milliseconds from the cancelling to its answer
 */
async function cancelled(db: Database, each: Action, after: number): Promise<number> {
  const answered = send(db, 'POST', each.path, each.body).then(() => performance.now())
  let id = ''
  while (id === '') {
    const path = `/_tasks?group_by=none&actions=${each.action}`
    const { tasks } = (await send(db, 'GET', path)) as {
      tasks: { node: string; id: number; parent_task_id?: string }[]
    }
    const task = tasks.find(({ parent_task_id }) => parent_task_id === undefined)
    if (task !== undefined) id = `${task.node}:${task.id}`
  }
  await sleep(after)
  const started = performance.now()
  await send(db, 'POST', `/_tasks/${id}/_cancel`)
  return (await answered) - started
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

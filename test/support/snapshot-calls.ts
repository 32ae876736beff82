import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'vitest'
import { type Answered, openRest, type Rest } from './rest-calls.ts'

/** A node with a folder of its own, and calls that must succeed. */
export interface SnapshotRest extends Rest {
  readonly folder: string
  /** The folder of a repository. */
  repository(name: string): string
  /** Paths of the files of a repository within its folder, sorted. */
  filesOf(name: string): readonly string[]
  /** A call that is answered with success. */
  ok(line: string, body?: object | string): Promise<Answered['json']>
  /** A call that is refused: status, type and reason. */
  refused(
    line: string,
    body?: object | string,
  ): Promise<readonly [status: number, type: string, reason: string]>
  /** Puts documents `from` to `to` into an index. */
  fill(index: string, from: number, to: number): Promise<void>
  /** Numbers of all documents of an index, ascending. */
  numbers(index: string): Promise<readonly number[]>
  end(): Promise<void>
}

/** Opens a node on a new folder. */
export async function openSnapshotRest(
  settings: Record<string, string> = {},
): Promise<SnapshotRest> {
  const folder = mkdtempSync(join(tmpdir(), 'lamella-snapshots-'))
  const rest = await openRest({ 'lamella.threads.write': '1', ...settings }, join(folder, 'data'))
  const ok: SnapshotRest['ok'] = async (line, body) => {
    const answer = await rest.call(line, body)
    expect([Math.floor(answer.status / 100), answer.text]).toEqual([2, answer.text])
    return answer.json
  }
  return {
    ...rest,
    folder,
    repository: name => join(folder, 'data', 'repositories', name),
    filesOf: name =>
      readdirSync(join(folder, 'data', 'repositories', name), { recursive: true })
        .map(String)
        .filter(path => path !== 'blobs')
        .sort(),
    ok,
    async refused(line, body) {
      const { status, json } = await rest.call(line, body)
      return [status, json.error?.type, json.error?.reason]
    },
    async fill(index, from, to) {
      const lines = Array.from({ length: to - from }, (_, i) => [
        JSON.stringify({ index: { _id: `d${from + i}` } }),
        JSON.stringify({ n: from + i }),
      ])
      await ok(`POST /${index}/_bulk?refresh`, `${lines.flat().join('\n')}\n`)
    },
    async numbers(index) {
      const { hits } = await ok(`POST /${index}/_search`, { size: 10_000, sort: ['n'] })
      return hits.hits.map((hit: { _source: { n: number } }) => hit._source.n)
    },
    async end() {
      await rest.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Whole numbers from 0 on. */
export function upTo(end: number): readonly number[] {
  return Array.from({ length: end }, (_, i) => i)
}

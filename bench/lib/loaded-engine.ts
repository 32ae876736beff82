import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { EngineApi } from '../../dist/engine/api/engine-api.js'
import { openEngineOver } from '../../dist/engine/engine.js'
import { FsDataFolder } from '../../dist/store/data-folder.js'
import type { Directory } from '../../dist/store/directory.js'
import { trusted } from '../../dist/task/call-context.js'
import { encodeUtf8 } from '../../dist/util/bytes.js'
import { parseJsonTree } from '../../dist/util/json/json-tree.js'
import type { Documents } from './documents.ts'

/** Documents of one bulk request. */
const BULK = 2000
const SETTINGS = new Map([
  ['lamella.threads.write', '1'],
  ['lamella.threads.search', '1'],
])
const INDEX = new Map([
  ['index.refresh_interval', '-1'],
  ['index.translog.flush_threshold_size', '4gb'],
])

/** Documents as bodies of bulk requests; the last few that fill none are left out. */
export function bulkBodies({ bytes, bounds }: Documents): Uint8Array[] {
  const bodies: Uint8Array[] = []
  for (let start = 0; start + BULK < bounds.length; start += BULK) {
    const parts: Uint8Array[] = []
    for (let i = start; i < start + BULK; i++)
      parts.push(
        encodeUtf8(`{"index":{"_index":"bench","_id":"${i}"}}\n`),
        bytes.subarray(bounds[i]!, bounds[i + 1]!),
      )
    bodies.push(Buffer.concat(parts))
  }
  return bodies
}

/** A folder that counts the syncs of logs; or one whose stores keep their log in memory. */
export class BenchFolder extends FsDataFolder {
  override readonly isLasting: boolean
  syncs = 0

  constructor(root: string, isLasting: boolean) {
    super(root)
    this.isLasting = isLasting
  }

  override directory(...path: string[]): Directory {
    const directory = super.directory(...path)
    const { openWritable } = directory
    directory.openWritable = name => {
      const file = openWritable.call(directory, name)
      const { sync } = file
      file.sync = () => {
        this.syncs++
        return sync.call(file)
      }
      return file
    }
    return directory
  }
}

/**
 * Runs a step with an engine over a folder of its own, which holds an index `bench`.
 * @param isLasting its log lies in files
 * @param mappings of the index as JSON; null for fields as they come
 */
export async function withEngine<T>(
  isLasting: boolean,
  mappings: string | null,
  step: (engine: EngineApi, folder: BenchFolder) => Promise<T>,
): Promise<T> {
  const root = mkdtempSync(join(tmpdir(), 'lamella-durability-'))
  const folder = new BenchFolder(root, isLasting)
  const engine = await openEngineOver({ folder: null, settings: SETTINGS }, folder)
  try {
    await engine.indices.create(
      {
        name: 'bench',
        settings: INDEX,
        mappings: mappings === null ? null : parseJsonTree(encodeUtf8(mappings)),
        aliases: null,
        waitForActiveShards: 1,
      },
      trusted('indices:admin/create'),
    )
    return await step(engine, folder)
  } finally {
    await engine.close()
    rmSync(root, { recursive: true })
  }
}

/** Writes all documents; how many milliseconds until the last was acknowledged. */
export async function load(engine: EngineApi, bodies: readonly Uint8Array[]): Promise<number> {
  const started = performance.now()
  for (const body of bodies) {
    const { items } = await engine.documents.bulk(
      {
        body,
        index: null,
        routing: null,
        refresh: 'false',
        requireAlias: false,
        source: null,
        waitForActiveShards: 1,
        timeoutInMillis: 30_000,
      },
      trusted('indices:data/write/bulk'),
    )
    if (items.some(item => 'error' in item)) throw new Error('a document was refused')
  }
  return performance.now() - started
}

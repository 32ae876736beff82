import type { BulkOutcome } from '../../src/engine/api/documents.ts'
import type { EngineApi, EngineOptions } from '../../src/engine/api/engine-api.ts'
import type { SearchOptions } from '../../src/engine/api/searches.ts'
import type { Target } from '../../src/engine/api/target.ts'
import { openEngine } from '../../src/engine/engine.ts'
import { trusted } from '../../src/task/call-context.ts'
import { encodeUtf8 } from '../../src/util/bytes.ts'
import { parseJsonTree } from '../../src/util/json/json-tree.ts'
import { writeJson } from '../../src/util/json/json-writer.ts'

/** Opens an engine with node settings given as a plain object, over a disk of any usage. */
export function engineWith(
  folder: string | null,
  settings: Record<string, string> = {},
  disk: Pick<EngineOptions, 'diskUsage' | 'onLog'> = {},
): Promise<EngineApi> {
  return openEngine({ folder, settings: new Map(Object.entries(settings)), ...disk })
}

/** The indices of these names, wildcards over open ones. */
export function targetOf(...names: string[]): Target {
  return {
    names,
    ignoreUnavailable: false,
    allowNoIndices: true,
    expandOpen: true,
    expandClosed: false,
    expandHidden: false,
    allowAliases: true,
    allowDataStreams: true,
  }
}

/** Creates an index from plain JSON. */
export async function createIndex(
  engine: EngineApi,
  name: string,
  settings: Record<string, string> = {},
  mappings: unknown = null,
): Promise<void> {
  await engine.indices.create(
    {
      name,
      settings: new Map(Object.entries(settings)),
      mappings: mappings === null ? null : parseJsonTree(encodeUtf8(JSON.stringify(mappings))),
      aliases: null,
      waitForActiveShards: 1,
    },
    trusted('indices:admin/create'),
  )
}

/** Sends action lines and documents as one bulk. */
export function bulk(
  engine: EngineApi,
  index: string,
  lines: readonly unknown[],
  refresh: 'false' | 'true' = 'false',
): Promise<BulkOutcome> {
  return engine.documents.bulk(
    {
      body: encodeUtf8(lines.map(line => `${JSON.stringify(line)}\n`).join('')),
      index,
      routing: null,
      refresh,
      requireAlias: false,
      source: null,
      waitForActiveShards: 1,
      timeoutInMillis: 30_000,
    },
    trusted('indices:data/write/bulk'),
  )
}

// biome-ignore lint/suspicious/noExplicitAny: an answer as JSON, looked into by tests
type Json = any

/** Runs a search and reads its answer as a client would. */
export async function search(
  engine: EngineApi,
  index: string,
  body: unknown,
  options: SearchOptions = {},
): Promise<Json> {
  const outcome = await engine.searches.search(
    {
      target: targetOf(index),
      body: parseJsonTree(encodeUtf8(JSON.stringify(body))),
      options,
      human: false,
    },
    trusted('indices:data/read/search'),
  )
  return JSON.parse(Buffer.from(writeJson(outcome.body)).toString())
}

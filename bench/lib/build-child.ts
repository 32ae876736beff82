/** Builds an index of the first documents of an NDJSON file: `BuildTask` in, `BuildRecord` out. */

import { closeSync, openSync, readSync } from 'node:fs'
import { SECTION_KINDS } from '../../dist/codec/directory/format.js'
import { runBulk } from '../../dist/engine/document/bulk.js'
import { createIndex } from '../../dist/engine/index/index-life.js'
import { trusted } from '../../dist/task/call-context.js'
import { encodeUtf8 } from '../../dist/util/bytes.js'
import { parseJsonTree } from '../../dist/util/json/json-tree.js'
import { answerWith } from './child.ts'
import { BENCH_INDEX, benchShard, openBenchNode } from './index-node.ts'

/** What to build. */
export interface BuildTask {
  /** An NDJSON file; of it, this many documents. */
  readonly documents: string
  readonly count: number
  /** The data folder to make. */
  readonly folder: string
  /** Types of the fields; others are not indexed. */
  readonly properties: Readonly<Record<string, { readonly type: string }>>
  readonly settings: Readonly<Record<string, string>>
  readonly textField: string
}

/** What building took and made. */
export interface BuildRecord {
  readonly docCount: number
  /** Bytes of the documents as JSON. */
  readonly jsonBytes: number
  /** Until everything was searchable and committed and no merge was due. */
  readonly buildInMillis: number
  /** Processor time of the same, all threads. */
  readonly buildCpuInMillis: number
  /** How many segments the merges left, and how long it took to make one of them. */
  readonly segmentsBuilt: number
  readonly forceMergeInMillis: number
  readonly segments: number
  /** The most that was resident until then. */
  readonly peakBytes: number
  /** Bytes of the sections by kind, of the text field's where they belong to a field. */
  readonly textSections: Readonly<Record<string, number>>
  /** Bytes of all sections, and of the files with stored documents. */
  readonly sectionBytes: number
  readonly fileBytes: number
  readonly postings: number
  readonly tokens: number
  readonly terms: number
}

/** Documents of one bulk request. */
const BATCH = 5000
const NEWLINE = 10
const ACTION = encodeUtf8(`{"index":{"_index":"${BENCH_INDEX}"}}\n`)
/** Documents between two lines of progress. */
const PROGRESS_STEP = 250_000

await answerWith(build)

async function build(task: BuildTask, say: (line: string) => void): Promise<BuildRecord> {
  const node = openBenchNode(task.folder)
  await createIndex(
    node,
    {
      name: BENCH_INDEX,
      settings: new Map([['index.refresh_interval', '-1'], ...Object.entries(task.settings)]),
      mappings: parseJsonTree(
        encodeUtf8(JSON.stringify({ dynamic: false, properties: task.properties })),
      ),
      aliases: null,
      waitForActiveShards: 1,
    },
    trusted('indices:admin/create'),
  )
  const shard = benchShard(node)
  const start = performance.now()
  const cpuBefore = process.cpuUsage()
  let docCount = 0
  let jsonBytes = 0
  for (const lines of batchesOf(task.documents, task.count)) {
    const { items } = await runBulk(
      node,
      {
        body: Buffer.concat(lines.flatMap(line => [ACTION, line])),
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
    const failed = items.find(item => 'error' in item)
    if (failed !== undefined) throw new Error(`a document was refused: ${JSON.stringify(failed)}`)
    docCount += lines.length
    for (const line of lines) jsonBytes += line.length
    if (docCount % PROGRESS_STEP === 0)
      say(`${docCount} documents in ${((performance.now() - start) / 1000).toFixed(0)} s`)
  }
  await shard.refresh()
  await shard.idle()
  await shard.flush()
  const buildInMillis = performance.now() - start
  const { user, system } = process.cpuUsage(cpuBefore)
  const segmentsBuilt = shard.snapshot.leaves.length
  const mergeStart = performance.now()
  await shard.forceMerge(1, false)
  await shard.refresh()
  const forceMergeInMillis = performance.now() - mergeStart
  const figures = figuresOf(shard.snapshot, task.textField)
  await node.close()
  return {
    docCount,
    jsonBytes,
    buildInMillis,
    buildCpuInMillis: (user + system) / 1000,
    segmentsBuilt,
    forceMergeInMillis,
    peakBytes: process.resourceUsage().maxRSS * 1024,
    ...figures,
  }
}

type Figures = Pick<
  BuildRecord,
  'segments' | 'textSections' | 'sectionBytes' | 'fileBytes' | 'postings' | 'tokens' | 'terms'
>

function figuresOf(
  { leaves }: ReturnType<typeof benchShard>['snapshot'],
  textField: string,
): Figures {
  const textSections: Record<string, number> = {}
  let [sectionBytes, fileBytes, postings, tokens, terms] = [0, 0, 0, 0, 0]
  for (const { segment } of leaves) {
    sectionBytes += segment.sectionBytes
    fileBytes += segment.fileBytes
    const field = segment.fields.get(textField)
    if (field === undefined) continue
    postings += field.sumDocFreq
    tokens += field.sumTotalTermFreq
    terms += field.termCount
    for (const kind of SECTION_KINDS) {
      const section = segment.section(kind, field.number)
      if (section !== null) textSections[kind] = (textSections[kind] ?? 0) + section.length
    }
    textSections['ids'] = (textSections['ids'] ?? 0) + (segment.section('ids', -1)?.length ?? 0)
  }
  return {
    segments: leaves.length,
    textSections,
    sectionBytes,
    fileBytes,
    postings,
    tokens,
    terms,
  }
}

/** The first lines of a file, their newlines with them, some thousands at a time. */
function* batchesOf(path: string, count: number): Iterable<Uint8Array[]> {
  const file = openSync(path, 'r')
  try {
    let left = count
    let rest: Uint8Array = new Uint8Array(0)
    let lines: Uint8Array[] = []
    const chunk = new Uint8Array(1 << 22)
    for (;;) {
      const length = readSync(file, chunk)
      if (length === 0) break
      const bytes = Buffer.concat([rest, chunk.subarray(0, length)])
      let at = 0
      for (let end = bytes.indexOf(NEWLINE); end >= 0; end = bytes.indexOf(NEWLINE, at)) {
        lines.push(bytes.subarray(at, end + 1))
        at = end + 1
        left--
        if (lines.length < BATCH && left > 0) continue
        yield lines
        lines = []
        if (left === 0) return
      }
      rest = bytes.subarray(at)
    }
    if (lines.length > 0) yield lines
  } finally {
    closeSync(file)
  }
}

/** Tries a pipeline out: reads the request, has it run, and hands on what became of each document. */

import type { SimulatedDocument, SimulatedResult } from '../../pipeline/pipeline-messages.ts'
import { ProcessorConfig } from '../../pipeline/processor-config.ts'
import { sourceBytes } from '../../pipeline/write-source.ts'
import { valueOfNode } from '../../script/value/read-value.ts'
import { classNameOf, type ScriptMap, type ScriptValue } from '../../script/value/script-value.ts'
import { EngineError, IllegalArgumentError } from '../../util/errors.ts'
import { jsonEntry } from '../../util/json/json-tree.ts'
import { jsonValueOf, writeJson } from '../../util/json/json-writer.ts'
import type { SimulatePipeline } from '../api/pipelines.ts'
import { parseVersionType } from '../dsl/version-type.ts'
import type { Node } from '../node/node.ts'
import { checkedScripts } from './checked-scripts.ts'
import { readPipeline } from './pipelines.ts'

/** The id of a pipeline that stands in the request. */
const INLINE_ID = '_simulate_pipeline'

/**
 * Runs a simulation.
 * @throws {EngineError} `parse_exception`: a request that cannot be; `illegal_argument_exception`: no such
 *   pipeline
 */
export async function simulatePipeline(
  node: Node,
  { id, body, isVerbose }: SimulatePipeline,
): Promise<readonly SimulatedResult[]> {
  node.ensureOpen()
  if (body.kind !== 'object')
    throw new EngineError({ type: 'parse_exception', reason: 'request body must be an object' })
  const config = new ProcessorConfig(null, valueOfNode(body) as ScriptMap)
  let definition: Uint8Array | null = null
  if (id === null) {
    config.map('pipeline')
    const given = jsonEntry(body, 'pipeline')!.value
    if (given.kind === 'object')
      await node.scripts.whenLoaded(() => readPipeline(INLINE_ID, given, checkedScripts(node)))
    definition = writeJson(jsonValueOf(given))
  } else if (!node.metadata.node.pipelines.has(id))
    throw new IllegalArgumentError(`pipeline [${id}] does not exist`)
  const docs = config.list('docs')
  if (docs.length === 0)
    throw new IllegalArgumentError('must specify at least one document in [docs]')
  return await node.ingest.simulate({
    id: id ?? INLINE_ID,
    definition,
    documents: docs.map(doc => readDocument(config, doc)),
    isVerbose,
    timestamp: new Date().toISOString(),
  })
}

function readDocument(config: ProcessorConfig, doc: ScriptValue): SimulatedDocument {
  if (!(doc instanceof Map))
    throw config.fault(
      'docs',
      `property isn't a map, but of type [${doc === null ? 'null' : classNameOf(doc)}]`,
    )
  const fields = new ProcessorConfig(null, doc)
  const source = fields.map('_source')
  const versionType = fields.optionalText('_version_type')
  return {
    source: sourceBytes(source),
    metadata: {
      index: fields.optionalTextOrInt('_index') ?? '_index',
      id: fields.optionalTextOrInt('_id') ?? '_id',
      routing: fields.optionalTextOrInt('_routing'),
      version: longOf(fields, '_version'),
      versionType: versionType === null ? null : parseVersionType(versionType),
      ifSeqNo: longOf(fields, '_if_seq_no'),
      ifPrimaryTerm: longOf(fields, '_if_primary_term'),
    },
  }
}

function longOf(fields: ProcessorConfig, key: string): bigint | null {
  const value = fields.value(key)
  if (value === null) return null
  if (typeof value === 'bigint') return value
  if (typeof value === 'number' && Number.isInteger(value)) return BigInt(value)
  throw new IllegalArgumentError(`Failed to parse parameter [${key}], only int or long is accepted`)
}

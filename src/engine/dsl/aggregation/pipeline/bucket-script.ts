import type { NamedPaths } from '../../../../aggregation/pipeline/bucket-script.ts'
import { type GapPolicy, readPath } from '../../../../aggregation/pipeline/buckets-path.ts'
import type { ValueFormat } from '../../../../aggregation/value-source.ts'
import { compileDecimalFormat } from '../../../../schema/decimal-format.ts'
import type { ScriptRequest } from '../../../../script/script-request.ts'
import { IllegalArgumentError } from '../../../../util/errors.ts'
import type { JsonNode } from '../../../../util/json/json-tree.ts'
import { readText } from '../../json-scalars.ts'
import { parseScript } from '../../parse-script.ts'
import type { AggregationBody } from '../aggregation-body.ts'
import { type FieldReaders, readFields } from '../object-fields.ts'
import type { PipelineParser } from '../pipeline-parser.ts'
import { readGapPolicy } from './pipeline-keys.ts'

interface ScriptedKeys {
  readonly variables: NamedPaths
  readonly script: ScriptRequest
  readonly gapPolicy: GapPolicy
}

/** bucket_script. */
export const bucketScript: PipelineParser = body => {
  let format: ValueFormat = { kind: 'raw' }
  const keys = readScripted(body, 'bucket_script', {
    format: value => {
      const pattern = readText(value)
      compileDecimalFormat(pattern)
      format = { kind: 'decimal', pattern }
    },
  })
  return { kind: 'bucketScript', name: body.name, format, ...keys }
}

/** bucket_selector. */
export const bucketSelector: PipelineParser = body => ({
  kind: 'bucketSelector',
  name: body.name,
  ...readScripted(body, 'bucket_selector', {}),
})

function readScripted({ node }: AggregationBody, type: string, own: FieldReaders): ScriptedKeys {
  let variables: NamedPaths | null = null
  let script: ScriptRequest | null = null
  let gapPolicy: GapPolicy = 'skip'
  readFields(node, type, {
    buckets_path: value => {
      variables = readPaths(value)
    },
    script: value => {
      script = parseScript(value)
    },
    gap_policy: value => {
      gapPolicy = readGapPolicy(value)
    },
    ...own,
  })
  if (variables !== null && script !== null) return { variables, script, gapPolicy }
  const missing = [variables === null ? 'buckets_path' : '', script === null ? 'script' : '']
  throw new IllegalArgumentError(`Required [${missing.filter(Boolean).join(', ')}]`)
}

/** Paths by name; one without a name is `_value`, those of a list `_value0` and so on. */
function readPaths(node: JsonNode): NamedPaths {
  switch (node.kind) {
    case 'object':
      return node.entries.map(({ key, value }) => ({ name: key, path: readPath(readText(value)) }))
    case 'array':
      return node.items.map((item, i) => ({ name: `_value${i}`, path: readPath(readText(item)) }))
    case 'string':
    case 'number':
    case 'boolean':
    case 'null':
      return [{ name: '_value', path: readPath(readText(node)) }]
  }
}

/** The keys that pipelines have in common. */
import type { BucketsPath, GapPolicy } from '../../../../aggregation/pipeline/buckets-path.ts'
import { readPath } from '../../../../aggregation/pipeline/buckets-path.ts'
import type { ValueFormat } from '../../../../aggregation/value-source.ts'
import { compileDecimalFormat } from '../../../../schema/decimal-format.ts'
import { IllegalArgumentError } from '../../../../util/errors.ts'
import type { JsonNode } from '../../../../util/json/json-tree.ts'
import { readText, readTexts } from '../../json-scalars.ts'
import type { AggregationBody } from '../aggregation-body.ts'
import { type FieldReaders, readFields } from '../object-fields.ts'

/** The common keys of a pipeline. */
export interface PipelineKeys {
  readonly path: BucketsPath
  readonly gapPolicy: GapPolicy
  readonly format: ValueFormat
}

const GAP_POLICIES: readonly GapPolicy[] = ['insert_zeros', 'skip']

/** Reads `gap_policy`. */
export function readGapPolicy(node: JsonNode): GapPolicy {
  const text = readText(node).toLowerCase()
  const policy = GAP_POLICIES.find(each => each === text)
  if (policy !== undefined) return policy
  throw new IllegalArgumentError(
    `Invalid gap policy: [${text}], accepted values: [${GAP_POLICIES.join(', ')}]`,
  )
}

/**
 * Reads the object of a pipeline with one path.
 * @param own readers of the keys of its own
 * @throws {EngineError} 400
 */
export function readPipeline(
  { name, node }: AggregationBody,
  type: string,
  own: FieldReaders = {},
): PipelineKeys {
  let path: BucketsPath | null = null
  let gapPolicy: GapPolicy = 'skip'
  let format: ValueFormat = { kind: 'raw' }
  readFields(node, type, {
    buckets_path: value => {
      const [text = ''] = readTexts(value)
      path = readPath(text)
    },
    gap_policy: value => {
      gapPolicy = readGapPolicy(value)
    },
    format: value => {
      const pattern = readText(value)
      compileDecimalFormat(pattern)
      format = { kind: 'decimal', pattern }
    },
    ...own,
  })
  if (path === null)
    throw new IllegalArgumentError(
      `Missing required field [buckets_path] for ${type} aggregation [${name}]`,
    )
  return { path, gapPolicy, format }
}

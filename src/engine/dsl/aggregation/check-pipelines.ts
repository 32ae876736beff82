/** Checks pipelines against the aggregations around them. */
import { type BucketsPath, pathText } from '../../../aggregation/pipeline/buckets-path.ts'
import { pipelineType } from '../../../aggregation/pipeline/pipeline-types.ts'
import { EngineError, IllegalArgumentError } from '../../../util/errors.ts'
import type { ParsedAggregation, ParsedAggregations } from './aggregation-parser.ts'
import type { ParsedPipeline } from './pipeline-parser.ts'

/**
 * Checks the pipelines of a tree.
 * @param parent the aggregation that they stand in; null: they stand at the top
 * @throws {EngineError} `action_request_validation_exception`
 */
export function checkPipelines(
  level: ParsedAggregations,
  parent: ParsedAggregation | null = null,
): void {
  for (const pipeline of level.pipelines) checkOne(pipeline, level, parent)
  for (const node of level.nodes) checkPipelines(node.below, node)
}

function checkOne(
  pipeline: ParsedPipeline,
  level: ParsedAggregations,
  parent: ParsedAggregation | null,
): void {
  const { name, plan } = pipeline
  const type = pipelineType(plan)
  if (type.place === 'sibling') {
    const path = type.path(plan)
    const first = path[0]!.name
    if (!level.nodes.some(node => node.name === first))
      throw invalid(
        `buckets_path aggregation does not exist for aggregation [${name}]: ${pathText(path)}`,
      )
    checkPath(path, level)
    return
  }
  checkParent(pipeline, type.parent, parent)
  for (const path of type.paths(plan)) checkPath(path, level)
}

function checkParent(
  { name, type: typeName }: ParsedPipeline,
  required: 'histogram' | 'any',
  parent: ParsedAggregation | null,
): void {
  if (required === 'any') {
    if (parent === null)
      throw invalid(
        `${typeName} aggregation [${name}] must be declared inside of another aggregation`,
      )
    return
  }
  const needed = `${typeName} aggregation [${name}] must have a histogram, date_histogram or auto_date_histogram as parent`
  if (parent === null) throw invalid(`${needed} but doesn't have a parent`)
  const { minDocCount } = parent.body
  if (minDocCount === undefined) throw invalid(needed)
  if (minDocCount !== 0)
    throw invalid(
      `parent histogram of ${typeName} aggregation [${name}] must have min_doc_count of 0`,
    )
}

/** Names that stand for numbers of a bucket itself. */
const OWN_NUMBERS: ReadonlySet<string> = new Set(['_count', '_key', '_bucket_count'])

/** @throws {IllegalArgumentError} an element names no aggregation below the one before it */
function checkPath(path: BucketsPath, level: ParsedAggregations): void {
  let { nodes, pipelines } = level
  for (const [i, { name }] of path.entries()) {
    const isLast = i === path.length - 1
    if (isLast && OWN_NUMBERS.has(name)) return
    const node = nodes.find(each => each.name === name)
    if (node === undefined) {
      if (isLast && pipelines.some(each => each.name === name)) return
      throw new IllegalArgumentError(
        `No aggregation ${i === 0 ? '' : `[${name}] `}found for path [${pathText(path)}]`,
      )
    }
    ;({ nodes, pipelines } = node.below)
  }
}

function invalid(reason: string): EngineError {
  return new EngineError({
    type: 'action_request_validation_exception',
    reason: `Validation Failed: 1: ${reason};`,
  })
}

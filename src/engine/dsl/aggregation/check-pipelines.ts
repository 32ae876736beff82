/** Checks pipelines against the aggregations around them. */
import { pathText } from '../../../aggregation/pipeline/buckets-path.ts'
import { pipelineType } from '../../../aggregation/pipeline/pipeline-types.ts'
import { EngineError } from '../../../util/errors.ts'
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
  { name, type: typeName, plan }: ParsedPipeline,
  level: ParsedAggregations,
  parent: ParsedAggregation | null,
): void {
  const type = pipelineType(plan)
  if (type.place === 'sibling') {
    const path = type.path(plan)
    const first = path[0]!.name
    if (!level.nodes.some(node => node.name === first))
      throw invalid(
        `buckets_path aggregation does not exist for aggregation [${name}]: ${pathText(path)}`,
      )
    return
  }
  if (type.parent === 'any') {
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

function invalid(reason: string): EngineError {
  return new EngineError({
    type: 'action_request_validation_exception',
    reason: `Validation Failed: 1: ${reason};`,
  })
}

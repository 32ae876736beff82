import { IllegalArgumentError } from '../../util/errors.ts'
import type { AggregationResult, ChildResults } from '../result.ts'
import type { BucketsPath } from './buckets-path.ts'
import type { PipelinePlan } from './pipeline.ts'
import type { PipelineScripts } from './pipeline-scripts.ts'
import { pipelineType } from './pipeline-types.ts'

/** Sibling aggregations of a request with the pipelines among them, by name. */
export interface PipelineLevel {
  readonly nodes: readonly { readonly name: string; readonly below: PipelineLevel }[]
  readonly pipelines: readonly { readonly plan: PipelinePlan }[]
}

/**
 * Adds the results of pipelines, the innermost first.
 * @param results of the level's nodes
 * @param scripts compiles scripts
 * @throws {EngineError} a path leads to no number; pipelines that wait for each other
 */
export function runPipelines(
  results: ChildResults,
  level: PipelineLevel,
  scripts: PipelineScripts,
): void {
  for (const { name, below } of level.nodes) {
    const result = results.get(name)
    if (result !== undefined && hasPipelines(below)) runBelow(result, below, scripts)
  }
  for (const plan of inOrder(level)) {
    const type = pipelineType(plan)
    if (type.place !== 'sibling') continue
    const [first, ...rest] = type.path(plan)
    const sibling = results.get(first!.name)
    if (sibling?.kind !== 'multi')
      throw new IllegalArgumentError(
        `The first aggregation in buckets_path must be a multi-bucket aggregation for aggregation ` +
          `[${plan.name}] found :[${sibling?.typedName ?? first!.name}]`,
      )
    // Behind the sibling's name a dot leads on as well.
    const path = first!.key === null ? rest : [{ name: first!.key, key: null }, ...rest]
    results.set(plan.name, type.result(plan, sibling.buckets, path))
  }
}

/** Whether there are pipelines on a level, or below it. */
export function hasPipelines({ nodes, pipelines }: PipelineLevel): boolean {
  return pipelines.length > 0 || nodes.some(({ below }) => hasPipelines(below))
}

function runBelow(result: AggregationResult, below: PipelineLevel, scripts: PipelineScripts): void {
  switch (result.kind) {
    case 'metric':
      return
    case 'single':
      runPipelines(result.children, below, scripts)
      return
    case 'multi':
      for (const { children } of result.buckets) runPipelines(children, below, scripts)
      for (const plan of inOrder(below)) {
        const type = pipelineType(plan)
        if (type.place === 'parent') type.apply(plan, result, scripts)
      }
  }
}

/** The pipelines of a level, each behind those that it reads. */
function inOrder({ pipelines }: PipelineLevel): readonly PipelinePlan[] {
  const byName = new Map(pipelines.map(({ plan }) => [plan.name, plan]))
  const done = new Set<PipelinePlan>()
  const open = new Set<PipelinePlan>()
  const add = (plan: PipelinePlan): void => {
    if (done.has(plan)) return
    if (open.has(plan))
      throw new IllegalArgumentError(
        `Cyclical dependency found with pipeline aggregator [${plan.name}]`,
      )
    open.add(plan)
    for (const path of pathsOf(plan)) {
      const other = byName.get(path[0]?.name ?? '')
      if (other !== undefined) add(other)
    }
    done.add(plan)
  }
  for (const { plan } of pipelines) add(plan)
  return [...done]
}

/** All paths of a pipeline. */
export function pathsOf(plan: PipelinePlan): readonly BucketsPath[] {
  const type = pipelineType(plan)
  return type.place === 'sibling' ? [type.path(plan)] : type.paths(plan)
}

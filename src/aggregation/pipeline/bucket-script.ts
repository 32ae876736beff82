/** bucket_script and bucket_selector: what a script makes of the numbers of a bucket, or whether it stays. */
import type { ScriptRequest } from '../../script/script-request.ts'
import type { BucketResult } from '../result.ts'
import type { ValueFormat } from '../value-source.ts'
import { type BucketsPath, valueAt } from './buckets-path.ts'
import type { BucketVariables } from './pipeline-scripts.ts'
import type { ParentType, PipelineBase } from './pipeline-type.ts'
import { simpleValue } from './simple-value.ts'

/** Paths by the names that a script gives them. */
export type NamedPaths = readonly { readonly name: string; readonly path: BucketsPath }[]

/** A number that a script makes of others. */
export interface BucketScript extends PipelineBase {
  readonly kind: 'bucketScript'
  readonly variables: NamedPaths
  readonly script: ScriptRequest
  readonly format: ValueFormat
}

/** A script that says which buckets stay. */
export interface BucketSelector extends PipelineBase {
  readonly kind: 'bucketSelector'
  readonly variables: NamedPaths
  readonly script: ScriptRequest
}

/** Numbers of buckets whose paths all lead to one. */
export const bucketScript: ParentType<BucketScript> = {
  place: 'parent',
  parent: 'any',
  paths: ({ variables }) => variables.map(({ path }) => path),
  apply(plan, { buckets }, scripts) {
    const compute = scripts.number(plan.script)
    for (const bucket of buckets) {
      const variables = variablesOf(bucket, plan)
      const isGap = [...variables.values()].some(value => value === null || Number.isNaN(value))
      if (plan.gapPolicy === 'skip' && isGap) continue
      const result = compute(variables)
      if (result !== null) bucket.children.set(plan.name, simpleValue(result, plan.format))
    }
  },
}

/** Drops the buckets that a script does not take. */
export const bucketSelector: ParentType<BucketSelector> = {
  place: 'parent',
  parent: 'any',
  paths: ({ variables }) => variables.map(({ path }) => path),
  apply(plan, parent, scripts) {
    const stays = scripts.selector(plan.script)
    parent.buckets = parent.buckets.filter(bucket => stays(variablesOf(bucket, plan)))
  },
}

function variablesOf(
  bucket: BucketResult,
  { variables, gapPolicy, name }: BucketScript | BucketSelector,
): BucketVariables {
  return new Map(
    variables.map(each => [each.name, valueAt(bucket, each.path, gapPolicy, name)] as const),
  )
}

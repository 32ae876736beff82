import type { ScriptPlan } from '../search/script/script-plan.ts'
import type { AggregationPlan } from './aggregation-type.ts'

/** The scripts of an aggregation, those of its children and of its sorts left out. */
export function scriptsOf(plan: AggregationPlan): readonly ScriptPlan[] {
  const found: ScriptPlan[] = []
  for (const [key, value] of Object.entries(plan))
    if (key === 'scripts')
      found.push(
        ...Object.values(value as Record<string, ScriptPlan | null>).flatMap(each => each ?? []),
      )
    else if (key !== 'children') collect(value, found)
  return found
}

/** Adds the scripts of a source of values, or of a list of them. */
function collect(value: unknown, found: ScriptPlan[]): void {
  if (Array.isArray(value)) for (const item of value) collect(item, found)
  else if (isSource(value)) found.push(value.script.plan)
  else if (isHolder(value)) collect(value.values, found)
}

function isSource(value: unknown): value is { readonly script: { readonly plan: ScriptPlan } } {
  return isObject(value) && 'script' in value && isObject(value.script) && 'plan' in value.script
}

/** A source of a tuple. */
function isHolder(value: unknown): value is { readonly values: unknown } {
  return isObject(value) && 'values' in value
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

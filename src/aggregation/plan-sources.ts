/** Scripts and masked terms among the sources of an aggregation's values. */
import type { ScriptPlan } from '../search/script/script-plan.ts'
import type { AggregationPlan } from './aggregation-type.ts'
import type { MaskedTerms } from './value-source.ts'

/** The scripts of an aggregation, those of its children and of its sorts left out. */
export function scriptsOf(plan: AggregationPlan): readonly ScriptPlan[] {
  const own = Object.entries(plan).flatMap(([key, value]) =>
    key === 'scripts'
      ? Object.values(value as Record<string, ScriptPlan | null>).flatMap(each => each ?? [])
      : [],
  )
  const found = sourcesOf(plan).flatMap(source => (isScripted(source) ? [source.script.plan] : []))
  return [...own, ...found]
}

/** The masked terms that an aggregation reads, those of its children left out. */
export function maskedTermsOf(plan: AggregationPlan): readonly MaskedTerms[] {
  return sourcesOf(plan).flatMap(source => (isMasked(source) ? [source.masked] : []))
}

function sourcesOf(plan: AggregationPlan): readonly object[] {
  return Object.entries(plan).flatMap(([key, value]) =>
    key === 'scripts' || key === 'children' ? [] : sourcesIn(value),
  )
}

/** The sources in a value: itself, items of a list, or what a source of a tuple holds. */
function sourcesIn(value: unknown): readonly object[] {
  if (Array.isArray(value)) return value.flatMap(sourcesIn)
  if (!isObject(value)) return []
  if (isScripted(value) || isMasked(value)) return [value]
  return 'values' in value ? sourcesIn(value.values) : []
}

function isScripted(value: object): value is { readonly script: { readonly plan: ScriptPlan } } {
  return 'script' in value && isObject(value.script) && 'plan' in value.script
}

function isMasked(value: object): value is { readonly masked: MaskedTerms } {
  return 'masked' in value && isObject(value.masked) && 'mask' in value.masked
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

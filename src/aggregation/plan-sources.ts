/** Scripts, masked terms and ids among the sources of an aggregation's values. */
import type { ScriptPlan } from '../search/script/script-plan.ts'
import type { AggregationPlan } from './aggregation-type.ts'
import type { MaskedTerms } from './value-source.ts'

/** The scripts of an aggregation, those of its children and of its sorts left out. */
export function scriptsOf(plan: AggregationPlan): readonly ScriptPlan[] {
  const own =
    'scripts' in plan
      ? Object.values(plan.scripts as Record<string, ScriptPlan | null>).flatMap(each => each ?? [])
      : NO_SCRIPTS
  const sources = sourcesOf(plan)
  if (sources.length === 0) return own
  return [...own, ...sources.flatMap(source => (isScripted(source) ? [source.script.plan] : []))]
}

/** The masked terms that an aggregation reads, those of its children left out. */
export function maskedTermsOf(plan: AggregationPlan): readonly MaskedTerms[] {
  const sources = sourcesOf(plan)
  if (sources.length === 0) return NO_MASKED
  return sources.flatMap(source => (isMasked(source) ? [source.masked] : []))
}

/** Whether an aggregation reads the ids of documents, those of its children left out. */
export function readsIds(plan: AggregationPlan): boolean {
  return sourcesOf(plan).some(isOfIds)
}

const NO_SCRIPTS: readonly ScriptPlan[] = []
const NO_MASKED: readonly MaskedTerms[] = []
const NO_SOURCES: readonly object[] = []

/** Asked several times for each node of a search, and of most plans empty: a loop that makes nothing then. */
function sourcesOf(plan: AggregationPlan): readonly object[] {
  let found = NO_SOURCES
  for (const key of Object.keys(plan)) {
    if (key === 'scripts' || key === 'children') continue
    const value = (plan as unknown as Readonly<Record<string, unknown>>)[key]
    if (isObject(value)) found = withSources(value, found)
  }
  return found
}

/** Others, and the sources in a value: itself, items of a list, or what a source of a tuple holds. */
function withSources(value: object, others: readonly object[]): readonly object[] {
  if (Array.isArray(value)) {
    let found = others
    for (const item of value) if (isObject(item)) found = withSources(item, found)
    return found
  }
  if (isScripted(value) || isMasked(value) || isOfIds(value)) return [...others, value]
  return 'values' in value && isObject(value.values) ? withSources(value.values, others) : others
}

function isScripted(value: object): value is { readonly script: { readonly plan: ScriptPlan } } {
  return 'script' in value && isObject(value.script) && 'plan' in value.script
}

function isMasked(value: object): value is { readonly masked: MaskedTerms } {
  return 'masked' in value && isObject(value.masked) && 'mask' in value.masked
}

function isOfIds(value: object): boolean {
  return 'ids' in value && value.ids === true
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

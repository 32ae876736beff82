import type { ScriptRequest } from '../../../script/script-request.ts'
import type { ScriptPlan } from '../../../search/script/script-plan.ts'
import { IllegalArgumentError } from '../../../util/errors.ts'
import type { JsonNode, JsonObjectNode } from '../../../util/json/json-tree.ts'
import { contentError, tokenName } from '../parse-error.ts'
import { parseScript } from '../parse-script.ts'
import { scriptPlan } from '../script-plan.ts'
import type { AggregationParser } from './aggregation-parser.ts'
import { readFields } from './object-fields.ts'

const TYPE = 'scripted_metric'

/** `scripted_metric`. */
export const scriptedMetric: AggregationParser = {
  takesChildren: false,
  sortable: 'no',
  parse({ name, node }) {
    const scripts = new Map<string, ScriptRequest>()
    let params: JsonObjectNode | null = null
    const reader =
      (key: string) =>
      (value: JsonNode): void => {
        scripts.set(key, parseScript(value))
      }
    readFields(node, TYPE, {
      init_script: reader('init'),
      map_script: reader('map'),
      combine_script: reader('combine'),
      reduce_script: reader('reduce'),
      params: value => {
        if (value.kind !== 'object')
          throw contentError(
            value,
            `[${TYPE}] params doesn't support values of type: ${tokenName(value.kind)}`,
          )
        params = value
      },
    })
    for (const key of ['map', 'combine', 'reduce'])
      if (!scripts.has(key))
        throw new IllegalArgumentError(`[${key}Script] must not be null: [${name}]`)
    const all = new Map([...scripts].map(([key, script]) => [key, withParams(script, params)]))
    return {
      bind(context) {
        const plan = (key: string): ScriptPlan => scriptPlan(all.get(key)!, `aggs_${key}`, context)
        return {
          kind: 'scriptedMetric',
          name,
          children: [],
          scripts: {
            init: all.has('init') ? plan('init') : null,
            map: plan('map'),
            combine: plan('combine'),
            reduce: plan('reduce'),
          },
        }
      },
    }
  },
}

/**
 * A script with the parameters of the whole aggregation beside its own.
 * @throws {IllegalArgumentError} both have one of a name
 */
function withParams(script: ScriptRequest, params: JsonObjectNode | null): ScriptRequest {
  if (params === null) return script
  const own = script.params?.entries ?? []
  const twice = own.find(({ key }) => params.entries.some(entry => entry.key === key))
  if (twice !== undefined)
    throw new IllegalArgumentError(
      `Parameter name "${twice.key}" used in both aggregation and script parameters`,
    )
  return { ...script, params: { ...params, entries: [...params.entries, ...own] } }
}

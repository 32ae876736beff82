/** The heuristics of significant terms, each an object under its name. */
import type { Heuristic } from '../../../aggregation/significant/heuristic.ts'
import type { ScriptRequest } from '../../../script/script-request.ts'
import type { JsonNode } from '../../../util/json/json-tree.ts'
import { readBoolean } from '../json-scalars.ts'
import { contentError, parsingError, tokenName } from '../parse-error.ts'
import { parseScript } from '../parse-script.ts'
import type { QueryContext } from '../query-context.ts'
import { scriptPlan } from '../script-plan.ts'
import { type FieldReaders, readFields } from './object-fields.ts'

/** A heuristic as a request asks for it: a script is bound to each index. */
export type AskedHeuristic =
  | Exclude<Heuristic, { readonly kind: 'script' }>
  | { readonly kind: 'script'; readonly script: ScriptRequest }

/** A heuristic for an index. @throws {EngineError} its script does not compile */
export function boundHeuristic(asked: AskedHeuristic, context: QueryContext): Heuristic {
  if (asked.kind !== 'script') return asked
  return { kind: 'script', script: scriptPlan(asked.script, 'script_heuristic', context) }
}

/** The heuristic of a request that names none. */
export const DEFAULT_HEURISTIC: AskedHeuristic = { kind: 'jlh' }

/** Readers of the keys of heuristics; the last one given holds. @param type of the aggregation, for errors */
export function heuristicReaders(
  type: string,
  choose: (heuristic: AskedHeuristic) => void,
): FieldReaders {
  const plain = (kind: 'jlh' | 'percentage') => (node: JsonNode) => {
    readOptions(type, kind, node, {})
    choose({ kind })
  }
  const tabled = (kind: 'chi_square' | 'mutual_information') => (node: JsonNode) => {
    let isSuperset = true
    let includesNegatives = false
    readOptions(type, kind, node, {
      background_is_superset: value => {
        isSuperset = readBoolean(value)
      },
      include_negatives: value => {
        includesNegatives = readBoolean(value)
      },
    })
    choose({ kind, isSuperset, includesNegatives })
  }
  return {
    jlh: plain('jlh'),
    percentage: plain('percentage'),
    chi_square: tabled('chi_square'),
    mutual_information: tabled('mutual_information'),
    gnd: node => {
      let isSuperset = true
      readOptions(type, 'gnd', node, {
        background_is_superset: value => {
          isSuperset = readBoolean(value)
        },
      })
      choose({ kind: 'gnd', isSuperset })
    },
    script_heuristic: node => {
      let script: ScriptRequest | null = null
      readOptions(type, 'script_heuristic', node, {
        script: value => {
          script = parseScript(value)
        },
      })
      if (script === null)
        throw parsingError(
          node,
          'failed to parse [script_heuristic] significance heuristic. no script found in script_heuristic',
        )
      choose({ kind: 'script', script })
    },
  }
}

function readOptions(type: string, kind: string, node: JsonNode, readers: FieldReaders): void {
  if (node.kind !== 'object')
    throw contentError(
      node,
      `[${type}] ${kind} doesn't support values of type: ${tokenName(node.kind)}`,
    )
  readFields(node, kind, readers)
}

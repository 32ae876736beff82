/** The heuristics of significant terms, each an object under its name. */
import type { Heuristic } from '../../../aggregation/significant/heuristic.ts'
import type { JsonNode } from '../../../util/json/json-tree.ts'
import { readBoolean } from '../json-scalars.ts'
import { contentError, notSupportedYet, tokenName } from '../parse-error.ts'
import { type FieldReaders, readFields } from './object-fields.ts'

/** The heuristic of a request that names none. */
export const DEFAULT_HEURISTIC: Heuristic = { kind: 'jlh' }

/** Readers of the keys of heuristics; the last one given holds. @param type of the aggregation, for errors */
export function heuristicReaders(
  type: string,
  choose: (heuristic: Heuristic) => void,
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
    script_heuristic: () => {
      throw notSupportedYet('script_heuristic')
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

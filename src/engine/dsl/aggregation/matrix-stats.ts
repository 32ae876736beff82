import type { MatrixMode } from '../../../aggregation/matrix/matrix-stats.ts'
import { IllegalArgumentError } from '../../../util/errors.ts'
import type { JsonNode } from '../../../util/json/json-tree.ts'
import { readText, readTexts } from '../json-scalars.ts'
import { parsingError, tokenName } from '../parse-error.ts'
import type { AggregationParser } from './aggregation-parser.ts'
import { bindNumbers } from './bind-values.ts'
import { readFields } from './object-fields.ts'
import { noNumbers } from './typed-source.ts'
import { newValueKeys } from './value-keys.ts'

const TYPE = 'matrix_stats'
/** Every two fields are multiplied for each document. */
const MAX_FIELDS = 100
const MODES: readonly MatrixMode[] = ['avg', 'min', 'max', 'sum', 'median']

/** `matrix_stats`. */
export const matrixStats: AggregationParser = {
  takesChildren: false,
  sortable: 'no',
  parse({ name, node }) {
    let names: readonly string[] = []
    let missing: ReadonlyMap<string, string> = new Map()
    let mode: MatrixMode = 'avg'
    readFields(node, TYPE, {
      fields: value => {
        names = [...new Set(readTexts(value))]
      },
      missing: value => {
        missing = readMissing(value)
      },
      mode: value => {
        mode = readMode(value)
      },
      script: value => {
        throw parsingError(
          value,
          `Unexpected token ${tokenName(value.kind)} [script] in [${name}]. Multi-field aggregations do not ` +
            'support scripts.',
        )
      },
    })
    if (names.length === 0) throw new IllegalArgumentError(`[field] must not be null: [${name}]`)
    if (names.length > MAX_FIELDS)
      throw new IllegalArgumentError(
        `Number of fields is too large, must be less than or equal to: [${MAX_FIELDS}] but was ` +
          `[${names.length}]`,
      )
    const keys = names.map(field => ({
      ...newValueKeys(),
      field,
      missing: missing.get(field) ?? null,
    }))
    return {
      bind(context) {
        const taken = { aggregation: TYPE, byDefault: 'number' } as const
        const bound = keys.map(each => bindNumbers(each, taken, context))
        const fields = bound.map((source, i) => source ?? noNumbers(keys[i]!, 'number'))
        const plan = { kind: 'matrixStats', name, children: [], names, fields, mode } as const
        // Without one of the fields no document has all.
        return bound.includes(null) ? { kind: 'unmapped', name, children: [], model: plan } : plan
      },
    }
  },
}

/** A number for each of some fields. */
function readMissing(node: JsonNode): ReadonlyMap<string, string> {
  if (node.kind !== 'object')
    throw parsingError(
      node,
      `Missing values must be specified as an object but found [${tokenName(node.kind)}]`,
    )
  return new Map(node.entries.map(({ key, value }) => [key, readText(value)]))
}

function readMode(node: JsonNode): MatrixMode {
  const text = readText(node)
  const mode = MODES.find(each => each === text.toLowerCase())
  if (mode === undefined) throw new IllegalArgumentError(`Unknown sort mode: ${text}`)
  return mode
}

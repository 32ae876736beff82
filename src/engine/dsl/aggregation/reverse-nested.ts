import { IllegalArgumentError } from '../../../util/errors.ts'
import { readText } from '../json-scalars.ts'
import { parsingError, tokenName } from '../parse-error.ts'
import { shardError } from '../query-context.ts'
import type { AggregationParser } from './aggregation-parser.ts'

/** `reverse_nested`. */
export const reverseNested: AggregationParser = {
  takesChildren: true,
  sortable: 'single',
  parse({ name, node }) {
    let path: string | null = null
    for (const { key, value } of node.entries) {
      if (key !== 'path' || value.kind !== 'string')
        throw parsingError(
          value,
          `Unknown key for a ${tokenName(value.kind)} in [${name}]: [${key}].`,
        )
      path = readText(value)
    }
    const around = path
    return {
      contextBelow: context => ({ ...context, nested: { ...context.nested, path: around } }),
      bind(context, children) {
        if (context.nested.path === null)
          throw new IllegalArgumentError(
            `Reverse nested aggregation [${name}] can only be used inside a [nested] aggregation`,
          )
        const model = { kind: 'reverseNested' as const, name, children, path: around }
        const object = around === null ? undefined : context.mapping.object(around)
        if (object === null) return { kind: 'unmapped', name, children: [], model }
        if (object?.nested === null)
          throw shardError(`[reverse_nested] nested path [${around}] is not nested`)
        return model
      },
    }
  },
}

import { IllegalArgumentError } from '../../../util/errors.ts'
import { readText } from '../json-scalars.ts'
import { parsingError, tokenName } from '../parse-error.ts'
import type { AggregationParser } from './aggregation-parser.ts'

/** `nested`. */
export const nested: AggregationParser = {
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
    if (path === null)
      throw parsingError(node, `Missing [path] field for nested aggregation [${name}]`)
    const within = path
    return {
      contextBelow: context => ({ ...context, nested: { ...context.nested, path: within } }),
      bind(context, children) {
        const object = context.mapping.object(within)
        const model = {
          kind: 'nested' as const,
          name,
          children,
          path: within,
          parentPath: context.nested.path,
        }
        if (object === null) return { kind: 'unmapped', name, children: [], model }
        if (object.nested === null)
          throw new IllegalArgumentError(`[nested] nested path [${within}] is not nested`)
        return model
      },
    }
  },
}

import type { TupleSource } from '../../../aggregation/tuple/tuple-source.ts'
import { IllegalArgumentError } from '../../../util/errors.ts'
import type { JsonNode } from '../../../util/json/json-tree.ts'
import { contentError, parsingError, tokenName } from '../parse-error.ts'
import type { AggregationParser } from './aggregation-parser.ts'
import { bindAnyValues } from './bind-values.ts'
import { cutBuckets, cutReaders, newCutKeys } from './cut-keys.ts'
import { deferralOf } from './deferral.ts'
import { readFields } from './object-fields.ts'
import { checkFieldGiven, newValueKeys, type ValueKeys, valueReaders } from './value-keys.ts'

/** `multi_terms`. */
export const multiTerms: AggregationParser = {
  takesChildren: true,
  sortable: 'no',
  parse({ name, node }) {
    let terms: readonly ValueKeys[] = []
    const cut = newCutKeys()
    readFields(node, 'multi_terms', {
      terms: value => {
        terms = readTerms(value)
      },
      ...cutReaders(cut, name),
    })
    if (terms.length < 2)
      throw new IllegalArgumentError(
        `multi term aggregation must has at least 2 terms. Found [${terms.length}] in [${name}]` +
          (terms.length === 1 ? ' Use terms aggregation for single term aggregation' : ''),
      )
    return {
      order: cut.order,
      bind(context, children) {
        const taken = { aggregation: 'multi_terms', byDefault: 'string', takesTerms: true } as const
        const sources = terms.map(
          (keys): TupleSource => ({
            values: bindAnyValues(keys, taken, context),
            rounding: { kind: 'none' },
            hasNull: false,
          }),
        )
        const plan = {
          kind: 'multiTerms' as const,
          name,
          children,
          sources,
          ...cutBuckets(cut),
          deferral: deferralOf(cut, children),
        }
        return sources.some(({ values }) => values === null)
          ? { kind: 'unmapped', name, children: [], model: plan }
          : plan
      },
    }
  },
}

function readTerms(node: JsonNode): readonly ValueKeys[] {
  if (node.kind !== 'array')
    throw parsingError(
      node,
      `[multi_terms] expected a list of terms but found [${tokenName(node.kind)}]`,
    )
  return node.items.map(item => {
    if (item.kind !== 'object')
      throw contentError(
        item,
        `[multi_terms] expected an object but found [${tokenName(item.kind)}]`,
      )
    const keys = newValueKeys()
    readFields(item, 'multi_terms', valueReaders(keys, { zone: true }))
    checkFieldGiven(keys)
    return keys
  })
}

import { intervalField } from '../intervals/interval-field.ts'
import { type IntervalRule, intervalPlace } from '../intervals/rule.ts'
import { readRule } from '../intervals/rules.ts'
import { parsingError, tokenName } from '../parse-error.ts'
import { amongSeen, runsScript } from '../seen-documents.ts'
import { readFieldClause, unmapped } from './field-clause.ts'
import type { QueryParser } from './query-parser.ts'

/** `intervals`: documents with words that lie so to one another. */
export const intervalsParser: QueryParser = {
  mustBecomesFilter: 'never',
  parse(node, read) {
    const { field: name, value } = readFieldClause('intervals', node, read)
    if (value.kind !== 'object')
      throw parsingError(value, `Expected [START_OBJECT] but found [${tokenName(value.kind)}]`)
    let found: { readonly name: string; readonly rule: IntervalRule } | null = null
    for (const entry of value.entries) {
      if (read.option(entry)) continue
      if (found !== null)
        throw parsingError(
          entry,
          `Only one interval rule can be specified, found [${found.name}] and [${entry.key}]`,
        )
      found = { name: entry.key, rule: readRule(entry) }
    }
    if (found === null)
      throw parsingError(value, 'Missing intervals from interval query definition')
    const { rule } = found
    return {
      field: name,
      build(context) {
        const field = intervalField(name, context)
        if (field === null) return unmapped(name)
        const source = rule(intervalPlace(field, context))
        const query = { kind: 'positionIntervals', field: field.name, source } as const
        return runsScript(source) ? amongSeen(query, context) : query
      },
    }
  },
}

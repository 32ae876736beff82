import type { ScriptRequest } from '../../../script/script-request.ts'
import { expensive } from '../expensive.ts'
import { parsingError, tokenName } from '../parse-error.ts'
import { parseScript } from '../parse-script.ts'
import { scriptPlan } from '../script-plan.ts'
import { amongSeen } from '../seen-documents.ts'
import type { QueryParser } from './query-parser.ts'

/** `script`: documents that a script takes. */
export const scriptParser: QueryParser = {
  mustBecomesFilter: 'never',
  parse(node, read) {
    let script: ScriptRequest | null = null
    for (const entry of node.entries) {
      if (read.option(entry)) continue
      const { key, value } = entry
      if (value.kind === 'array')
        throw parsingError(
          value,
          '[script] query does not support an array of scripts. Use a bool query with a clause per ' +
            'script instead.',
        )
      if (key !== 'script') throw parsingError(entry, `[script] query does not support [${key}]`)
      if (value.kind !== 'object' && value.kind !== 'string')
        throw parsingError(value, `[script] unexpected token [${tokenName(value.kind)}]`)
      script = parseScript(value)
    }
    if (script === null) throw parsingError(node, 'script must be provided with a [script] query')
    const asked = script
    return {
      field: null,
      build(context) {
        if (!context.allowsExpensive)
          throw expensive(
            "[script] queries cannot be executed when 'search.allow_expensive_queries' is set to false.",
          )
        return amongSeen({ kind: 'script', script: scriptPlan(asked, 'filter', context) }, context)
      },
    }
  },
}

import type { ScriptRequest } from '../../../script/script-request.ts'
import { IllegalArgumentError } from '../../../util/errors.ts'
import { type DeclaredOption, readDeclared } from '../declared-options.ts'
import { expensive } from '../expensive.ts'
import { readNumber } from '../json-scalars.ts'
import { parseScript } from '../parse-script.ts'
import type { ParsedQuery } from '../query-context.ts'
import { scriptPlan } from '../script-plan.ts'
import { amongSeen } from '../seen-documents.ts'
import type { QueryParser } from './query-parser.ts'
import { VECTOR_SCRIPTS, vectorScore } from './vector-score.ts'

const NAME = 'script_score'

/** `script_score`: a query's documents, scored by a script. */
export const scriptScoreQueryParser: QueryParser = {
  mustBecomesFilter: 'never',
  parse(node, read) {
    let query = null as ParsedQuery | null
    let script = null as ScriptRequest | null
    let minScore = null as number | null
    const entries = node.entries.filter(entry => !read.option(entry))
    const own = new Map<string, DeclaredOption>([
      [
        'query',
        {
          takes: ['object'],
          read: value => {
            query = read.inner(value)
          },
        },
      ],
      [
        'script',
        {
          takes: ['object', 'string'],
          read: value => {
            script = parseScript(value)
          },
        },
      ],
      [
        'min_score',
        {
          takes: ['number', 'string'],
          read: value => {
            minScore = Math.fround(readNumber(value))
          },
        },
      ],
    ])
    readDeclared(NAME, { ...node, entries }, own)
    if (query === null || script === null) {
      const missing = [query === null ? 'query' : '', script === null ? 'script' : '']
      throw new IllegalArgumentError(`Required [${missing.filter(Boolean).join(', ')}]`)
    }
    const asked = { query, script, minScore }
    return {
      field: null,
      build(context) {
        if (!context.allowsExpensive)
          throw expensive(
            "[script score] queries cannot be executed when 'search.allow_expensive_queries' is set to false.",
          )
        const query = asked.query.build(context)
        if (asked.script.lang === VECTOR_SCRIPTS)
          return vectorScore(query, asked.script, asked.minScore, context)
        return {
          kind: 'scriptScore',
          query: amongSeen(query, context),
          script: scriptPlan(asked.script, 'score', context),
          minScore: asked.minScore,
          ...(asked.query.name === null ? {} : { name: asked.query.name }),
        }
      },
    }
  },
}

/** The rules of `intervals`: what each makes of its keys. */

import type { ScriptRequest } from '../../../script/script-request.ts'
import type { IntervalSource, Query, TermRewrite } from '../../../search/query/query.ts'
import type { IntervalRelation } from '../../../search/scorer/interval/related-intervals.ts'
import { IllegalArgumentError } from '../../../util/errors.ts'
import type { JsonEntry, JsonNode, JsonObjectNode } from '../../../util/json/json-tree.ts'
import type { Fuzziness } from '../field/many-terms.ts'
import { fuzzyQuery, patternQuery } from '../field/many-terms.ts'
import { checkIndexed } from '../field/searchable.ts'
import { wholeTerms } from '../field/term-queries.ts'
import { AUTO_FUZZINESS, readFuzziness } from '../fuzziness.ts'
import { readBoolean, readInteger, readText } from '../json-scalars.ts'
import { parsingError, tokenName } from '../parse-error.ts'
import { parseScript } from '../parse-script.ts'
import {
  ALL_FLAGS,
  checkRegexLength,
  DEFAULT_MAX_STATES,
  flagBits,
  flagsOf,
} from '../query/regexp-limits.ts'
import { shardError } from '../query-context.ts'
import { scriptPlan } from '../script-plan.ts'
import { intervalField } from './interval-field.ts'
import {
  type CombineOptions,
  type IntervalPlace,
  type IntervalRule,
  type RuleKeys,
  readKeys,
  readMode,
} from './rule.ts'
import { textIntervals } from './text-intervals.ts'

const RULES: { readonly [name: string]: (node: JsonObjectNode) => IntervalRule } = {
  match: readMatch,
  any_of: readAnyOf,
  all_of: readAllOf,
  prefix: node => readTerms('prefix', node),
  wildcard: node => readTerms('wildcard', node),
  regexp: node => readTerms('regexp', node),
  fuzzy: readFuzzy,
}

/** Names as the message of an unknown one lists them. */
const EXPECTED = 'match, any_of, all_of, prefix, wildcard, regexp'

/** Terms that a prefix or a pattern may become. */
const MAX_EXPANSIONS = 128

/**
 * Reads the object behind a rule's name.
 * @throws {EngineError} `parsing_exception`: there is no such rule; the keys do not fit it
 */
export function readRule({ key, value, line, col }: JsonEntry): IntervalRule {
  const read = Object.hasOwn(RULES, key) ? RULES[key] : undefined
  if (read === undefined)
    throw parsingError(
      { line, col },
      `Unknown interval type [${key}], expecting one of [${EXPECTED}]`,
    )
  if (value.kind !== 'object')
    throw parsingError(value, `Expected [START_OBJECT] but found [${tokenName(value.kind)}]`)
  return read(value)
}

function readSole(node: JsonNode): IntervalRule {
  const [entry] = node.kind === 'object' ? node.entries : []
  if (entry === undefined) throw parsingError(node, 'Expected [FIELD_NAME] but got [END_OBJECT]')
  return readRule(entry)
}

function readSeveral({ value }: JsonEntry): readonly IntervalRule[] {
  return value.kind === 'array' ? value.items.map(readSole) : [readSole(value)]
}

// ---- match, all_of, any_of ----------------------------------------------------------------------

function readMatch(node: JsonObjectNode): IntervalRule {
  const options: CombineOptions = { maxGaps: -1, mode: 'unordered' }
  let [text, analyzer, useField] = ['', null as string | null, null as string | null]
  let filter: IntervalFilter | null = null
  const keys: RuleKeys = {
    query: ({ value }) => (text = readText(value)),
    max_gaps: ({ value }) => (options.maxGaps = readInteger(value)),
    mode: entry => readMode(options, entry),
    ordered: entry => readMode(options, entry),
    analyzer: ({ value }) => (analyzer = readText(value)),
    use_field: ({ value }) => (useField = readText(value)),
    filter: ({ value }) => (filter = readFilter(value)),
  }
  readKeys('match', node, keys, ['query'])
  return place =>
    filtered(
      filter,
      place,
      on(useField, place, at => {
        const analysed = at.context.analyze(at.field, text, analyzer, false)
        if (analysed === null) throw shardError(`[intervals] analyzer [${analyzer}] not found`)
        const { maxGaps, mode } = options
        return textIntervals(analysed, maxGaps, mode, at.combine, at.context.maxClauseCount)
      }),
    )
}

function readAllOf(node: JsonObjectNode): IntervalRule {
  const options: CombineOptions = { maxGaps: -1, mode: 'unordered' }
  let rules: readonly IntervalRule[] = []
  let filter: IntervalFilter | null = null
  const keys: RuleKeys = {
    intervals: entry => (rules = readSeveral(entry)),
    max_gaps: ({ value }) => (options.maxGaps = readInteger(value)),
    mode: entry => readMode(options, entry),
    ordered: entry => readMode(options, entry),
    filter: ({ value }) => (filter = readFilter(value)),
  }
  readKeys('all_of', node, keys, ['intervals'])
  return place => {
    const sources = rules.map(rule => rule(place))
    return filtered(filter, place, place.combine.all(sources, options.maxGaps, options.mode))
  }
}

function readAnyOf(node: JsonObjectNode): IntervalRule {
  let rules: readonly IntervalRule[] = []
  let filter: IntervalFilter | null = null
  const keys: RuleKeys = {
    intervals: entry => (rules = readSeveral(entry)),
    filter: ({ value }) => (filter = readFilter(value)),
  }
  readKeys('any_of', node, keys, ['intervals'])
  return place => filtered(filter, place, place.combine.any(rules.map(rule => rule(place))))
}

// ---- terms --------------------------------------------------------------------------------------

function readTerms(kind: 'prefix' | 'wildcard' | 'regexp', node: JsonObjectNode): IntervalRule {
  const textKey = kind === 'prefix' ? 'prefix' : 'pattern'
  let [text, analyzer, useField] = ['', null as string | null, null as string | null]
  let max = MAX_EXPANSIONS
  let ignoresCase = false
  let operators = ALL_FLAGS
  const common: RuleKeys = {
    [textKey]: ({ value }) => (text = readText(value)),
    analyzer: ({ value }) => (analyzer = readText(value)),
    use_field: ({ value }) => (useField = readText(value)),
  }
  const more: RuleKeys = {
    max_expansions: ({ value }) => (max = readInteger(value)),
    case_insensitive: ({ value }) => (ignoresCase = readBoolean(value)),
    flags: ({ value }) => (operators = flagsOf(readText(value))),
    flags_value: ({ value }) => (operators = flagBits(readInteger(value))),
  }
  const { max_expansions, ...regexpOnly } = more
  const keys: RuleKeys =
    kind === 'prefix'
      ? common
      : { ...common, max_expansions: max_expansions!, ...(kind === 'regexp' ? regexpOnly : {}) }
  readKeys(kind, node, keys, [textKey])
  return place =>
    on(useField, place, ({ field, context }) => {
      const term = kind === 'regexp' ? text : context.normalizeWord(field, text, analyzer)
      const pattern =
        kind === 'regexp'
          ? ({ kind, text: term, operators, maxStates: DEFAULT_MAX_STATES } as const)
          : ({ kind, text: term } as const)
      const options = { rewrite: 'scoring_boolean', ignoresCase }
      checkIndexed(field)
      if (kind === 'regexp') checkRegexLength(text, 'Regexp Query request', context)
      const query = patternQuery(wholeTerms(field.name), pattern, options, context)
      return multi(query, max, kind === 'prefix' ? `${term}*` : term)
    })
}

function readFuzzy(node: JsonObjectNode): IntervalRule {
  let [text, analyzer, useField] = ['', null as string | null, null as string | null]
  let fuzziness: Fuzziness = AUTO_FUZZINESS
  let prefixLength = 0
  let transpositions = true
  const keys: RuleKeys = {
    term: ({ value }) => (text = readText(value)),
    prefix_length: ({ value }) => (prefixLength = readInteger(value)),
    transpositions: ({ value }) => (transpositions = readBoolean(value)),
    fuzziness: ({ value }) => (fuzziness = readFuzziness(value)),
    analyzer: ({ value }) => (analyzer = readText(value)),
    use_field: ({ value }) => (useField = readText(value)),
  }
  readKeys('fuzzy', node, keys, ['term'])
  return place =>
    on(useField, place, ({ field, context }) => {
      const term = context.normalizeWord(field, text, analyzer)
      checkIndexed(field)
      const fuzzy = {
        text: term,
        fuzziness,
        prefixLength,
        maxExpansions: MAX_EXPANSIONS,
        transpositions,
        rewrite: 'scoring_boolean',
      }
      return multi(fuzzyQuery(wholeTerms(field.name), term, fuzzy, context), MAX_EXPANSIONS, term)
    })
}

/** The terms of a query, as many as may be. */
function multi(query: Query, max: number, label: string): IntervalSource {
  const rewrite: TermRewrite = { kind: 'scoringClauses', max }
  const limited = 'rewrite' in query ? { ...query, rewrite } : query
  return { kind: 'multi', query: limited, label }
}

/** The intervals of a rule on its own field, where it names one. */
function on(useField: string | null, place: IntervalPlace, make: IntervalRule): IntervalSource {
  if (useField === null) return make(place)
  const field = intervalField(useField, place.context)
  if (field === null) return { kind: 'none' }
  return { kind: 'fixed', field: field.name, source: make({ ...place, field }) }
}

// ---- filters ------------------------------------------------------------------------------------

/** A filter: the relation of kept intervals to those of another rule, or a script. */
type IntervalFilter =
  | { readonly name: string; readonly rule: IntervalRule }
  | { readonly script: ScriptRequest }

const RELATIONS: { readonly [name: string]: IntervalRelation } = {
  contained_by: 'containedBy',
  containing: 'containing',
  not_contained_by: 'notContainedBy',
  not_containing: 'notContaining',
  not_overlapping: 'notOverlapping',
  overlapping: 'overlapping',
}

function readFilter(node: JsonNode): IntervalFilter {
  const [entry] = node.kind === 'object' ? node.entries : []
  if (entry === undefined) throw parsingError(node, 'Expected [FIELD_NAME] but got [END_OBJECT]')
  if (entry.key === 'script') return { script: parseScript(entry.value) }
  return { name: entry.key, rule: readSole(entry.value) }
}

function filtered(
  filter: IntervalFilter | null,
  place: IntervalPlace,
  source: IntervalSource,
): IntervalSource {
  if (filter === null) return source
  if ('script' in filter)
    return { kind: 'script', source, script: scriptPlan(filter.script, 'interval', place.context) }
  const { name, rule } = filter
  const { combine } = place
  const other = rule(place)
  if (name === 'before' || name === 'after') {
    const beside: IntervalSource = { kind: 'beside', source: other, side: name }
    const reach = 2147483647
    const before = name === 'before' ? reach : 0
    const open: IntervalSource = { kind: 'extend', source: beside, before, after: reach - before }
    return combine.related(source, 'containedBy', open)
  }
  const relation = Object.hasOwn(RELATIONS, name) ? RELATIONS[name] : undefined
  if (relation === undefined) throw new IllegalArgumentError(`Unknown filter type [${name}]`)
  return combine.related(source, relation, other)
}

import { Automaton, type AutomatonTable } from '../../util/automaton/automaton.ts'
import { ANY_POINT, type Expression, Expressions } from '../../util/automaton/expression.ts'
import { bothCases, luceneExpression } from '../../util/automaton/lucene-pattern.ts'
import type { TermAutomaton } from './matching-terms.ts'
import { acceptedTerms, multiTermWeight } from './multi-term-weight.ts'
import type { PatternQuery } from './query.ts'
import type { QueryType } from './query-type.ts'
import { expanded } from './term-expansion.ts'
import { acceptedBy } from './term-visitor.ts'

/** Max states of the automaton of a pattern that does not say so itself. */
const MAX_STATES = 10_000

/** Documents with a term that a wildcard, a regular expression or the like matches. */
export const patternQuery: QueryType<PatternQuery> = {
  className: () => 'MultiTermQueryConstantScoreBlendedWrapper',
  text: ({ field, start, pattern: { kind, text } }) => {
    if (kind === 'regexp') return `${field}:/${start}${text}/`
    return `${field}:${start}${text}${kind === 'prefix' ? '*' : ''}`
  },
  clauseCount: () => 1,
  mapInner: null,
  visitTerms: (query, visitor, of) =>
    visitor.termsLike(query.field, of.text(query), acceptedBy(automatonOf(query))),
  onShard(query, leaves) {
    const { field, rewrite } = query
    if (rewrite.kind === 'constant') return query
    return expanded(field, rewrite, automatonOf(query), null, leaves)
  },
  createWeight(query, builder, id, boost) {
    const { field, start, pattern, ignoresCase } = query
    const key = `p${JSON.stringify([start, pattern, ignoresCase])}`
    return multiTermWeight(builder, field, id, boost, acceptedTerms(key, automatonOf(query)))
  },
}

/** Automata of queries that live: a request has one for all its shards. */
const automata = new WeakMap<PatternQuery, TermAutomaton>()

/**
 * The automaton of a query's terms.
 * @throws {IllegalArgumentError} a syntax error, or too many states
 */
export function automatonOf(query: PatternQuery): TermAutomaton {
  const known = automata.get(query)
  if (known !== undefined) return known
  const made = compile(query)
  automata.set(query, made)
  return made
}

function compile({ start, pattern, ignoresCase }: PatternQuery): TermAutomaton {
  const make = new Expressions()
  const whole = make.sequence(make.text(start), expressionOf(make, pattern, ignoresCase))
  const automaton = new Automaton(make, [whole])
  automaton.complete(pattern.kind === 'regexp' ? pattern.maxStates : MAX_STATES)
  let table: AutomatonTable | null = null
  return {
    get form() {
      table ??= automaton.table()
      return table
    },
    step: (state, point) => automaton.step(state, point),
    nextPoint: (state, from) => automaton.nextPoint(state, from),
    accepts: state => automaton.accepts(state) !== 0,
    isTotal: state => automaton.isTotal(state),
    editsOf: () => 0,
  }
}

function expressionOf(
  make: Expressions,
  pattern: PatternQuery['pattern'],
  ignoresCase: boolean,
): Expression {
  const { kind, text } = pattern
  if (kind === 'regexp') return luceneExpression(text, make, pattern.operators, ignoresCase)
  if (kind === 'wildcard') return wildcardExpression(text, make, ignoresCase)
  const literal = make.sequence(...[...text].map(char => charSet(char, make, ignoresCase)))
  return kind === 'prefix' ? make.sequence(literal, make.anything) : literal
}

/** `*` is any text, `?` any one character, and `\` takes the next character as it is. */
function wildcardExpression(text: string, make: Expressions, ignoresCase: boolean): Expression {
  const chars = [...text]
  const parts: Expression[] = []
  for (let i = 0; i < chars.length; i++) {
    const char = chars[i]!
    if (char === '*') {
      if (chars[i - 1] !== '*' || parts.at(-1) !== make.anything) parts.push(make.anything)
    } else if (char === '?') parts.push(make.set(ANY_POINT))
    else {
      // One at the end stands for itself.
      const literal = char === '\\' && i + 1 < chars.length ? chars[++i]! : char
      parts.push(charSet(literal, make, ignoresCase))
    }
  }
  return make.sequence(...parts)
}

function charSet(char: string, make: Expressions, ignoresCase: boolean): Expression {
  const point = char.codePointAt(0)!
  return make.set(ignoresCase ? bothCases(point) : [point, point])
}

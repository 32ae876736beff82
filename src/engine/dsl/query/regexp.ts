import type { LuceneOperators } from '../../../util/automaton/lucene-pattern.ts'
import { IllegalArgumentError } from '../../../util/errors.ts'
import { readInteger, readText } from '../json-scalars.ts'
import { termsOnField } from './pattern-on-field.ts'
import type { QueryParser } from './query-parser.ts'
import { ALL_FLAGS, checkRegexLength, DEFAULT_MAX_STATES } from './regexp-limits.ts'
import { type OpenTermOptions, readTermClause, readTermOption } from './term-clause.ts'

const NO_FLAGS: LuceneOperators = {
  intersection: false,
  complement: false,
  empty: false,
  anyString: false,
  interval: false,
}

/** Flags by name; complement is accepted and has no effect. */
const FLAGS: ReadonlyMap<string, Partial<LuceneOperators>> = new Map([
  ['INTERSECTION', { intersection: true }],
  ['COMPLEMENT', {}],
  ['EMPTY', { empty: true }],
  ['ANYSTRING', { anyString: true }],
  ['INTERVAL', { interval: true }],
  ['NONE', {}],
])

/** `regexp`: documents with a term that a regular expression matches as a whole. */
export const regexpParser: QueryParser = {
  mustBecomesFilter: 'never',
  parse(node, read) {
    const options: OpenTermOptions = { rewrite: null, ignoresCase: false }
    let operators = ALL_FLAGS
    let maxStates = DEFAULT_MAX_STATES
    const { field, text } = readTermClause('regexp', null, node, read, entry => {
      if (readTermOption(options, entry)) return true
      const { key, value } = entry
      if (key === 'flags') operators = value.kind === 'null' ? ALL_FLAGS : flagsOf(readText(value))
      else if (key === 'flags_value') operators = flagBits(readInteger(value))
      else if (key === 'max_determinized_states') maxStates = readInteger(value)
      else return false
      return true
    })
    const pattern = { kind: 'regexp', text, operators, maxStates } as const
    return {
      field,
      build(context) {
        checkRegexLength(text, 'Regexp Query request', context)
        return termsOnField(field, { kind: 'pattern', pattern, options }, context)
      },
    }
  },
}

/** The operators that names of flags turn on, `|` between them. */
export function flagsOf(text: string): LuceneOperators {
  if (text === '') return ALL_FLAGS
  let operators = NO_FLAGS
  for (const name of text.split('|')) {
    if (name === '') continue
    if (name.toUpperCase() === 'ALL') return ALL_FLAGS
    const flag = FLAGS.get(name.toUpperCase())
    if (flag === undefined) throw new IllegalArgumentError(`Unknown regexp flag [${name}]`)
    operators = { ...operators, ...flag }
  }
  return operators
}

/** The operators that the bits of a number turn on. */
export function flagBits(bits: number): LuceneOperators {
  return {
    intersection: (bits & 1) !== 0,
    complement: false,
    empty: (bits & 4) !== 0,
    anyString: (bits & 8) !== 0,
    interval: (bits & 32) !== 0,
  }
}

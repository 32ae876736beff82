/** The options of a completion suggestion, read as the real server's object parsers do. */
import { IllegalArgumentError } from '../../util/errors.ts'
import type { JsonNode, JsonObjectNode } from '../../util/json/json-tree.ts'
import { type DeclaredOption, FLAG, INTEGER, readDeclared, TEXT } from '../dsl/declared-options.ts'
import { fuzzinessOf } from '../dsl/fuzziness.ts'
import { readBoolean, readInteger, readText } from '../dsl/json-scalars.ts'
import { ALL_FLAGS, DEFAULT_MAX_STATES, flagBits, flagsOf } from '../dsl/query/regexp-limits.ts'
import { type CommonOptions, newCommonOptions, readCommonOption } from './common-options.ts'
import type { FuzzyOptions, RegexOptions } from './completion-pattern.ts'

/** Length in code points that `AUTO` counts for a text that is not known yet. */
const AUTO_LENGTH = 5

/** As they are read. */
export interface CompletionOptions {
  readonly common: CommonOptions
  skipsDuplicates: boolean
  /** Null: the beginning is taken as it is. */
  fuzzy: FuzzyOptions | null
  regex: RegexOptions
  /** Read once the field is known; null: none. */
  contexts: JsonNode | null
}

/**
 * Reads the options of a completion suggestion.
 * @throws {EngineError} `x_content_parse_exception`
 */
export function readCompletionOptions(node: JsonObjectNode): CompletionOptions {
  const options: CompletionOptions = {
    common: newCommonOptions(),
    skipsDuplicates: false,
    fuzzy: null,
    regex: { operators: ALL_FLAGS, maxStates: DEFAULT_MAX_STATES },
    contexts: null,
  }
  const common = (key: string, takes: DeclaredOption['takes']): [string, DeclaredOption] => [
    key,
    {
      takes,
      read: value => {
        readCommonOption(options.common, { key, value, line: value.line, col: value.col })
      },
    },
  ]
  const contexts: DeclaredOption = {
    takes: ['object'],
    read: value => {
      options.contexts = value
    },
  }
  readDeclared(
    'completion',
    node,
    new Map<string, DeclaredOption>([
      common('field', TEXT),
      common('analyzer', TEXT),
      common('size', INTEGER),
      common('shard_size', INTEGER),
      [
        'fuzzy',
        {
          takes: ['object', 'boolean'],
          read: value => {
            options.fuzzy = value.kind === 'object' ? readFuzzy(value) : defaultFuzzy(value)
          },
        },
      ],
      [
        'regex',
        {
          takes: ['object'],
          read: value => {
            if (value.kind === 'object') readRegex(value, options.regex)
          },
        },
      ],
      ['contexts', contexts],
      ['context', contexts],
      [
        'skip_duplicates',
        {
          takes: FLAG,
          read: value => {
            options.skipsDuplicates = readBoolean(value)
          },
        },
      ],
    ]),
  )
  return options
}

function newFuzzy(): FuzzyOptions {
  return { edits: 1, transpositions: true, minLength: 3, prefixLength: 1, unicodeAware: false }
}

function defaultFuzzy(value: JsonNode): FuzzyOptions | null {
  return readBoolean(value) ? newFuzzy() : null
}

function readFuzzy(node: JsonObjectNode): FuzzyOptions {
  const fuzzy = newFuzzy()
  readDeclared(
    'fuzzy',
    node,
    new Map<string, DeclaredOption>([
      [
        'fuzziness',
        {
          takes: TEXT,
          read: value => {
            fuzzy.edits = editsOf(readText(value))
          },
        },
      ],
      [
        'transpositions',
        {
          takes: FLAG,
          read: value => {
            fuzzy.transpositions = readBoolean(value)
          },
        },
      ],
      [
        'min_length',
        {
          takes: INTEGER,
          read: value => {
            fuzzy.minLength = natural(value, 'fuzzyMinLength')
          },
        },
      ],
      [
        'prefix_length',
        {
          takes: INTEGER,
          read: value => {
            fuzzy.prefixLength = natural(value, 'fuzzyPrefixLength')
          },
        },
      ],
      [
        'unicode_aware',
        {
          takes: FLAG,
          read: value => {
            fuzzy.unicodeAware = readBoolean(value)
          },
        },
      ],
      [
        'max_determinized_states',
        // Nothing is determinized for it.
        {
          takes: INTEGER,
          read: value => {
            natural(value, 'maxDeterminizedStates')
          },
        },
      ],
    ]),
  )
  return fuzzy
}

function editsOf(text: string): 0 | 1 | 2 {
  const fuzziness = fuzzinessOf(text)
  if (fuzziness.edits !== null) return fuzziness.edits
  return AUTO_LENGTH < fuzziness.low ? 0 : AUTO_LENGTH < fuzziness.high ? 1 : 2
}

function natural(value: JsonNode, name: string): number {
  const number = readInteger(value)
  if (number < 0) throw new IllegalArgumentError(`${name} must not be negative`)
  return number
}

function readRegex(node: JsonObjectNode, regex: RegexOptions): void {
  const flags: DeclaredOption = {
    takes: ['string', 'number', 'null'],
    read: value => {
      if (value.kind === 'number') regex.operators = flagBits(readInteger(value))
      else regex.operators = value.kind === 'null' ? ALL_FLAGS : flagsOf(readText(value))
    },
  }
  readDeclared(
    'regex',
    node,
    new Map<string, DeclaredOption>([
      ['flags', flags],
      ['flags_value', flags],
      [
        'max_determinized_states',
        {
          takes: INTEGER,
          read: value => {
            regex.maxStates = natural(value, 'maxDeterminizedStates')
          },
        },
      ],
    ]),
  )
}

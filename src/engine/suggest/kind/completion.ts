import { completionKeys } from '../../../analysis/completion-keys.ts'
import type { CompletionField } from '../../../schema/field-type/completion.ts'
import type { KeyPattern } from '../../../search/suggest/completion-paths.ts'
import {
  type CompletionQuery,
  type FoundCompletion,
  searchCompletions,
} from '../../../search/suggest/completion-search.ts'
import { IllegalArgumentError } from '../../../util/errors.ts'
import type { JsonNode, JsonObjectNode } from '../../../util/json/json-tree.ts'
import { Float32 } from '../../../util/json/json-value.ts'
import { fuzzinessOf } from '../../dsl/fuzziness.ts'
import { readBoolean, readInteger, readText } from '../../dsl/json-scalars.ts'
import { flagBits, flagsOf } from '../../dsl/query/regexp.ts'
import { ALL_FLAGS, DEFAULT_MAX_STATES } from '../../dsl/query/regexp-limits.ts'
import type { IndexView } from '../../metadata/index-view.ts'
import {
  type CommonOptions,
  mappedField,
  namedAnalyzer,
  newCommonOptions,
  readCommonOption,
  requiredField,
  shownText,
} from '../common-options.ts'
import {
  type FuzzyOptions,
  fuzzyPattern,
  prefixPattern,
  type RegexOptions,
  regexPattern,
} from '../completion-pattern.ts'
import { contextQueries } from '../context-queries.ts'
import { type DeclaredOption, FLAG, INTEGER, readDeclared, TEXT } from '../declared-options.ts'
import { compareText } from '../reduce-entries.ts'
import type { SuggestEntry, Suggester, SuggestOption, SuggestTexts } from '../suggester.ts'

/** Length in code points that `AUTO` counts for a text that is not known yet. */
const AUTO_LENGTH = 5

interface CompletionOptions {
  readonly common: CommonOptions
  skipsDuplicates: boolean
  /** Null: the beginning is taken as it is. */
  fuzzy: FuzzyOptions | null
  regex: RegexOptions
  contexts: JsonNode | null
}

/** `completion`: documents by the beginnings of their inputs. */
export const completion: Suggester = {
  parse(node) {
    const options = parseOptions(node)
    const { common, skipsDuplicates } = options
    const name = requiredField(common)
    return {
      make(texts, view) {
        const field = mappedField(view, name)
        if (field.type !== 'completion')
          throw new IllegalArgumentError(`Field [${name}] is not a completion suggest field`)
        const query: CompletionQuery = {
          field: field.name,
          pattern: patternOf(options, texts, field, view),
          contexts: contextsOf(options, field),
          size: common.size,
          skipsDuplicates,
        }
        const text = shownText(texts)
        return {
          *run({ leaves, charge }, turn) {
            const found = yield* searchCompletions(leaves, query, charge, turn)
            const options = found.map(each => optionOf(each, field))
            return [
              { text, offset: 0, length: text.length, cutoff: Number.NEGATIVE_INFINITY, options },
            ]
          },
          reduce: answers => reduce(answers, common.size, skipsDuplicates),
        }
      },
    }
  },
  print({ text, score, contexts }, hit) {
    const named = contexts.size === 0 ? undefined : Object.fromEntries(contexts)
    return { text, ...(hit ?? { _score: new Float32(score) }), contexts: named }
  },
}

function parseOptions(node: JsonObjectNode): CompletionOptions {
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

/** @throws {IllegalArgumentError} options that do not go together, or an expression that is none */
function patternOf(
  { common, fuzzy, regex }: CompletionOptions,
  texts: SuggestTexts,
  field: CompletionField,
  view: IndexView,
): KeyPattern {
  const analyzer = namedAnalyzer(view, common.analyzer ?? field.searchAnalyzer)
  if (texts.prefix === null && texts.regex !== null) {
    if (fuzzy !== null) throw new IllegalArgumentError("can not use 'fuzzy' options with 'regex")
    return regexPattern(texts.regex, regex)
  }
  const keys = completionKeys(analyzer, shownPrefix(texts), field)
  return fuzzy === null ? prefixPattern(keys) : fuzzyPattern(keys, fuzzy)
}

function shownPrefix({ text, prefix }: SuggestTexts): string {
  return prefix ?? text ?? ''
}

function contextsOf(
  { contexts }: CompletionOptions,
  field: CompletionField,
): CompletionQuery['contexts'] {
  if (field.contexts.length > 0) return contextQueries(field.contexts, contexts)
  if (contexts !== null)
    throw new IllegalArgumentError(`suggester [${field.name}] doesn't expect any context`)
  return null
}

function optionOf(
  { surface, score, globalDoc, contexts }: FoundCompletion,
  field: CompletionField,
): SuggestOption {
  const named = new Map<string, string[]>()
  for (const { context, value } of contexts) {
    const { name } = field.contexts[context]!
    const values = named.get(name)
    if (values === undefined) named.set(name, [value])
    else values.push(value)
  }
  return {
    text: surface,
    score,
    freq: 0,
    highlighted: null,
    document: { shard: -1, globalDoc },
    contexts: named,
  }
}

/** Puts the options of shards together: by score, then by text, then by shard and document. */
function reduce(
  answers: readonly (readonly SuggestEntry[])[],
  size: number,
  skipsDuplicates: boolean,
): readonly SuggestEntry[] {
  const [leader] = answers[0] ?? []
  if (leader === undefined) return []
  const options = answers.flatMap(([entry], shard) =>
    (entry?.options ?? []).map(option => ({
      ...option,
      document: { shard, globalDoc: option.document?.globalDoc ?? 0 },
    })),
  )
  if (answers.length > 1)
    options.sort(
      (a, b) =>
        b.score - a.score ||
        compareText(a.text, b.text) ||
        a.document.shard - b.document.shard ||
        a.document.globalDoc - b.document.globalDoc,
    )
  const seen = new Set<string>()
  const kept = options.filter(({ text }) => {
    if (skipsDuplicates && seen.has(text)) return false
    seen.add(text)
    return true
  })
  return [{ ...leader, options: kept.slice(0, size) }]
}

import { completionKeys } from '../../../analysis/completion-keys.ts'
import type { CompletionField } from '../../../schema/field-type/completion.ts'
import type { KeyPattern } from '../../../search/suggest/completion-paths.ts'
import {
  type CompletionQuery,
  type FoundCompletion,
  searchCompletions,
} from '../../../search/suggest/completion-search.ts'
import { IllegalArgumentError } from '../../../util/errors.ts'
import { Float32 } from '../../../util/json/json-value.ts'
import type { IndexView } from '../../metadata/index-view.ts'
import { mappedField, namedAnalyzer, requiredField, shownText } from '../common-options.ts'
import { type CompletionOptions, readCompletionOptions } from '../completion-options.ts'
import { fuzzyPattern, prefixPattern, regexPattern } from '../completion-pattern.ts'
import { contextQueries } from '../context-queries.ts'
import { compareText } from '../reduce-entries.ts'
import type { SuggestEntry, Suggester, SuggestOption, SuggestTexts } from '../suggester.ts'

/** `completion`: documents by the beginnings of their inputs. */
export const completion: Suggester = {
  parse(node) {
    const options = readCompletionOptions(node)
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
          *run(shard, turn) {
            const found = yield* searchCompletions(shard, query, turn)
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
    collateMatch: null,
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

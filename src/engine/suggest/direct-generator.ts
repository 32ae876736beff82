/** The key `direct_generator` of a phrase suggestion: where corrections come from. */
import type { GeneratorPlan } from '../../search/suggest/candidate-generator.ts'
import { IllegalArgumentError } from '../../util/errors.ts'
import type { JsonEntry, JsonNode } from '../../util/json/json-tree.ts'
import { type DeclaredOption, INTEGER, readDeclared, TEXT } from '../dsl/declared-options.ts'
import { readInteger, readText } from '../dsl/json-scalars.ts'
import { parsingError, tokenName } from '../dsl/parse-error.ts'
import type { IndexView } from '../metadata/index-view.ts'
import {
  maxEditsOf,
  newSpellCheckOptions,
  readSpellCheckOption,
  type SpellCheckOptions,
  suggestModeOf,
} from './spell-check-options.ts'

/** A generator as a request asks for it. */
export interface DirectGenerator {
  readonly field: string
  readonly size: number
  readonly check: SpellCheckOptions
  /** Names of analyzers; null: none. */
  readonly preFilter: string | null
  readonly postFilter: string | null
}

/** The generator of a request that names none. */
export function defaultGenerator(field: string): DirectGenerator {
  return { field, size: 5, check: newSpellCheckOptions(), preFilter: null, postFilter: null }
}

/**
 * Reads one generator.
 * @throws {EngineError} 400
 */
export function readGenerator(node: JsonNode): DirectGenerator {
  if (node.kind !== 'object')
    throw parsingError(
      node,
      `[direct_generator] Expected START_OBJECT but was: ${tokenName(node.kind)}`,
    )
  const check = newSpellCheckOptions()
  const texts: Record<'field' | 'pre_filter' | 'post_filter', string | null> = {
    field: null,
    pre_filter: null,
    post_filter: null,
  }
  let size = 5
  const text = (key: keyof typeof texts): [string, DeclaredOption] => [
    key,
    {
      takes: TEXT,
      read: value => {
        texts[key] = readText(value)
      },
    },
  ]
  const checked = (key: string, takes: DeclaredOption['takes']): [string, DeclaredOption] => [
    key,
    {
      takes,
      read: value => readCheck(check, { key, value, line: value.line, col: value.col }),
    },
  ]
  readDeclared(
    'direct_generator',
    node,
    new Map<string, DeclaredOption>([
      text('field'),
      text('pre_filter'),
      text('post_filter'),
      checked('suggest_mode', TEXT),
      checked('min_doc_freq', INTEGER),
      checked('accuracy', INTEGER),
      [
        'size',
        {
          takes: INTEGER,
          read: value => {
            size = readInteger(value)
            if (size <= 0) throw new IllegalArgumentError('Size must be positive')
          },
        },
      ],
      checked('sort', TEXT),
      checked('string_distance', TEXT),
      checked('max_inspections', INTEGER),
      checked('max_term_freq', INTEGER),
      checked('max_edits', INTEGER),
      checked('min_word_length', INTEGER),
      checked('prefix_length', INTEGER),
    ]),
  )
  if (texts.field === null) throw new IllegalArgumentError('Required [field]')
  return {
    field: texts.field,
    size,
    check,
    preFilter: texts.pre_filter,
    postFilter: texts.post_filter,
  }
}

/** Some options have words of their own for what is none. */
function readCheck(check: SpellCheckOptions, entry: JsonEntry): void {
  const { key, value } = entry
  if (key === 'max_edits') {
    const edits = readInteger(value)
    check.maxEdits = maxEditsOf(edits, `Illegal max_edits value ${edits}`)
  } else if (key === 'suggest_mode')
    check.mode = suggestModeOf(
      readText(value),
      text => new IllegalArgumentError(`Illegal suggest mode ${text.toLowerCase()}`),
    )
  else readSpellCheckOption(check, entry)
}

/**
 * Makes a generator for an index.
 * @throws {IllegalArgumentError} a filter that the index does not have
 */
export function generatorPlan(generator: DirectGenerator, view: IndexView): GeneratorPlan {
  const { field, size, check, preFilter, postFilter } = generator
  return {
    field: view.mapping.field(field)?.name ?? field,
    mode: check.mode,
    check,
    size,
    preFilter: filterOf(preFilter, view),
    postFilter: filterOf(postFilter, view),
  }
}

function filterOf(name: string | null, { index }: IndexView): GeneratorPlan['preFilter'] {
  if (name === null) return null
  const analyzer = index.analysis.analyzer(name)
  if (analyzer === null) throw new IllegalArgumentError(`Analyzer [${name}] doesn't exists`)
  return text => analyzer.tokens(text).tokens
}

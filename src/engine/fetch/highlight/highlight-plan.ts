import type { FieldType } from '../../../schema/field-type.ts'
import { indexSettings } from '../../../schema/setting-registry.ts'
import { IllegalArgumentError } from '../../../util/errors.ts'
import { buildQuery } from '../../dsl/query-context.ts'
import { newQueryNotes } from '../../dsl/query-notes.ts'
import type { HighlightedField, ParsedHighlight } from '../../dsl/search-body/highlight.ts'
import type { FetchedDocument, FetchSubject } from '../fetch-part.ts'
import { htmlText, plainText } from './encoder.ts'
import { fieldTexts } from './field-texts.ts'
import { fieldAnalyzer } from './field-tokens.ts'
import { highlighterOf } from './highlighters.ts'
import { soughtBy } from './sought.ts'

/** The fields of an index that a request highlights. */
export type HighlightPlan = readonly {
  /** As the hit names it. */
  readonly name: string
  /** A document's fragments; null: it has none. */
  fragments(document: FetchedDocument): readonly string[] | null
}[]

/** Types of the fields that a pattern means. */
const PATTERN_TYPES: ReadonlySet<string> = new Set(['text', 'keyword'])

/**
 * Plans the highlighting of an index's hits. Fields that are not mapped are left out.
 * @throws {EngineError} the request does not fit the index
 */
export function highlightPlan(
  { fields, encodesHtml }: ParsedHighlight,
  subject: FetchSubject,
): HighlightPlan {
  const { mapping } = subject.context
  const planned = new Map<string, HighlightPlan[number]>()
  for (const asked of fields) {
    const { pattern } = asked
    const highlighter = highlighterOf(asked.type, pattern)
    const names = pattern.includes('*') ? mapping.namesLike(pattern) : [pattern]
    if (asked.forceSource && mapping.options.source?.enabled === false)
      throw new IllegalArgumentError(
        `source is forced for fields [${names.join(', ')}] but _source is disabled`,
      )
    for (const name of names) {
      const field = mapping.field(name)
      if (field === null) continue
      if (pattern.includes('*') && !PATTERN_TYPES.has(field.type)) continue
      const fragments = highlighter.make(fieldToHighlight(name, field, asked, encodesHtml, subject))
      const texts = fieldTexts(field, subject.context)
      planned.set(name, { name, fragments: document => fragments(document, texts(document)) })
    }
  }
  return [...planned.values()]
}

function fieldToHighlight(
  name: string,
  field: FieldType,
  options: HighlightedField,
  encodesHtml: boolean,
  subject: FetchSubject,
): Parameters<ReturnType<typeof highlighterOf>['make']>[0] {
  const { context, settings, analysis } = subject
  const query =
    options.query === null
      ? subject.query
      : buildQuery(options.query, { ...context, notes: newQueryNotes() })
  const own = new Set([field.name, ...options.matchedFields])
  return {
    name,
    field,
    options,
    sought: soughtBy(query, each => (options.requireFieldMatch ? own.has(each) : each !== '_id')),
    by: fieldAnalyzer(field, analysis),
    hasOffsets: keepsOffsets(field),
    markup: {
      preTag: options.preTags[0]!,
      postTag: options.postTags[0]!,
      encode: encodesHtml ? htmlText : plainText,
    },
    index: context.index,
    maxAnalyzedOffset:
      indexSettings.number(settings, 'index.highlight.max_analyzed_offset') ?? 1_000_000,
  }
}

/** Whether the mapping has the index keep the offsets of a field's tokens. */
function keepsOffsets({ parameters }: FieldType): boolean {
  const vectors = parameters.get('term_vector')
  return (
    parameters.get('index_options') === 'offsets' ||
    (typeof vectors === 'string' && vectors.includes('offsets'))
  )
}

/** Queries for what terms of a field start with, and the error where such queries are forbidden. */
import type { FieldType } from '../../schema/field-type.ts'
import type { Query } from '../../search/query/query.ts'
import { EngineError } from '../../util/errors.ts'
import { checkSearchable } from './field-values.ts'
import type { QueryContext } from './query-context.ts'

/** Documents with a term that starts so; the field is text or keyword. */
export function prefixQuery(field: FieldType, prefix: string, context: QueryContext): Query {
  checkSearchable(field)
  if (!context.allowsExpensive)
    throw expensive(
      "[prefix] queries cannot be executed when 'search.allow_expensive_queries' is set to " +
        'false. For optimised prefix queries on text fields please enable [index_prefixes].',
    )
  const text = field.type === 'keyword' ? context.normalize(field, prefix) : prefix
  return { kind: 'prefix', field: field.name, prefix: text }
}

/** The error of a query that `search.allow_expensive_queries` forbids. */
export function expensive(reason: string): EngineError {
  return new EngineError({ type: 'exception', reason })
}
